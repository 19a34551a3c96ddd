import type { Day } from "../day.ts";
import type { Returned } from "../payments/returned.ts";
import type { TransitionTable } from "../state_machine.ts";
import { isDue } from "../tasks/due.ts";

/** The state of a finalised invoice, as the processor has it. */
export type InvoiceState = "open" | "paid" | "uncollectible" | "void";

/** A number once given is never taken back, so there is no way to a draft. */
export const INVOICE_STATES: TransitionTable<InvoiceState> = {
  open: ["paid", "uncollectible", "void"],
  uncollectible: ["paid", "void"],
  paid: [],
  void: [],
};

/**
 * What became of the money. `sold`: it is ours, or what disputes left of it.
 * `unearned`: it came though the bid had been passed over. `refund_failed`: it
 * is to be given back, which only a person can bring about. `written_off`:
 * disputes took all of it.
 */
export type InvoiceMoney =
  | "none"
  | "sold"
  | "unearned"
  | "refunding"
  | "refund_failed"
  | "refunded"
  | "written_off";

/** The way of the money of one invoice. */
export const INVOICE_MONEY: TransitionTable<InvoiceMoney> = {
  none: ["sold", "unearned"],
  sold: ["refunding", "written_off"],
  unearned: ["refunding", "written_off"],
  refunding: ["refunded", "refund_failed", "written_off"],
  refund_failed: ["refunding", "refunded", "written_off"],
  // What a bank had taken of it comes back on appeal.
  refunded: ["refunding", "refund_failed"],
  // A lost dispute may be won on appeal.
  written_off: ["sold", "refunding", "refund_failed"],
};

/** Why an invoice's money is given back. */
export type InvoiceRefundReason =
  /** It was paid after its bid had been passed over. */
  | "late_payment"
  /** An operator decided so. */
  | "operator";

/** A finalised invoice of ours; the processor made it and numbered it. */
export interface Invoice extends Returned {
  /** The processor's id. */
  id: string;
  number: string;
  accountId: string;
  customerId: string;
  /** The Spotlight it is for. */
  day: Day;
  bidId: string;
  state: InvoiceState;
  totalCents: number;
  /** VAT contained in the total. */
  taxCents: number;
  finalizedAtMs: number;
  paidAtMs: number | null;
  money: InvoiceMoney;
  /** The money was booked as revenue, so a refund takes revenue back. */
  wasSold: boolean;
  /** The payment whose money came; null before that. */
  paymentId: string | null;
  refundReason: InvoiceRefundReason | null;
  /** An operator's words about a refund. */
  refundNote: string | null;
  /** Corrections of it, each with a number of its own. */
  creditNotes: readonly {
    id: string;
    number: string;
    totalCents: number;
    taxCents: number;
    createdAtMs: number;
  }[];
  /** Until when one worker alone may give the money back. */
  leaseUntilMs: number;
  /** When giving back is tried next. */
  dueAtMs: number;
  /** Attempts to give back so far: part of the idempotency keys. */
  attempts: number;
  /** Attempts in vain since giving back was ordered. */
  refundTries: number;
  /** Those of them that the processor refused. */
  refundRefusals: number;
  /** Why the last attempt was in vain; null when none was. */
  refundTrouble: string | null;
  /** Whom it brings commission; absent for nobody. */
  commission?: InvoiceCommission;
}

/**
 * Why money is given back by a person alone: `bid_unknown`, of a bid that a
 * restored store has lost; `refund_came_back` from the payer's bank;
 * `credited_by_hand`, a credit note made by hand says that it went already.
 */
const PERSONS_TROUBLES = [
  "bid_unknown",
  "refund_came_back",
  "credited_by_hand",
] as const;

/** One of them. */
export type PersonsTrouble = typeof PERSONS_TROUBLES[number];

/** Whether a person gives the money back, or has in a way that is not known here. */
export function isLeftToPerson(
  { refundTrouble }: Pick<Invoice, "refundTrouble">,
): boolean {
  return PERSONS_TROUBLES.some((trouble) => trouble === refundTrouble);
}

/** What is known of the commission of an invoice. */
export interface InvoiceCommission {
  /** The partner's account. */
  partnerId: string;
  /** The net amount that the commission was last computed of, cents. */
  countedCents: number;
  /**
   * The advertiser was its own partner, or the partnership had ended: it never
   * brings any, also when the account that knew it is erased, and when the partner
   * is taken back in. Absent where neither was found.
   */
  isVoid?: true;
}

/** When giving its money back is tried next; null where it is not. */
export function refundDueAtMs({ money, dueAtMs }: Invoice): number | null {
  return money === "refunding" ? dueAtMs : null;
}

/** Longer than all the calls of one attempt to give back can take together. */
export const REFUND_LEASE_MS = 90_000;
/** While a dispute is open; its end brings the next attempt forward. */
export const DISPUTED_WAIT_MS = 86_400_000;

/** Whether its turn has come, with leases and pauses by a clock that is right. */
export function isRefundDue(invoice: Invoice, nowMs: number): boolean {
  const isPause = invoice.dueAtMs !== invoice.leaseUntilMs;
  const withinMs = isPause ? DISPUTED_WAIT_MS : REFUND_LEASE_MS;
  return isDue(refundDueAtMs(invoice), nowMs, withinMs);
}

/** Where an invoice stands among its account's. */
export type InvoicePlace = Pick<Invoice, "finalizedAtMs" | "id">;

/** Finds an invoice by its number. */
export interface InvoiceNumber {
  number: string;
  invoiceId: string;
}

/** Finds the invoice that a payment paid. */
export interface PaymentInvoice {
  paymentId: string;
  invoiceId: string;
}
