import { DAY_MS, HOUR_MS } from "../day.ts";
import type { Services } from "../ports.ts";
import type { DataRequests } from "../privacy/data_requests.ts";

/**
 * Longer than money takes to a partner's bank, and well within the month in which
 * whoever wants to be erased may expect it.
 */
const STUCK_MS = 7 * DAY_MS;
/** What was tried in vain is due again within so long. */
const TRIED_WITHIN_MS = HOUR_MS;
/** Requests that are due so soon, erasures of others and copies among them. */
const DUE_MAX = 500;

type Reader = Pick<Services, "store" | "clock">;

/** The accounts whose erasure began long ago and does not end. */
export async function listStuckErasures(
  { store, clock }: Reader,
  { limit }: { limit: number },
): Promise<string[]> {
  const nowMs = clock.now();
  const due = await store.listDue("dataRequests", nowMs + TRIED_WITHIN_MS, {
    limit: DUE_MAX,
  });
  return due.filter((requests) => isStuck(requests, nowMs))
    .map(({ accountId }) => accountId)
    .slice(0, limit);
}

/** Whether that of one account does not. */
export async function isErasureStuck(
  { store, clock }: Reader,
  accountId: string,
): Promise<boolean> {
  const requests = await store.dataRequests.find(accountId);
  return requests !== null && isStuck(requests, clock.now());
}

function isStuck({ erasure }: DataRequests, nowMs: number): boolean {
  const begunAtMs = erasure?.begun?.atMs ?? null;
  return begunAtMs !== null && nowMs - begunAtMs >= STUCK_MS;
}
