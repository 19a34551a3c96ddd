import {
  type AuctionHours,
  type Closings,
  shortMinute,
  type ShownWindow,
  shownWindow,
} from "../../../domain/auction/auction.ts";
import { type Day, isoTime } from "../../../domain/day.ts";
import type { Html } from "../../pages/html.ts";
import { DayTime } from "./day_time.tsx";

const WITH_YEAR = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/**
 * From when until when a day is on show: `22 Nov 23:55 – 23 Nov 23:55 UTC`,
 * with the years where it stands by itself.
 */
export function ShownTimes(
  { fromMs, untilMs, withYear = false }: ShownWindow & { withYear?: boolean },
): Html {
  const format = withYear ? WITH_YEAR.format : shortMinute;
  return (
    <>
      <time datetime={isoTime(fromMs)}>{format(fromMs)}</time> –{" "}
      <time datetime={isoTime(untilMs)}>{format(untilMs)}</time> UTC
    </>
  );
}

/**
 * A day that is bid for, with its window: a day is shown from its own evening
 * on, or earlier where it was closed early.
 */
export function ShownDay(
  { day, hours, closed = {} }: {
    day: Day;
    hours: AuctionHours;
    closed?: Closings;
  },
): Html {
  const shown = shownWindow(day, hours, closed);
  return (
    <>
      <DayTime day={day} /> (shown <ShownTimes {...shown} />)
    </>
  );
}

/** A moment without its year, as plots and windows have it: `22 Nov 23:55`. */
export function shortMoment(atMs: number): string {
  return shortMinute(atMs);
}
