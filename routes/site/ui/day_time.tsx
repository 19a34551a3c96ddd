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
