import { TemporaryFailure } from "./failure.ts";
import type { InTurn } from "./operations/transact_in_turn.ts";

/**
 * Notes that something is in use: a courtesy, written because somebody reads. Who
 * finds no place for it goes on, as does whoever can't reach the store: it stays
 * due, so the next use notes it.
 *
 * @param inTurn one at a time of each row, and a few in all
 */
export async function noteUse(
  inTurn: InTurn,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await inTurn(write);
  } catch (failure) {
    if (!(failure instanceof TemporaryFailure)) throw failure;
  }
}
