import { readDayClicks } from "../clicks/day_clicks.ts";
import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { METRICS_PRICE_CENTS } from "./metrics_payment.ts";

/** The figures of a day, and what was paid for them (contract §4.1). */
export interface MetricsReport {
  data: {
    day: Day;
    clicks: number;
    human_clicks: number;
    countries: number;
  };
  /** What was paid, as in the challenge (contract §4.2). */
  paid: { cents: number; currency: "eur" };
}

/** A report as it was read, and whether it can ever be another one. */
export interface MetricsReading {
  report: MetricsReport;
  /** Told in the header `Metrics-Final` (contract §4.1). */
  isFinal: boolean;
}

/** Whether a day's figures are for sale, house days too (contract §4.1). */
export function isOnSale(spotlight: Spotlight | null): boolean {
  return spotlight !== null && spotlight.removedAtMs === null;
}

/**
 * A day's figures as they are sold, counted so far or final.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function readMetricsReport(
  services: Pick<Services, "store" | "clock">,
  day: Day,
): Promise<MetricsReading> {
  const { clicks, humanClicks, countries, final } = await readDayClicks(
    services,
    day,
  );
  const report: MetricsReport = {
    data: { day, clicks, human_clicks: humanClicks, countries },
    paid: { cents: METRICS_PRICE_CENTS, currency: "eur" },
  };
  return { report, isFinal: final };
}
