import { readDayClicks } from "../clicks/day_clicks.ts";
import type { Day } from "../day.ts";
import { groupsOf } from "../groups.ts";
import type { Services } from "../ports.ts";
import type { PublicSnapshot } from "../spotlights/public_snapshot.ts";

/** Paid days that the median is of, at most. */
const MEDIAN_DAYS = 30;
/** Of fewer it would be the figure of a single day, or nearly. */
const MEDIAN_DAYS_MIN = 5;
/** The newest days are not final, so some more are looked at. */
const LOOKED_AT = MEDIAN_DAYS + 5;
/** Days that are read at once. */
const AT_ONCE = 5;

/** What readers a day has: the median of human clicks, and of how many days. */
export interface MedianClicks {
  humanClicks: number;
  days: number;
}

/**
 * Tells the median human clicks of the last 30 paid days whose figures are
 * final; null while they are too few. It is read once and remembered until
 * another day settles, one answer and no more: whoever asks meanwhile waits for
 * the same reading. One that failed is forgotten.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export function medianClicksReader(
  services: Pick<Services, "store" | "clock">,
): (snapshot: PublicSnapshot) => Promise<MedianClicks | null> {
  let known: {
    through: Day | null;
    median: Promise<MedianClicks | null>;
  } | null = null;
  return (snapshot) => {
    const through = snapshot.newestSettledDay;
    if (known?.through === through) return known.median;
    const reading = { through, median: readMedian(services, snapshot) };
    known = reading;
    reading.median.catch(() => {
      if (known === reading) known = null;
    });
    return reading.median;
  };
}

async function readMedian(
  services: Pick<Services, "store" | "clock">,
  { records }: PublicSnapshot,
): Promise<MedianClicks | null> {
  const paid = records
    .filter(({ contentType }) => contentType === "paid_advertisement")
    .slice(-LOOKED_AT)
    .toReversed();
  const final: number[] = [];
  for (const some of groupsOf(paid, AT_ONCE)) {
    const read = some.map(({ day }) => readDayClicks(services, day));
    for (const clicks of await Promise.all(read)) {
      if (clicks.final) final.push(clicks.humanClicks);
    }
  }
  const days = final.slice(0, MEDIAN_DAYS);
  if (days.length < MEDIAN_DAYS_MIN) return null;
  return { humanClicks: medianOf(days), days: days.length };
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.slice(
    Math.ceil(sorted.length / 2) - 1,
    Math.floor(sorted.length / 2) + 1,
  );
  return Math.round(middle.reduce((sum, one) => sum + one, 0) / middle.length);
}
