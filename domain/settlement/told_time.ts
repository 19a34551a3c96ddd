import { addDays, DAY_MS, dayOf, startOfDayMs } from "../day.ts";

/** What the processor's clock said, and how far one of ours was ahead of it. */
export interface ToldTime {
  /** The latest time that it told, of which the day counts. */
  toldMs: number;
  /** How far ahead ours was; of several processes, the one that was furthest. */
  leadMs: number;
  /** The time it told then: a lead counts for a day. */
  leadToldMs: number;
}

/**
 * What is known once the processor told the time. Another process with a right
 * clock tells nothing of one whose is wrong.
 */
export function toldAfter(
  known: ToldTime | null,
  toldMs: number,
  leadMs: number,
): ToldTime {
  const told = { toldMs: Math.max(known?.toldMs ?? 0, toldMs) };
  const isKept = known !== null && leadMs < known.leadMs &&
    toldMs - known.leadToldMs < DAY_MS;
  if (!isKept) return { ...told, leadMs, leadToldMs: toldMs };
  return { ...told, leadMs: known.leadMs, leadToldMs: known.leadToldMs };
}

/** The end of the day that was told last, epoch ms. */
export function lastMsOfDay({ toldMs }: ToldTime): number {
  return startOfDayMs(addDays(dayOf(toldMs), 1)) - 1;
}
