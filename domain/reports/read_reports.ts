import {
  CLICK_OUTCOMES,
  type ClickCount,
  type ClickDimension,
  type ClickOutcome,
} from "../clicks/click.ts";
import {
  type DayClicks,
  readDayClicks,
  readDayCounts,
  totalsOf,
} from "../clicks/day_clicks.ts";
import type { Day } from "../day.ts";
import { keptOf } from "../payments/returned.ts";
import type { Services, Store } from "../ports.ts";
import { groupsOf } from "../groups.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { type Counted, hideFew, type Published } from "./hide_few.ts";
import { findWonDay, type ListWonDays, listWonDays } from "./won_days.ts";

/** Stands for a country that is not known. */
export const UNKNOWN_COUNTRY = "";

/** A day that was won, in one line. */
export interface ReportLine extends DayClicks {
  day: Day;
  /** What was advertised; not for agents, who are told no copy. */
  headline: string;
  spend: Spend;
  /** When an operator removed its Spotlight; null where nobody did. */
  removedAtMs: number | null;
  /** Why, in the operator's words; null where nobody did, or none are left. */
  removalReason: string | null;
}

/** All there is about a day that was won. */
export interface Report extends ReportLine {
  /** Requests by what they were; the prefetches among them are no clicks. */
  byOutcome: Readonly<Record<ClickOutcome, number>>;
  /** Human clicks by UTC hour, `2026-11-20T13`. */
  byHour: Published;
  /**
   * Human clicks by country, ISO 3166-1 alpha-2, {@linkcode UNKNOWN_COUNTRY}
   * where it is not known; null until final.
   */
  byCountry: Published | null;
}

type ReportServices = Pick<Services, "store" | "clock">;

/** Days that are read at once. */
const AT_ONCE = 5;

/** What an account's won days came to, the newest first. */
export async function listReports(
  services: ReportServices,
  input: ListWonDays,
): Promise<ReportLine[]> {
  const days = await listWonDays(services, input);
  const lines: ReportLine[] = [];
  for (const some of groupsOf(days, AT_ONCE)) {
    const read = some.map(async (spotlight) => ({
      ...await readDayClicks(services, spotlight.day),
      ...await factsOf(services, input.accountId, spotlight),
    }));
    lines.push(...await Promise.all(read));
  }
  return lines;
}

/**
 * The report of a day that the account won. Countries are told once the figures
 * are final: of figures that grow, two readings differ by single people.
 *
 * @throws {Refused} `not_found`, another's day included
 */
export async function readReport(
  services: ReportServices,
  input: { accountId: string; day: Day },
): Promise<Report> {
  const spotlight = await findWonDay(services, input);
  const [facts, { counts, final }] = await Promise.all([
    factsOf(services, input.accountId, spotlight),
    readDayCounts(services, input.day),
  ]);
  const totals = totalsOf(counts);
  const { humanClicks } = totals;
  const hours = hideFew(countedBy(counts, "hour"));
  return {
    ...facts,
    ...totals,
    final,
    byOutcome: outcomesOf(counts),
    byHour: { ...hours, shown: hours.shown.toSorted(byValue) },
    byCountry: final ? hideFew(countriesOf(counts, humanClicks)) : null,
  };
}

async function factsOf(
  { store }: ReportServices,
  accountId: string,
  { day, headline, removedAtMs, removalReason }: Spotlight,
): Promise<Omit<ReportLine, keyof DayClicks>> {
  const spend = await readSpend(store, { accountId, day });
  return { day, headline, spend, removedAtMs, removalReason };
}

function countedBy(
  counts: readonly ClickCount[],
  wanted: ClickDimension,
): Counted[] {
  return counts.filter(({ dimension }) => dimension === wanted);
}

/** Those whose country is not known are counted as one more country. */
function countriesOf(
  counts: readonly ClickCount[],
  humanClicks: number,
): Counted[] {
  const known = countedBy(counts, "country");
  const rest = humanClicks - known.reduce((sum, { count }) => sum + count, 0);
  return [...known, { value: UNKNOWN_COUNTRY, count: rest }];
}

function outcomesOf(
  counts: readonly ClickCount[],
): Record<ClickOutcome, number> {
  const found = new Map(
    countedBy(counts, "outcome").map(({ value, count }) => [value, count]),
  );
  return Object.fromEntries(
    CLICK_OUTCOMES.map((outcome) => [outcome, found.get(outcome) ?? 0]),
  ) as Record<ClickOutcome, number>;
}

function byValue(a: Counted, b: Counted): number {
  return a.value < b.value ? -1 : 1;
}

/** What a day that was won cost. */
export interface Spend {
  /** What was charged: the amount of the bid. Cents. */
  totalCents: number;
  /** What went back of it for good, by refund or dispute. Cents. */
  refundedCents: number;
  /** The invoice; null where none is recorded. */
  invoiceNumber: string | null;
}

/** What an account paid for a day it won: the bid, and its invoice. */
async function readSpend(
  store: Pick<Store, "getMany" | "bids" | "settlements" | "invoices">,
  { accountId, day }: { accountId: string; day: Day },
): Promise<Spend> {
  const [bid, settlement] = await store.getMany([
    store.bids.ref(day, accountId),
    store.settlements.ref(day),
  ]);
  const won = settlement?.candidates.find((candidate) =>
    candidate.step === "won" && candidate.accountId === accountId
  );
  const invoiceId = won?.invoiceId ?? null;
  const invoice = invoiceId && await store.invoices.find(invoiceId);
  if (!invoice) {
    const totalCents = bid?.amountCents ?? 0;
    return { totalCents, refundedCents: 0, invoiceNumber: null };
  }
  const { totalCents, number: invoiceNumber } = invoice;
  const refundedCents = totalCents - keptOf(totalCents, invoice);
  return { totalCents, refundedCents, invoiceNumber };
}
