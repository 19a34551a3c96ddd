import {
  type ClickCount,
  type ClickDimension,
  type ClickOutcome,
  hourOf,
} from "../../domain/clicks/click.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { type Chance, chanceOf } from "./chance.ts";

const HOUR_MS = 3_600_000;
/** Hours in which a Spotlight is clicked, a few after it left its place. */
const HOURS = 32;
/** Mean human clicks in the best hour of a paid day. */
const BEST_HOUR_CLICKS = 42;

/** Clicks of each UTC hour against those of the best, in percent. */
const DAILY_CURVE = [
  [18, 12, 9, 8, 9, 14, 28, 52, 76, 92, 97, 100],
  [94, 96, 98, 95, 90, 84, 80, 78, 72, 58, 42, 28],
].flat();

/** Where readers are, in parts of a hundred; the rest is not known. */
const COUNTRIES: readonly (readonly [country: string, percent: number])[] = [
  ["DE", 21],
  ["US", 13],
  ["FR", 9],
  ["LV", 8],
  ["PL", 7],
  ["NL", 6],
  ["GB", 6],
  ["ES", 5],
  ["IT", 5],
  ["EE", 4],
  ["LT", 4],
  ["SE", 3],
  ["AT", 2],
  ["IN", 2],
  ["FI", 1],
  ["CZ", 1],
  ["CH", 1],
  ["BR", 1],
];

/** What else asks, for each hundred human clicks. */
const OTHERS: readonly (readonly [ClickOutcome, from: number, to: number])[] = [
  ["bot", 18, 34],
  ["prefetch", 6, 14],
  ["repeat", 5, 11],
  ["ai_fetcher", 4, 10],
  ["preview", 2, 6],
  ["head", 1, 3],
  ["no_user_agent", 0, 2],
  ["embedded", 0, 1],
];

/**
 * Believable figures of a day, up to `nowMs`, as counting would have left them:
 * hours add up to the human clicks, countries to a little less.
 */
export function demoClicks(
  seed: string,
  { day, settledAtMs, contentType }: Spotlight,
  nowMs: number,
): ClickCount[] {
  const chance = chanceOf(`${seed}|clicks|${day}`);
  const isPaid = contentType === "paid_advertisement";
  const popularity = chance.integer(45, 130) * (isPaid ? 1 : 0.3);
  const hours = hourCounts(chance, settledAtMs, nowMs, popularity);
  const human = hours.reduce((sum, { count }) => sum + count, 0);
  const outcomes = OTHERS.map(([value, from, to]) =>
    counted("outcome", value, human * chance.integer(from, to) / 100)
  );
  const countries = COUNTRIES.map(([country, percent]) =>
    counted("country", country, human * percent / 100)
  );
  return [
    counted("outcome", "human", human),
    ...outcomes,
    ...hours,
    ...countries,
  ].filter(({ count }) => count > 0);
}

function hourCounts(
  chance: Chance,
  settledAtMs: number,
  nowMs: number,
  popularity: number,
): ClickCount[] {
  return Array.from({ length: HOURS }, (_, nth) => {
    const atMs = settledAtMs + nth * HOUR_MS;
    const hour = new Date(atMs).getUTCHours();
    // The next one has taken its place by then.
    const share = nth <= 24 ? popularity : popularity / 20;
    const best = BEST_HOUR_CLICKS * (DAILY_CURVE[hour] ?? 0) / 100;
    const jitter = chance.integer(75, 125) / 100;
    const count = atMs > nowMs ? 0 : best * jitter * share / 100;
    return counted("hour", hourOf(atMs), count);
  });
}

function counted(
  dimension: ClickDimension,
  value: string,
  count: number,
): ClickCount {
  return { dimension, value, count: Math.floor(count) };
}
