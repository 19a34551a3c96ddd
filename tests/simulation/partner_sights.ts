/**
 * What partners are shown, looked at every day: no figure moves but by a
 * statement or a payout, and no amount of one invoice can be told from any.
 *
 * @module
 */
import {
  CARRIED_MONTHS_MAX,
  STATEMENT_INVOICES_MIN,
  STATEMENT_STEP_CENTS,
} from "../../domain/partners/limits.ts";
import {
  maturesAtMs,
  type PartnerBalance,
  type Statement,
} from "../../domain/partners/partner_balance.ts";
import {
  type MonthFigures,
  readBalance,
  readMonths,
} from "../../domain/partners/read_figures.ts";
import { addMonths } from "../../domain/month.ts";
import { ALL } from "./facts.ts";
import { PARTNERS } from "./people.ts";
import type { Life, Shown } from "./world.ts";

/** More months than a life has. */
const MONTHS = { limit: 24, before: null };
/** A commission is known to no less than this, by who knows all others, cents. */
const UNKNOWN_CENTS_MIN = 100;

/** Every partner looks at all of its figures. */
export async function lookAtFigures(life: Life): Promise<void> {
  const { services, people, shown, broken } = life;
  for (const { accountId } of people.slice(0, PARTNERS)) {
    const [balance, months, statements] = await Promise.all([
      readBalance(services, accountId),
      readMonths(services, accountId, MONTHS),
      services.store.listStatements(accountId, ALL),
    ]);
    const before = shown.get(accountId);
    const now = shownOf(balance, statements, before);
    shown.set(accountId, now);
    const wrong = [
      ...addUp(balance, months, statements),
      ...early(months, services.clock.now()),
      ...statements.flatMap(tellsOfFew),
      ...paidAhead(now, before),
      ...narrowed(now),
    ];
    broken.push(...wrong.map((what) => `${accountId} ${what}`));
  }
}

function shownOf(
  { payableCents, restCents = 0 }: PartnerBalance,
  { length }: readonly Statement[],
  before: Shown | undefined,
): Shown {
  const known = before?.restsCents ?? [];
  const isNew = length > (before?.statements ?? 0);
  const restsCents = isNew ? [...known, restCents] : known;
  return { statements: length, payableCents, restsCents };
}

/** The balance, the months and the statements say one and the same. */
function addUp(
  { payableCents, requestedCents, paidCents }: PartnerBalance,
  months: readonly MonthFigures[],
  statements: readonly Statement[],
): string[] {
  const told = sum(statements.map(({ amountCents }) => amountCents));
  const sums = [
    payableCents + requestedCents + paidCents,
    // Who was erased has no months any more.
    ...months.length === 0
      ? []
      : [sum(months.map(({ commissionCents }) => commissionCents ?? 0))],
  ];
  return sums.every((each) => each === told)
    ? []
    : [`is shown ${sums.join(" and ")} cents, its statements tell ${told}`];
}

function early(months: readonly MonthFigures[], nowMs: number): string[] {
  return months
    .filter(({ month, commissionCents }) =>
      commissionCents !== null && maturesAtMs(month) > nowMs
    )
    .map(({ month }) => `is told of ${month} too early`);
}

/** A statement is of several invoices, unless it waited for a year, in steps. */
function tellsOfFew(
  { number, amountCents, invoices, fromMonth, releasedAtMs }: Statement,
): string[] {
  const carriedUntilMs = maturesAtMs(addMonths(fromMonth, CARRIED_MONTHS_MAX));
  const isOfFew = invoices < STATEMENT_INVOICES_MIN &&
    releasedAtMs < carriedUntilMs;
  return [
    ...isOfFew ? [`has the statement ${number} of ${invoices} invoices`] : [],
    ...amountCents % STATEMENT_STEP_CENTS === 0
      ? []
      : [`is told ${amountCents}, which is no whole step`],
  ];
}

/** Below zero comes who was paid only by a statement of what was taken back. */
function paidAhead(now: Shown, before: Shown | undefined): string[] {
  const isLess = now.payableCents < Math.min(0, before?.payableCents ?? 0);
  return isLess && now.statements === (before?.statements ?? 0)
    ? [`was paid more than it was told: ${now.payableCents}`]
    : [];
}

/**
 * What a partner can work out of one commission that knows all others: after each
 * statement it is what was told and is not known, and up to two steps more.
 */
function narrowed({ restsCents }: Shown): string[] {
  if (restsCents.length === 0) return [];
  const [least, most] = [Math.min(...restsCents), Math.max(...restsCents)];
  const unknownCents = 2 * STATEMENT_STEP_CENTS - (most - least);
  const isOutside = least < 0 || most >= 2 * STATEMENT_STEP_CENTS;
  return isOutside || unknownCents < UNKNOWN_CENTS_MIN
    ? [`can tell a commission: the rests are ${restsCents.join(", ")}`]
    : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
