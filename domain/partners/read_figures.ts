import { readAll } from "../read_all.ts";
import type { Services } from "../ports.ts";
import { addMonths, type Month, monthOf, monthsBack } from "../month.ts";
import {
  emptyBalance,
  maturesAtMs,
  type PartnerBalance,
  type Statement,
} from "./partner_balance.ts";

/** More statements than there are months that anybody pages through. */
const STATEMENTS_MAX = 600;

/** What a partner sees of one month that is over. */
export interface MonthFigures {
  month: Month;
  /** Sign-ups by its links that it was credited with. */
  signUps: number;
  /**
   * What its commissions come to, cents; null while that is not told, and in a
   * month whose total is told with a later one's.
   */
  commissionCents: number | null;
  /** The first month that the total is of; null where there is none. */
  fromMonth: Month | null;
  /** The month whose total this one is in; null while it is in none. */
  reportedIn: Month | null;
}

/** The balance of a partner as it stands. */
export async function readBalance(
  { store }: Pick<Services, "store">,
  partnerId: string,
): Promise<PartnerBalance> {
  return await store.partnerBalances.find(partnerId) ?? emptyBalance(partnerId);
}

/**
 * The months of a partner that are over, newest first: from its first link on.
 * A month's total is told once its statement was made, and alone then: from
 * earlier ones a single invoice could be told.
 *
 * @param before only earlier months; null for all
 */
export async function readMonths(
  { store, clock }: Pick<Services, "store" | "clock">,
  partnerId: string,
  { limit, before }: { limit: number; before: Month | null },
): Promise<MonthFigures[]> {
  const [first] = await store.listReferralLinks(partnerId, { limit: 1 });
  if (first === undefined) return [];
  const nowMs = clock.now();
  const lastOver = addMonths(monthOf(nowMs), -1);
  const newest = before === null || addMonths(before, -1) > lastOver
    ? lastOver
    : addMonths(before, -1);
  const months = monthsBack(newest, monthOf(first.createdAtMs), limit);
  const [balance, statements, signUps] = await Promise.all([
    readBalance({ store }, partnerId),
    store.listStatements(partnerId, { limit: STATEMENTS_MAX, reverse: true }),
    readAll(
      store,
      months.map((each) => store.signUpCounts.ref(partnerId, each)),
    ),
  ]);
  return months.map((month, at) => ({
    month,
    signUps: signUps[at] ?? 0,
    ...toldOf(month, balance, statements, nowMs),
  }));
}

function toldOf(
  month: Month,
  { months }: PartnerBalance,
  statements: readonly Statement[],
  nowMs: number,
): Pick<MonthFigures, "commissionCents" | "fromMonth" | "reportedIn"> {
  const statement = statements.find(({ fromMonth, throughMonth }) =>
    fromMonth <= month && month <= throughMonth
  );
  if (statement !== undefined) {
    const { fromMonth, throughMonth, amountCents } = statement;
    return throughMonth === month
      ? { commissionCents: amountCents, fromMonth, reportedIn: month }
      : { commissionCents: null, fromMonth: null, reportedIn: throughMonth };
  }
  const isOpen = maturesAtMs(month) > nowMs ||
    months.some((each) => each.month <= month);
  return isOpen
    ? { commissionCents: null, fromMonth: null, reportedIn: null }
    : { commissionCents: 0, fromMonth: month, reportedIn: month };
}
