import { type Hold, isActiveHold } from "../domain/hold/hold.ts";
import { keys } from "./keys.ts";
import type { ReadMany } from "./read_many.ts";

/**
 * Reads the hold of a store; null when there is none.
 *
 * Only restoring puts a store on hold, in the commit before its first row, and
 * it takes none but an empty store. So a store that has a row and no hold never
 * gets one, and a released one none again: that is remembered, and asked no
 * more. That it is on hold is never remembered, since another process may
 * release it.
 */
export function currentHold(readMany: ReadMany): () => Promise<Hold | null> {
  let isFree = false;
  return async () => {
    if (isFree) return null;
    const [row, calendar] = await readMany([keys.hold(), keys.calendar()]);
    const hold = (row?.value ?? null) as Hold | null;
    if (isActiveHold(hold)) return hold;
    isFree = hold !== null || (calendar?.value ?? null) !== null;
    return null;
  };
}
