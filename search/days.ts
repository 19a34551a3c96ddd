/**
 * Days in texts and queries, however they are written: "2026-01-05",
 * "5 January 2026", "Jan 5th, 2026", "05.01.2026", "5 January", "January 2026".
 * Relative words ("yesterday") are no days: the same query always means the
 * same. An impossible day is taken for its month.
 *
 * @module
 */
import { type Day, parseDay } from "../domain/day.ts";

const MONTHS = [
  ["january", "jan"],
  ["february", "feb"],
  ["march", "mar"],
  ["april", "apr"],
  ["may"],
  ["june", "jun"],
  ["july", "jul"],
  ["august", "aug"],
  ["september", "sept", "sep"],
  ["october", "oct"],
  ["november", "nov"],
  ["december", "dec"],
] as const;
const MONTH = `(?<month>${MONTHS.flat().join("|")})\\.?`;
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?<year>\\d{4})";

/** The more exact a way of writing, the earlier it is tried. */
const SHAPES = [
  `(?<year>\\d{4})[-/.](?<number>\\d{1,2})[-/.](?<day>\\d{1,2})`,
  `(?<day>\\d{1,2})\\.\\s?(?<number>\\d{1,2})\\.\\s?(?<year>\\d{4})`,
  `${DAY}\\.?(?:\\s+of)?\\s+${MONTH},?\\s+${YEAR}`,
  `${MONTH}\\s+${DAY},?\\s+${YEAR}`,
  `${MONTH},?\\s+${YEAR}`,
  `(?<year>\\d{4})-(?<number>\\d{2})`,
  `${DAY}\\.?(?:\\s+of)?\\s+${MONTH}`,
  `${MONTH}\\s+${DAY}`,
].map((shape) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${shape}(?![\\p{L}\\p{N}])`, "giu")
);

/** A day, a month or a day of any year, found in a text. */
export interface FoundDay {
  /** What the index knows it by; see `dayTerms`. */
  readonly term: string;
  /** Where it stands. */
  readonly begin: number;
  readonly end: number;
}

/** What a day is found by: itself, month, year, the same day of any year. */
export function dayTerms(day: Day): string[] {
  const [year = "", month = "", date = ""] = day.split("-");
  return [
    `@${year}-${month}-${date}`,
    `@${year}-${month}`,
    `@${month}-${date}`,
    year,
  ];
}

/** The days of a text, in its order; no two of them overlap. */
export function daysIn(text: string): FoundDay[] {
  if (!/\d/.test(text)) return [];
  const found: FoundDay[] = [];
  for (const shape of SHAPES) {
    for (const match of text.matchAll(shape)) {
      const term = termOf(match.groups ?? {});
      const begin = match.index;
      const end = begin + match[0].length;
      const isFree = found.every((one) => end <= one.begin || begin >= one.end);
      if (term !== null && isFree) found.push({ term, begin, end });
    }
  }
  return found.toSorted((a, b) => a.begin - b.begin);
}

function termOf(groups: Record<string, string | undefined>): string | null {
  const month = groups.number ?? monthNumber(groups.month ?? "");
  const mm = String(month).padStart(2, "0");
  const { year, day } = groups;
  // A leap year, so that 29 February is a day of some year.
  const whole = `${year ?? "2024"}-${mm}-${(day ?? "1").padStart(2, "0")}`;
  if (parseDay(whole) === null) return null;
  if (day === undefined) return `@${year}-${mm}`;
  return year === undefined ? `@${whole.slice(5)}` : `@${whole}`;
}

function monthNumber(name: string): number {
  const lower = name.toLowerCase();
  return 1 + MONTHS.findIndex((names) => names.some((one) => one === lower));
}
