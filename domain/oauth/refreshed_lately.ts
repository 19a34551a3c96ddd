import type { Services } from "../ports.ts";

/**
 * How soon after a refresh a client is back that was challenged: at once. One
 * whose token had just ended lists the tools first, and its model thinks.
 */
const LATELY_MS = 3_000;

/** Whether the tokens of a grant were refreshed a moment ago. */
export async function refreshedLately(
  { clock, store }: Pick<Services, "clock" | "store">,
  grantId: string,
): Promise<boolean> {
  const grant = await store.grants.find(grantId);
  const atMs = grant?.refresh?.previousUsedAtMs ?? -Infinity;
  return clock.now() - atMs < LATELY_MS;
}
