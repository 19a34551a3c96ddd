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
import type { AdReport } from "./ad_report.ts";

/** Reports that are read, those that came first. */
const READ_MAX = 500;
/** Spotlights that a page of them has. */
const PAGE_SPOTLIGHTS = 20;

/** A Spotlight, and what was reported of it. */
export interface ReportedSpotlight {
  day: Day;
  /** Oldest first; never empty. */
  reports: readonly AdReport[];
  spotlight: Spotlight | null;
}

/** A page of Spotlights with open reports. */
export interface ReportedPage {
  /** Longest reported first. */
  spotlights: readonly ReportedSpotlight[];
  /** Whether another page follows. */
  hasMore: boolean;
  /** More reports are open than were read. */
  isPartial: boolean;
}

type ReadServices = Pick<Services, "store">;

/** The Spotlights that readers reported, a page at a time, counted from 1. */
export async function readReported(
  services: ReadServices,
  { page }: { page: number },
): Promise<ReportedPage> {
  const { store } = services;
  const { byDay, isPartial } = await openByDay(services);
  const begin = (page - 1) * PAGE_SPOTLIGHTS;
  const shown = [...byDay].slice(begin, begin + PAGE_SPOTLIGHTS);
  const found = await readAll(
    store,
    shown.map(([day]) => store.spotlights.ref(day)),
  );
  return {
    spotlights: shown.map(([day, reports], at) => ({
      day,
      reports,
      spotlight: found[at] ?? null,
    })),
    hasMore: byDay.size > begin + PAGE_SPOTLIGHTS,
    isPartial,
  };
}

/** One of them with the ad that it showed, as that stands by now. */
export interface ReportedDetail {
  day: Day;
  reports: readonly AdReport[];
  spotlight: Spotlight | null;
  /** Null for a house advertisement. */
  creative: Creative | null;
  isPartial: boolean;
}

/** What is reported of a day's Spotlight; its reports may all be closed. */
export async function readReportedDay(
  services: ReadServices,
  { day }: { day: Day },
): Promise<ReportedDetail> {
  const { store } = services;
  const [{ byDay, isPartial }, spotlight] = await Promise.all([
    openByDay(services),
    store.spotlights.find(day),
  ]);
  const { accountId = null, adId = null } = spotlight ?? {};
  const creative = accountId === null || adId === null
    ? null
    : await store.creatives.find(accountId, adId);
  const reports = byDay.get(day) ?? [];
  return { day, reports, spotlight, creative, isPartial };
}

async function openByDay(
  { store }: ReadServices,
): Promise<{ byDay: Map<Day, AdReport[]>; isPartial: boolean }> {
  const open = await store.listOpenAdReports({ limit: READ_MAX });
  const byDay = new Map<Day, AdReport[]>();
  for (const report of open) {
    const others = byDay.get(report.day);
    if (others === undefined) byDay.set(report.day, [report]);
    else others.push(report);
  }
  return { byDay, isPartial: open.length === READ_MAX };
}
