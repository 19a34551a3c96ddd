import { type Answered, commitOnce } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type Authority, requireAuthority } from "../sessions/authority.ts";
import {
  type DataExport,
  dataRequestsOf,
  EXPORT_KEPT_MS,
  EXPORTS_A_DAY,
  isLive,
  planned,
  preparedNow,
  refuseBeyondADay,
} from "./data_requests.ts";
import { type ExportRecord, exportRecord } from "./export_record.ts";

/** Who asks for a copy of an account's data. */
export interface RequestExport {
  accountId: string;
  /** The agent that asks; null for the owner, in a browser. */
  grantId: string | null;
  by: Authority;
  binding: Binding | null;
}

/**
 * Asks for a copy of all that is kept of an account. It is prepared at once, in
 * the background; while one is, whoever asks again is told of that one.
 *
 * @throws {Refused} `rate_limited` beyond {@linkcode EXPORTS_A_DAY},
 * `idempotency_conflict`, and as `requireAuthority()`
 */
export function requestExport(
  services: Pick<Services, "store" | "clock" | "ids" | "settings">,
  { accountId, grantId, by, binding }: RequestExport,
): Promise<Answered<ExportRecord>> {
  const id = services.ids.next("exp"); // outside: attempts share it
  return commitOnce<ExportRecord>(services, binding, async (tx, nowMs) => {
    await requireAuthority(tx, by);
    const requests = await dataRequestsOf(tx, accountId);
    const standing = preparedNow(requests);
    if (standing !== undefined && standing.grantId === grantId) {
      return said(standing);
    }
    const before = requests.exports.map(({ requestedAtMs }) => requestedAtMs);
    refuseBeyondADay(before, EXPORTS_A_DAY, nowMs);
    const asked: DataExport = {
      id,
      grantId,
      requestedAtMs: nowMs,
      readyAtMs: null,
      bytes: 0,
      parts: 0,
      expiresAtMs: nowMs + EXPORT_KEPT_MS,
    };
    const exports = [...requests.exports, asked];
    tx.dataRequests.save(planned({ ...requests, exports }, nowMs));
    return said(asked);
  });

  function said(asked: DataExport) {
    const { authUrl } = services.settings;
    return { status: 202, value: exportRecord(asked, authUrl) };
  }
}

/**
 * A copy that the owner may read in a browser, or the agent that asked for it.
 *
 * @param grantId the agent; null for the owner
 * @throws {Refused} `not_found`, others' and those that are gone alike
 */
export async function findOwnExport(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId, grantId, id }: {
    accountId: string;
    grantId: string | null;
    id: string;
  },
): Promise<DataExport> {
  const { exports } = await dataRequestsOf(store, accountId);
  const found = exports.find((each) =>
    each.id === id && isLive(each, clock.now()) &&
    (grantId === null || each.grantId === grantId)
  );
  return found ?? refuse({
    code: "not_found",
    message: `Cannot find export "${id}"`,
  });
}

/** The copies of an account that are there or on their way, newest first. */
export async function listExports(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<DataExport[]> {
  const { exports } = await dataRequestsOf(store, accountId);
  const nowMs = clock.now();
  return exports.filter((each) => isLive(each, nowMs)).toReversed();
}
