/** Of what was told, and what was asked about data. */
import { isoOrNull, isoTime } from "../day.ts";
import { eventRecord } from "../events/event.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import { dataRequestsOf } from "./data_requests.ts";
import type { Exported, ExportServices } from "./exported.ts";
import { everyEvent, everyMailOf } from "./own_records.ts";

/** What agents were told of in the last 30 days. */
export async function* eventsSection(
  { store }: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  for await (const event of everyEvent({ store }, accountId)) {
    yield { ...eventRecord(event) };
  }
}

/** The mails of the last week: what they said is not kept once they are sent. */
export async function* mailsSection(
  { store }: ExportServices,
  { accountId, email }: Exported,
): AsyncGenerator<Json> {
  for await (const mail of everyMailOf({ store }, { accountId, email })) {
    yield {
      to: mail.to,
      subject: mail.subject,
      written_at: isoTime(mail.createdAtMs),
      sent_at: isoOrNull(mail.sentAtMs),
    };
  }
}

/** The copies and the erasure that were asked for. */
export async function requestsSection(
  { store }: ExportServices,
  { accountId }: Exported,
): Promise<Json> {
  const { exports, erasure } = await dataRequestsOf(store, accountId);
  return {
    erasure: erasure === undefined ? null : {
      asked_at: isoTime(erasure.askedAtMs),
      agent: erasure.grantId,
      state: erasure.state,
      erase_at: isoOrNull(erasure.eraseAtMs),
    },
    copies: exports.map((each) => ({
      id: each.id,
      asked_at: isoTime(each.requestedAtMs),
      agent: each.grantId,
      ready_at: isoOrNull(each.readyAtMs),
      bytes: each.bytes,
      ends_at: isoTime(each.expiresAtMs),
    })),
  };
}
