/**
 * What readers reported and nobody has closed, by the Spotlight that it is about.
 *
 * @module
 */
import type { Day } from "../day.ts";
import type { Creative } from "../creatives/creative.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { type AdReport, REPORTS_OPEN_MAX } from "./ad_report.ts";

/** Spotlights that a page of them has. */
const PAGE_SPOTLIGHTS = 20;
/** Reports of each that such a page counts. */
export const COUNTED_MAX = 20;

/** A Spotlight, and what was reported of it. */
export interface ReportedSpotlight {
  day: Day;
  /** Oldest first, as many as were wanted of each at most; never empty. */
  reports: readonly AdReport[];
  spotlight: Spotlight | null;
}

/** A page of Spotlights with open reports. */
export interface ReportedPage {
  /**
   * The newest day first: whatever is reported of earlier days, and anybody may,
   * what readers are shown now is at the top.
   */
  spotlights: readonly ReportedSpotlight[];
  /** Before which day the next page goes on; null where none follows. */
  nextBefore: Day | null;
}

type ReadServices = Pick<Services, "store">;

/** The Spotlights that readers reported, a page at a time. */
export async function readReported(
  { store }: ReadServices,
  { before, limit = COUNTED_MAX }: {
    before: Day | null;
    /** Reports of each, so that many of one hide none of another. */
    limit?: number;
  },
): Promise<ReportedPage> {
  const days = await reportedDays({ store }, before, PAGE_SPOTLIGHTS + 1);
  const shown = days.slice(0, PAGE_SPOTLIGHTS);
  const [found, ...reports] = await Promise.all([
    readAll(store, shown.map((day) => store.spotlights.ref(day))),
    ...shown.map((day) => store.listOpenReportsOf(day, { limit })),
  ]);
  return {
    spotlights: shown.map((day, at) => ({
      day,
      reports: reports[at] ?? [],
      spotlight: found[at] ?? null,
    })),
    nextBefore: days.length > shown.length ? shown.at(-1) ?? null : null,
  };
}

/** Days with open reports, the newest first: one is asked for after another. */
async function reportedDays(
  { store }: ReadServices,
  before: Day | null,
  max: number,
): Promise<Day[]> {
  const days: Day[] = [];
  while (days.length < max) {
    const end = days.at(-1) ?? before;
    const [last] = await store.listLastOpenReports({ before: end, limit: 1 });
    if (last === undefined) break;
    days.push(last.day);
  }
  return days;
}

/** One of them with the ad that it showed, as that stands by now. */
export interface ReportedDetail {
  day: Day;
  reports: readonly AdReport[];
  spotlight: Spotlight | null;
  /** Null for a house advertisement. */
  creative: Creative | null;
}

/** What is reported of a day's Spotlight; its reports may all be closed. */
export async function readReportedDay(
  { store }: ReadServices,
  { day }: { day: Day },
): Promise<ReportedDetail> {
  const [reports, spotlight] = await Promise.all([
    store.listOpenReportsOf(day, { limit: REPORTS_OPEN_MAX }),
    store.spotlights.find(day),
  ]);
  const { accountId = null, adId = null } = spotlight ?? {};
  const creative = accountId === null || adId === null
    ? null
    : await store.creatives.find(accountId, adId);
  return { day, reports, spotlight, creative };
}
