/**
 * The accounts of the books. Debits are positive, credits negative.
 *
 * `processor_clearing` is what the processor holds for us; `disputed_funds` what
 * it holds back until a dispute is decided; `refunds_due` what we took and have
 * to give back; `vat_payable` the VAT contained in what buyers paid, which is
 * owed to the states; `commission_expense` what partners earned of our sales;
 * `partner_payable` what of that is owed to them; `demo_clearing` the make-believe money of demo data, of
 * which the processor knows nothing.
 */
export const LEDGER_ACCOUNTS = [
  "processor_clearing",
  "disputed_funds",
  "spotlight_revenue",
  "metrics_revenue",
  "vat_payable",
  "refunds_due",
  "dispute_losses",
  "commission_expense",
  "partner_payable",
  "demo_clearing",
] as const;

/** One account of the books. */
export type LedgerAccount = typeof LEDGER_ACCOUNTS[number];

/** Amounts by account; accounts that are left out do not move. */
export type Movement = Partial<Record<LedgerAccount, number>>;

/** One side of an entry, integer cents. */
export interface LedgerLine {
  account: LedgerAccount;
  amountCents: number;
}

/** One balanced, append-only entry: its lines sum to zero. */
export interface LedgerEntry {
  /** Derived from what it books, so that nothing can be booked twice. */
  id: string;
  atMs: number;
  /** What it books, such as `settlement:2026-11-20`. */
  reason: string;
  kind:
    | "sale"
    | "late_payment"
    | "refund"
    | "dispute"
    | "commission"
    | "payout";
  /**
   * The processor's payment, or transfer to a partner, whose money moved, by
   * which the books are compared with the processor's; of a commission the
   * payment that it is of. Null in demo data.
   */
  paymentId: string | null;
  lines: readonly LedgerLine[];
}

/** Where an entry stands among all, by time. */
export type EntryPlace = Pick<LedgerEntry, "atMs" | "id">;
