import { MINUTE_MS } from "../day.ts";
import { invariant, InvariantBroken } from "../invariant.ts";

/** A job runs every day, so its next run lies no further ahead. */
const MINUTES_MAX = 24 * 60;

/**
 * When a schedule has its next turn, epoch ms: behind the moment, to the minute.
 * Of the language of cron it knows minutes and hours (`*`, `7`, `3-59/5`, `*` with
 * a step), in UTC; days are always all of them.
 */
export function nextRunMs(schedule: string, nowMs: number): number {
  const [minute = "", hour = "", ...days] = schedule.split(" ");
  invariant(days.join(" ") === "* * *", `${schedule} runs on every day`);
  const isMinute = matcher(minute);
  const isHour = matcher(hour);
  const first = Math.floor(nowMs / MINUTE_MS) + 1;
  for (let at = first; at <= first + MINUTES_MAX; at++) {
    const inDay = at % MINUTES_MAX;
    if (isMinute(inDay % 60) && isHour(Math.floor(inDay / 60))) {
      return at * MINUTE_MS;
    }
  }
  throw new InvariantBroken(`Invariant broken: ${schedule} has a turn a day`);
}

const FIELD = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/;

function matcher(field: string): (value: number) => boolean {
  const [, all, from, until, step = "1"] = FIELD.exec(field) ?? [];
  invariant(all ?? from !== undefined, `${field} is a field of cron`);
  const begin = all === undefined ? Number(from) : 0;
  const end = until !== undefined
    ? Number(until)
    : all === undefined
    ? begin
    : Infinity;
  return (value) =>
    value >= begin && value <= end && (value - begin) % Number(step) === 0;
}
