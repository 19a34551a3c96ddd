import type { Day } from "../day.ts";

/** Where our books and the processor's, or the archive, do not agree. */
export type Difference =
  /** The processor moved money that we have not booked. */
  | {
    kind: "not_booked";
    /** It is of a payout to a partner. */
    isTransfer?: true;
    movementId: string;
    paymentId: string | null;
    amountCents: number;
    /** Where the movement is that of a refund that came back. */
    failedRefundId?: string;
  }
  /** We booked money that the processor has not moved. */
  | {
    kind: "not_moved";
    entryId: string;
    paymentId: string | null;
    amountCents: number;
  }
  /** An entry does not sum to zero. */
  | { kind: "unbalanced"; entryId: string; amountCents: number }
  /** The processor finalised an invoice that we do not know. */
  | { kind: "invoice_unknown"; invoiceId: string; number: string }
  /** An invoice has another state, total or number at the processor. */
  | {
    kind: "invoice_differs";
    invoiceId: string;
    number: string;
    ours: string;
    theirs: string;
  }
  /** A number between two others was given to no invoice we know. */
  | { kind: "number_missing"; number: string }
  /** A document is not in the archive, a day after it was made. */
  | { kind: "not_archived"; number: string }
  /** Two documents of the archive have the same number. */
  | { kind: "number_repeated"; number: string }
  /** An invoice of a referred advertiser brings another commission than it has. */
  | { kind: "commission_uncounted"; commissionOf: string; id: string }
  /** A commission comes to more than is booked of it, or less. */
  | { kind: "commission_not_booked"; commissionOf: string; amountCents: number }
  /** A partner's balance is more than its commissions, or less. */
  | { kind: "partner_differs"; partnerId: string; amountCents: number }
  /** A partner's payouts come to more than its balance says, or less. */
  | { kind: "payouts_differ"; partnerId: string; amountCents: number }
  /** There is more than one comparison reads, so the day is not all compared. */
  | { kind: "not_fully_compared"; what: ComparedPart };

/** What one comparison reads up to a bound. */
export type ComparedPart =
  | "commissions"
  | "disputes"
  | "entries"
  | "entries_of_payment"
  | "invoices"
  | "movements"
  | "numbers";

/** The greatest number of one series of invoices. */
export interface LastNumber {
  /** What comes before the digits at the end. */
  prefix: string;
  value: number;
  /** Digits as written, zeros before the value included. */
  width: number;
}

/** What comparing one UTC day came to. */
export interface Reconciliation {
  day: Day;
  ranAtMs: number;
  /** What was compared. */
  movements: number;
  entries: number;
  invoices: number;
  /** The first of them; the rest is counted. */
  differences: readonly Difference[];
  moreDifferences: number;
  /**
   * How far each series of numbers had come by the end of the day, from where
   * the next comparison goes on. Reports of before this was kept have none.
   */
  lastNumbers?: readonly LastNumber[];
}

/** How far the nightly comparing has come. */
export interface ReconciliationProgress {
  /** Every day before it was compared, or lies before the first run ever. */
  nextDay: Day;
}

/** Differences a report names. */
export const DIFFERENCES_NAMED = 100;
