import { type Month, startOfMonthMs } from "../../../domain/month.ts";
import type { Html } from "../../pages/html.ts";

/** The name of a day, readable by people and machines; short for tables. */
export function DayTime(
  { day, short = false }: { day: string; short?: boolean },
): Html {
  return short
    ? <time class="short" datetime={day}>{shorter.format(dateOf(day))}</time>
    : <time datetime={day}>{dayName(day)}</time>;
}

const shorter = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeZone: "UTC",
});

const names = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeZone: "UTC",
});

/** A day in words: 18 November 2026. */
export function dayName(day: string): string {
  return names.format(dateOf(day));
}

const monthNames = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** A month in words: November 2026. */
export function monthName(month: Month): string {
  return monthNames.format(startOfMonthMs(month));
}

const shortNames = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A day without its year, where there is little room: 18 Nov. */
export function shortDay(day: string): string {
  return shortNames.format(dateOf(day));
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
