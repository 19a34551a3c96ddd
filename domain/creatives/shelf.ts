import type { Day } from "../day.ts";

/** Creatives of an account that are not archived. */
export const CREATIVES_KEPT_MAX = 50;
/** Creatives an account may make on one UTC day. */
export const CREATIVES_A_DAY = 50;

/** How many creatives an account has, so that there is an end to it. */
export interface CreativeShelf {
  accountId: string;
  /** Those that are not archived. */
  kept: number;
  /** The last UTC day on which one was made. */
  day: Day;
  /** How many were made on it. */
  made: number;
}

/** The shelf with one more creative, or which bound is in the way. */
export type Placing =
  | { ok: true; shelf: CreativeShelf }
  | { ok: false; bound: "kept" | "day" };

/** Puts one more creative on a shelf. */
export function placeOn(shelf: CreativeShelf, today: Day): Placing {
  if (shelf.kept >= CREATIVES_KEPT_MAX) return { ok: false, bound: "kept" };
  const made = shelf.day === today ? shelf.made : 0;
  if (made >= CREATIVES_A_DAY) return { ok: false, bound: "day" };
  const kept = shelf.kept + 1;
  return { ok: true, shelf: { ...shelf, kept, day: today, made: made + 1 } };
}

/** Takes an archived creative off its shelf. */
export function takeOff(shelf: CreativeShelf): CreativeShelf {
  return { ...shelf, kept: Math.max(0, shelf.kept - 1) };
}
