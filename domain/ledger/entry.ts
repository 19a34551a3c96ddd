/** The accounts of the books. Debits are positive, credits negative. */
export type LedgerAccount =
  | "processor_clearing"
  | "spotlight_revenue"
  | "metrics_revenue"
  /** VAT that was contained in what buyers paid and is owed to the states. */
  | "vat_payable"
  | "refunds";

/** One balanced, append-only entry: its lines sum to zero. */
export interface LedgerEntry {
  id: string;
  atMs: number;
  /** What it books, such as `settlement:2026-11-20`. */
  reason: string;
  lines: readonly { account: LedgerAccount; amountCents: number }[];
}
