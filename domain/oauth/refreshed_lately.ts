import type { Services } from "../ports.ts";
import type { BearerGrant } from "./grant.ts";
import { findLine } from "./lines.ts";

/**
 * How soon after a refresh a client is back that was challenged: at once. One
 * whose token had just ended lists the tools first, and its model thinks.
 */
const LATELY_MS = 3_000;

/** Whether the tokens of the line that asks were refreshed a moment ago. */
export async function refreshedLately(
  { clock, store }: Pick<Services, "clock" | "store">,
  { id, lineId }: Pick<BearerGrant, "id" | "lineId">,
): Promise<boolean> {
  const grant = await store.grants.find(id);
  const line = grant && findLine(grant, lineId);
  const atMs = line?.refresh?.previousUsedAtMs ?? -Infinity;
  return clock.now() - atMs < LATELY_MS;
}
