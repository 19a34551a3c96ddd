import type { Html } from "../../pages/html.ts";

/** The name of a day, readable by people and machines. */
export function DayTime({ day }: { day: string }): Html {
  return <time datetime={day}>{dayName(day)}</time>;
}

const names = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeZone: "UTC",
});

/** A day in words: 18 November 2026. */
export function dayName(day: string): string {
  return names.format(new Date(`${day}T00:00:00.000Z`));
}

const shortNames = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A day without its year, where there is little room: 18 Nov. */
export function shortDay(day: string): string {
  return shortNames.format(new Date(`${day}T00:00:00.000Z`));
}
