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

/** From when until when a day is on show: `22 Nov, 23:55 – 23 Nov, 23:55 UTC`. */
export function ShownTimes({ fromMs, untilMs }: ShownWindow): Html {
  return (
    <>
      <time datetime={isoTime(fromMs)}>{MOMENT.format(fromMs)}</time> –{" "}
      <time datetime={isoTime(untilMs)}>{MOMENT.format(untilMs)}</time> UTC
    </>
  );
}

/** A moment without its year, as plots and windows have it: `22 Nov, 23:55`. */
export function shortMoment(atMs: number): string {
  return MOMENT.format(atMs);
}
