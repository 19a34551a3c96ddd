import { type Day, isoTime, startOfDayMs } from "../../../domain/day.ts";
import type { Html } from "../../pages/html.ts";

const days = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeZone: "UTC",
});

const times = new Intl.DateTimeFormat("en-GB", {
  timeStyle: "short",
  timeZone: "UTC",
});

/** A moment, epoch ms, readable by people and machines. */
export function Moment({ atMs }: { atMs: number }): Html {
  return (
    <time datetime={isoTime(atMs)}>
      {days.format(atMs)}, {times.format(atMs)} UTC
    </time>
  );
}

/** A whole day of UTC. */
export function WholeDay({ day }: { day: Day }): Html {
  return (
    <>
      <time datetime={day}>{days.format(startOfDayMs(day))}</time> (UTC)
    </>
  );
}
