import type { Day } from "../day.ts";
import type { WriteTable } from "../tables.ts";

/** What bidders are told of the day as a whole. */
export type DayMatter = "closed" | "settled";

/**
 * That the bidders of a day are to be told, written in the commit that closes or
 * settles it. They may be many thousand, so telling them takes commits of its own.
 */
export interface DayNotice {
  /** Day and matter. */
  id: string;
  day: Day;
  matter: DayMatter;
  /** Whoever comes up to here in the list of the day's bids was told. */
  afterAccountId: string | null;
  dueAtMs: number;
}

/** Writes in the caller's commit that bidders are to be told. */
export function noticeBidders(
  tx: { dayNotices: WriteTable<DayNotice> },
  day: Day,
  matter: DayMatter,
  nowMs: number,
): void {
  tx.dayNotices.save({
    id: `${day}:${matter}`,
    day,
    matter,
    afterAccountId: null,
    dueAtMs: nowMs,
  });
}
