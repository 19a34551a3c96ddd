/**
 * Days in texts and queries, however they are written: "2026-01-05",
 * 20260105, 5 January 2026, Jan 5th, 2026, 05.01.2026, 5/1/2026, 5 January,
 * January 2026, January. Relative words ("yesterday") are no
 * days: the same query always means the same. An impossible day is taken for
 * its month.
 *
 * @module
 */
import { type Day, parseDay } from "../../domain/day.ts";

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

/** Some put the day first, some the month. */
const BETWEEN_SLASHES =
  `(?<either>\\d{1,2})/(?<other>\\d{1,2})/(?<year>\\d{4})`;
/** Short names and "may" are other words, too. */
const MONTH_ALONE = `(?<month>${
  MONTHS.map(([name]) => name).filter((name) => name !== "may").join("|")
}|sept)\\.?`;

/** The more exact a way of writing, the earlier it is tried. */
const SHAPES = shapes([
  `(?<year>\\d{4})[-/.](?<number>\\d{1,2})[-/.](?<day>\\d{1,2})`,
  `(?<year>\\d{4})(?<number>\\d{2})(?<day>\\d{2})`,
  BETWEEN_SLASHES,
  `(?<day>\\d{1,2})\\.\\s?(?<number>\\d{1,2})\\.\\s?(?<year>\\d{4})`,
  `${DAY}\\.?(?:\\s+of)?\\s+${MONTH},?\\s+${YEAR}`,
  `${MONTH}\\s+${DAY},?\\s+${YEAR}`,
  `${MONTH},?\\s+${YEAR}`,
  `(?<year>\\d{4})-(?<number>\\d{2})`,
  `${DAY}\\.?(?:\\s+of)?\\s+${MONTH}`,
  `${MONTH}\\s+${DAY}`,
  MONTH_ALONE,
]);
const SHAPES_WITHOUT_DIGITS = shapes([MONTH_ALONE]);

function shapes(sources: readonly string[]): RegExp[] {
  return sources.map((source) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, "giu")
  );
}

/** A day or a month, of some year or of any, found in a text. */
export interface FoundDay {
  /** What the index knows it by; see `dayTerms`. */
  readonly term: string;
  /** Where it stands. */
  readonly begin: number;
  readonly end: number;
}

/**
 * What a day is found by: itself, its month, the same day of any year, its
 * year, the same month of any year.
 */
export function dayTerms(day: Day): string[] {
  const [year = "", month = "", date = ""] = day.split("-");
  return [
    `@${year}-${month}-${date}`,
    `@${year}-${month}`,
    `@${month}-${date}`,
    year,
    `@${month}`,
  ];
}

/**
 * The days of a text, in its order. No two of them overlap, but for the two
 * that "9/11/2026" may be.
 */
export function daysIn(text: string): FoundDay[] {
  const found: FoundDay[] = [];
  for (const shape of /\d/.test(text) ? SHAPES : SHAPES_WITHOUT_DIGITS) {
    for (const match of text.matchAll(shape)) {
      const begin = match.index;
      const end = begin + match[0].length;
      const isFree = found.every((one) => end <= one.begin || begin >= one.end);
      if (!isFree) continue;
      const terms = readingsOf(match.groups ?? {});
      found.push(...[...terms].map((term) => ({ term, begin, end })));
    }
  }
  return found.toSorted((a, b) => a.begin - b.begin);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readingsOf(groups: Groups): Set<string> {
  const { year, either, other } = groups;
  const readings: Groups[] = either === undefined ? [groups] : [
    { year, day: either, number: other },
    { year, day: other, number: either },
  ];
  return new Set(
    readings.map(termOf).filter((term) => term !== null),
  );
}

function termOf(groups: Groups): string | null {
  const month = groups.number ?? monthNumber(groups.month ?? "");
  const mm = String(month).padStart(2, "0");
  const { year, day } = groups;
  // A leap year, so that 29 February is a day of some year.
  const whole = `${year ?? "2024"}-${mm}-${(day ?? "1").padStart(2, "0")}`;
  if (parseDay(whole) === null) return null;
  if (day === undefined) {
    return year === undefined ? `@${mm}` : `@${year}-${mm}`;
  }
  return year === undefined ? `@${whole.slice(5)}` : `@${whole}`;
}

function monthNumber(name: string): number {
  const lower = name.toLowerCase();
  return 1 + MONTHS.findIndex((names) => names.some((one) => one === lower));
}
