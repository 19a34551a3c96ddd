import { addDays, type Day, dayOf, daysBetween } from "../day.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";

/** Most days that one list of reports is about. */
const REPORT_DAYS_MAX = 366;
/** Days of a list that does not say where it begins. */
const REPORT_DAYS_DEFAULT = 90;

/** The days that a list is about, both ends included. */
export interface DayRange {
  from: Day;
  to: Day;
}

/**
 * The days that are asked for: until today, and from 90 days before, where they
 * are not said.
 *
 * @throws {Refused} `invalid_input` for a range that ends before it begins, or
 * is longer than {@linkcode REPORT_DAYS_MAX} days
 */
export function reportRange(
  asked: { from?: Day | undefined; to?: Day | undefined },
  nowMs: number,
): DayRange {
  const { to = dayOf(nowMs) } = asked;
  const { from = addDays(to, 1 - REPORT_DAYS_DEFAULT) } = asked;
  const days = daysBetween(from, to) + 1;
  if (days < 1) refuseRange("from must not be after to");
  if (days > REPORT_DAYS_MAX) {
    refuseRange(`from and to must span ${REPORT_DAYS_MAX} days at most`);
  }
  return { from, to };
}

/** Which won days are listed. */
export interface ListWonDays extends DayRange {
  accountId: string;
  limit: number;
  /** Only days before this one; null for all. */
  before: Day | null;
}

/** The days that an account won, removed ones included, the newest first. */
export async function listWonDays(
  { store }: Pick<Services, "store">,
  { accountId, from, to, limit, before }: ListWonDays,
): Promise<Spotlight[]> {
  const span = daysBetween(from, to) + 1;
  const all = await store.listSpotlights(addDays(from, -1), { limit: span });
  return all
    .filter((one) => isWonBy(one, accountId) && one.day <= to)
    .filter(({ day }) => before === null || day < before)
    .toReversed()
    .slice(0, limit);
}

/**
 * A day that the account won.
 *
 * @throws {Refused} `not_found`, another's day included
 */
export async function findWonDay(
  { store }: Pick<Services, "store">,
  { accountId, day }: { accountId: string; day: Day },
): Promise<Spotlight> {
  const found = await store.spotlights.find(day);
  if (found !== null && isWonBy(found, accountId)) return found;
  // The same for a day that nobody won and for one that somebody else did.
  const message = `Cannot find a report of ${day}: the account did not win ` +
    `that day, GET /api/v1/spotlights/${day}/metrics sells figures to anyone`;
  refuse({ code: "not_found", message });
}

function isWonBy(
  { accountId, contentType }: Spotlight,
  wanted: string,
): boolean {
  return accountId === wanted && contentType === "paid_advertisement";
}

function refuseRange(wanted: string): never {
  refuse({
    code: "invalid_input",
    message: `Cannot list the reports: ${wanted}`,
  });
}
