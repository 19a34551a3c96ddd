import type { LedgerAccount } from "../ledger/entry.ts";
import type { Month } from "../month.ts";

/** What each account of the books held at the end of a month, cents. */
export type Balances = Readonly<Partial<Record<LedgerAccount, number>>>;

/** A month that is over, so that no earlier one has to be added up again. */
export interface MonthBalances {
  month: Month;
  /** At its end; accounts that hold nothing are left out. */
  closing: Balances;
  /** When it was kept; absent in rows of earlier versions. */
  keptAtMs?: number;
}
