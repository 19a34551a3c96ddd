/**
 * What a partner earned and was paid. Every change is a function of the balance
 * alone; the verbs save it in the commit of its cause.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type { Commission } from "./commission.ts";
import {
  CARRIED_MONTHS_MAX,
  PENDING_MS,
  STATEMENT_INVOICES_MIN,
  STATEMENT_STEP_CENTS,
} from "./limits.ts";
import {
  addMonths,
  endOfMonthMs,
  laterMonth,
  type Month,
  monthOf,
} from "../month.ts";

/** What moved in a month and is in no statement yet. Cents. */
export interface OpenMonth {
  month: Month;
  /** Commissions of the month. */
  earnedCents: number;
  /** What was taken back of commissions that are in earlier statements. */
  takenBackCents: number;
  /** Invoices that this is of. */
  invoices: number;
}

/** The account of a partner. Cents. */
export interface PartnerBalance {
  /** The partner's account. */
  partnerId: string;
  /** What is in no statement yet, oldest month first. */
  months: readonly OpenMonth[];
  /** What the last statement left for the next one; absent for nothing. */
  restCents?: number;
  /** In statements and not in a payout; below zero what the partner owes. */
  payableCents: number;
  /** In the payout that is open. */
  requestedCents: number;
  /** Paid and not come back. */
  paidCents: number;
  /** The last month that is in a statement. */
  releasedThrough: Month | null;
  /** The last month that is in a payout. */
  requestedThrough: Month | null;
  /** The last month that was paid. */
  paidThrough: Month | null;
  /** Statements so far: numbers them. */
  statements: number;
  /** The payout that is under way: one at a time. */
  openPayoutId: string | null;
}

/** The total of some months of a partner, once it can be told. */
export interface Statement {
  partnerId: string;
  /** Counts from 1. */
  number: number;
  fromMonth: Month;
  throughMonth: Month;
  /** In whole steps; below zero where more was taken back than earned. */
  amountCents: number;
  /** What of it was taken back of earlier ones, cents; never told alone. */
  takenBackCents: number;
  /** Invoices that it is of; never told to the partner. */
  invoices: number;
  releasedAtMs: number;
}

/** The balance of who has earned nothing yet. */
export function emptyBalance(partnerId: string): PartnerBalance {
  return {
    partnerId,
    months: [],
    payableCents: 0,
    requestedCents: 0,
    paidCents: 0,
    releasedThrough: null,
    requestedThrough: null,
    paidThrough: null,
    statements: 0,
    openPayoutId: null,
  };
}

/** What was taken back and is in no statement yet: it is not paid any more. */
export function withheldCents({ months }: PartnerBalance): number {
  return months.reduce((sum, month) => sum + month.takenBackCents, 0);
}

/** Everything the partner has earned, in whatever state it is. */
export function earnedCents(balance: PartnerBalance): number {
  const { months, payableCents, requestedCents, paidCents } = balance;
  const pending = months.reduce((sum, month) => sum + month.earnedCents, 0);
  return pending - withheldCents(balance) + restOf(balance) + payableCents +
    requestedCents + paidCents;
}

function restOf({ restCents = 0 }: PartnerBalance): number {
  return restCents;
}

/**
 * Changes what a commission comes to. In a month that is in no statement yet the
 * total itself changes, which nobody has seen; afterwards the difference is a
 * part of the present month.
 */
export function withCommission(
  balance: PartnerBalance,
  commission: Commission,
  amountCents: number,
  nowMs: number,
): { balance: PartnerBalance; commission: Commission } {
  const changeCents = amountCents - commission.amountCents;
  const { releasedThrough } = balance;
  const isReleased = releasedThrough !== null &&
    commission.month <= releasedThrough;
  const present = presentMonth(balance, nowMs);
  const month = isReleased ? present : commission.month;
  const isTakenBack = isReleased && changeCents < 0;
  const counts = amountCents > 0 || isTakenBack;
  const counted = commission.countedIn === month;
  const months = withOpenMonth(balance.months, month, {
    earnedCents: isTakenBack ? 0 : changeCents,
    takenBackCents: isTakenBack ? -changeCents : 0,
    invoices: Number(counts) - Number(counted),
  });
  const isAgain = isReleased && commission.amountCents === 0;
  return {
    balance: { ...balance, months },
    commission: {
      ...commission,
      amountCents,
      month: isAgain ? present : commission.month,
      countedIn: counts ? month : counted ? null : commission.countedIn,
      changes: commission.changes + 1,
    },
  };
}

/** The month that a new commission belongs to: never one that is told. */
export function presentMonth(
  { releasedThrough }: Pick<PartnerBalance, "releasedThrough">,
  nowMs: number,
): Month {
  const next = releasedThrough && addMonths(releasedThrough, 1);
  return laterMonth(monthOf(nowMs), next);
}

function withOpenMonth(
  months: readonly OpenMonth[],
  month: Month,
  change: Omit<OpenMonth, "month">,
): OpenMonth[] {
  const before = months.find((each) => each.month === month) ??
    { month, earnedCents: 0, takenBackCents: 0, invoices: 0 };
  const after: OpenMonth = {
    month,
    earnedCents: before.earnedCents + change.earnedCents,
    takenBackCents: before.takenBackCents + change.takenBackCents,
    invoices: before.invoices + change.invoices,
  };
  invariant(after.invoices >= 0, `${month} has no fewer invoices than none`);
  const isEmpty = after.earnedCents === 0 && after.takenBackCents === 0 &&
    after.invoices === 0;
  return [
    ...months.filter((each) => each.month < month),
    ...isEmpty ? [] : [after],
    ...months.filter((each) => each.month > month),
  ];
}

/** When every commission of the month has been pending for long enough. */
export function maturesAtMs(month: Month): number {
  return endOfMonthMs(month) + PENDING_MS;
}

/** When the next statement can be made; null while nothing waits for one. */
export function statementDueAtMs({ months }: PartnerBalance): number | null {
  const [oldest] = months;
  if (oldest === undefined) return null;
  const lastMs = maturesAtMs(addMonths(oldest.month, CARRIED_MONTHS_MAX));
  const { through, isEnough } = nextGroup(months);
  return isEnough ? Math.min(maturesAtMs(through.month), lastMs) : lastMs;
}

/** The fewest of the oldest months whose total tells nothing of one invoice. */
function nextGroup(
  months: readonly OpenMonth[],
): { through: OpenMonth; isEnough: boolean } {
  let invoices = 0;
  for (const month of months) {
    invoices += month.invoices;
    if (invoices >= STATEMENT_INVOICES_MIN) {
      return { through: month, isEnough: true };
    }
  }
  const through = months.at(-1);
  invariant(through !== undefined, "a group has a month");
  return { through, isEnough: false };
}

/**
 * What is told of a total: whole steps, of the total less its cover. Where a
 * step begins is so another one each time and nobody's to know: otherwise known
 * amounts, one after the other, would find it, and with it the rest.
 */
function toldCents(cents: number, coverCents: number): number {
  invariant(
    coverCents >= 0 && coverCents < STATEMENT_STEP_CENTS,
    "a cover is less than a step",
  );
  const steps = Math.floor((cents - coverCents) / STATEMENT_STEP_CENTS);
  return cents < 0
    ? steps * STATEMENT_STEP_CENTS
    : Math.max(0, steps) * STATEMENT_STEP_CENTS;
}

/**
 * Makes the next statement, if it is due: what it tells becomes payable.
 *
 * @param coverCents any number of cents below a step, which nobody is told
 */
export function withStatement(
  balance: PartnerBalance,
  nowMs: number,
  coverCents: number,
): { balance: PartnerBalance; statement: Statement } | null {
  const dueAtMs = statementDueAtMs(balance);
  if (dueAtMs === null || dueAtMs > nowMs) return null;
  const { through } = nextGroup(balance.months);
  const taken = balance.months.filter(({ month }) =>
    month <= through.month && maturesAtMs(month) <= nowMs
  );
  const [first] = taken;
  const last = taken.at(-1);
  invariant(first !== undefined && last !== undefined, "a month is over");
  const cents = taken.reduce(
    (sum, each) => sum + each.earnedCents - each.takenBackCents,
    restOf(balance),
  );
  const amountCents = toldCents(cents, coverCents);
  const number = balance.statements + 1;
  return {
    statement: {
      partnerId: balance.partnerId,
      number,
      fromMonth: first.month,
      throughMonth: last.month,
      amountCents,
      takenBackCents: taken.reduce(
        (sum, { takenBackCents }) => sum + takenBackCents,
        0,
      ),
      invoices: taken.reduce((sum, { invoices }) => sum + invoices, 0),
      releasedAtMs: nowMs,
    },
    balance: {
      ...balance,
      months: balance.months.slice(taken.length),
      restCents: cents - amountCents,
      payableCents: balance.payableCents + amountCents,
      releasedThrough: last.month,
      statements: number,
    },
  };
}
