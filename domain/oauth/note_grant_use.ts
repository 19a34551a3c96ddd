import { noteUse } from "../note_use.ts";
import type { InTurn } from "../operations/transact_in_turn.ts";
import type { Services } from "../ports.ts";
import type { Grant } from "./grant.ts";

/** How often the last use of a grant is written at most. */
const NOTED_EVERY_MS = 60_000;

/** Notes for its owner that a grant is in use, to the minute. */
export async function noteGrantUse(
  { clock, store }: Pick<Services, "clock" | "store">,
  grant: Pick<Grant, "id" | "lastUsedAtMs">,
  inTurn: InTurn,
): Promise<void> {
  if (!isDue(grant, clock.now())) return;
  const note = () =>
    store.transact(async (tx) => {
      const present = await tx.grants.find(grant.id);
      const nowMs = clock.now();
      if (present === null || present.revokedAtMs !== null) return;
      if (!isDue(present, nowMs)) return;
      tx.grants.save({ ...present, lastUsedAtMs: nowMs });
    });
  await noteUse(inTurn, note);
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
