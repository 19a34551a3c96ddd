import type { ShownWindow } from "../../../domain/auction/auction.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Html } from "../../pages/html.ts";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

const WITH_YEAR = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/**
 * From when until when a day is on show: `22 Nov, 23:55 – 23 Nov, 23:55 UTC`,
 * with the years where it stands by itself.
 */
export function ShownTimes(
  { fromMs, untilMs, withYear = false }: ShownWindow & { withYear?: boolean },
): Html {
  const { format } = withYear ? WITH_YEAR : MOMENT;
  return (
    <>
      <time datetime={isoTime(fromMs)}>{format(fromMs)}</time> –{" "}
      <time datetime={isoTime(untilMs)}>{format(untilMs)}</time> UTC
    </>
  );
}

/** A moment without its year, as plots and windows have it: `22 Nov, 23:55`. */
export function shortMoment(atMs: number): string {
  return MOMENT.format(atMs);
}
