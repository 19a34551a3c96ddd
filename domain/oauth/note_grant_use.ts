import { TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";
import type { Grant } from "./grant.ts";

/** How often the last use of a grant is written at most. */
const NOTED_EVERY_MS = 60_000;

/**
 * Notes that a grant is in use, to the minute. It is a courtesy to its owner:
 * a store that does not take it stops no request.
 */
export async function noteGrantUse(
  { clock, store }: Pick<Services, "clock" | "store">,
  grant: Pick<Grant, "id" | "lastUsedAtMs">,
): Promise<void> {
  if (!isDue(grant, clock.now())) return;
  try {
    await store.transact(async (tx) => {
      const present = await tx.grants.find(grant.id);
      const nowMs = clock.now();
      if (present === null || present.revokedAtMs !== null) return;
      if (!isDue(present, nowMs)) return;
      tx.grants.save({ ...present, lastUsedAtMs: nowMs });
    });
  } catch (failure) {
    if (!(failure instanceof TemporaryFailure)) throw failure;
  }
}

/** The last use of a grant that is in use now, as it is noted. */
export function lastUseMs(
  grant: Pick<Grant, "lastUsedAtMs">,
  nowMs: number,
): number | null {
  return isDue(grant, nowMs) ? nowMs : grant.lastUsedAtMs;
}

function isDue(
  { lastUsedAtMs }: Pick<Grant, "lastUsedAtMs">,
  nowMs: number,
): boolean {
  return nowMs - (lastUsedAtMs ?? -Infinity) >= NOTED_EVERY_MS;
}
