/** Of advertisements and bids. */
import type { Creative } from "../creatives/creative.ts";
import type { CreativeNote } from "../creatives/creative_note.ts";
import { isoOrNull, isoTime } from "../day.ts";
import { everyRecord } from "../every_record.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import type { Exported, ExportServices } from "./exported.ts";
import { everyBid } from "./own_records.ts";

/** Advertisements that are held in memory at once. */
const ADS_PAGE = 50;
/** Of one advertisement, or of one bid. */
const HISTORY_MAX = 10_000;

/** Advertisements with their history. */
export async function* adsSection(
  { store }: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  const creatives = everyRecord<Creative>(
    (before, limit) => store.listNewestCreatives(accountId, { limit, before }),
    ADS_PAGE,
  );
  for await (const creative of creatives) {
    const { adId } = creative;
    const notes = await store.listCreativeNotes(adId, { limit: HISTORY_MAX });
    yield { ...creativeFacts(creative), history: notes.map(noteFacts) };
  }
}

function creativeFacts(creative: Creative): Record<string, Json> {
  return {
    ad_id: creative.adId,
    state: creative.state,
    headline: creative.headline,
    description: creative.description,
    target_url: creative.targetUrl,
    shown_as: creative.advertiser?.name ?? null,
    made_at: isoTime(creative.createdAtMs),
    changed_at: isoOrNull(creative.updatedAtMs),
    submitted_at: isoOrNull(creative.submittedAtMs),
    decided_at: isoOrNull(creative.reviewedAtMs),
  };
}

/** What operators did is told, not which of them. */
function noteFacts({ event, by, atMs, rejection }: CreativeNote): Json {
  return {
    what: event,
    by: by.kind === "advertiser" ? "you" : "us",
    agent: by.kind === "advertiser" ? by.grantId : null,
    at: isoTime(atMs),
    rejection: rejection === null ? null : {
      policy: rejection.policyId,
      message: rejection.message,
      remedy: rejection.remedy,
    },
  };
}

/** Every bid, with each amount it had. */
export async function* bidsSection(
  services: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  for await (const { bid, status } of everyBid(services, accountId)) {
    const events = await services.store.listBidEvents(bid.id, {
      limit: HISTORY_MAX,
    });
    yield {
      id: bid.id,
      day: bid.day,
      ad_id: bid.adId,
      status,
      amount_cents: bid.amountCents,
      card: bid.paymentMethodId,
      placed_at: isoTime(bid.placedAtMs),
      history: events.map((event) => ({
        what: event.kind,
        amount_cents: event.amountCents,
        ad_id: event.adId,
        at: isoTime(event.atMs),
        agent: event.grantId,
      })),
    };
  }
}

/** The days that were won, as they are published. */
export async function* spotlightsSection(
  services: ExportServices,
  { accountId }: Exported,
): AsyncGenerator<Json> {
  for await (const { bid, status } of everyBid(services, accountId)) {
    if (status !== "won") continue;
    const spotlight = await services.store.spotlights.find(bid.day);
    if (spotlight?.accountId !== accountId) continue;
    yield {
      day: spotlight.day,
      ad_id: spotlight.adId,
      headline: spotlight.headline,
      description: spotlight.description,
      advertiser: spotlight.advertiser,
      target_url: spotlight.targetUrl,
      published_at: isoTime(spotlight.settledAtMs),
      removed_at: isoOrNull(spotlight.removedAtMs),
      removed_because: spotlight.removalReason,
    };
  }
}
