/**
 * What has happened at the processor since the backup that a store on hold was
 * restored from, and that this store does not know.
 *
 * @module
 */
import type { Day } from "../day.ts";

/** What the release adopts: nothing is charged for it. */
export type AdoptableItem =
  /** Somebody paid for a day that is not settled here. */
  | { kind: "day_sold"; day: Day; invoiceId: string; bidId: string }
  /** An invoice of a bid that is decided here has another state. */
  | { kind: "invoice_to_book"; day: Day; invoiceId: string }
  /** Money of an invoice was given back. */
  | { kind: "refund_to_book"; invoiceId: string }
  /** The buyer's bank sent a refund of an invoice back. */
  | { kind: "refund_came_back"; invoiceId: string; refundId: string }
  /** A payment for figures whose purchase, or the session of it, is known here. */
  | { kind: "figures_to_book"; paymentId: string }
  /** A dispute opened or moved. */
  | { kind: "dispute_to_book"; disputeId: string }
  /** A partner was paid, or money of that came back. */
  | { kind: "transfer_to_book"; transferId: string };

/** What only a person can decide about. */
export type NamedItem =
  /** Somebody paid for a day, whom or whose bid this store does not know. */
  | { kind: "day_sold_to_unknown"; day: Day; invoiceId: string }
  /** Somebody paid for a day that has another winner here, or a second time. */
  | { kind: "day_sold_twice"; day: Day; invoiceId: string }
  /** Money came for an invoice that was void by then. */
  | { kind: "paid_late"; day: Day; invoiceId: string; isBidKnown: boolean }
  /** An invoice of a day that is not settled may still be paid. */
  | { kind: "invoice_open"; day: Day; invoiceId: string; isBidKnown: boolean }
  /** A report was sold of which this store knows nothing. */
  | { kind: "figures_unknown"; paymentId: string; day: string | null }
  | { kind: "dispute_unknown"; disputeId: string }
  /** Money moved that belongs to nothing this store knows. */
  | { kind: "movement_unknown"; movementId: string; paymentId: string | null }
  /** There is more than a review reads or names. */
  | { kind: "not_all_read"; what: ReviewedList }
  /** What should have been adopted could not be. */
  | { kind: "not_adopted"; item: AdoptableItem; why: string };

/** What a review reads of the processor. */
export type ReviewedList = "invoices" | "movements" | "disputes" | "items";

/** One thing that this store does not know. */
export type ReviewItem = AdoptableItem | NamedItem;

/**
 * Names an item, the same in every review as long as its state is: an invoice
 * that was noted as open, and is paid by now, is another item and has to be noted
 * again.
 */
export function itemId(item: ReviewItem): string {
  return `${item.kind}:${subjectOf(item)}`;
}

/** What an item is of, by its id at the processor. */
export function subjectOf(item: ReviewItem): string {
  if (item.kind === "not_adopted") return itemId(item.item);
  if ("movementId" in item) return item.movementId;
  if ("refundId" in item) return item.refundId;
  if ("invoiceId" in item) return item.invoiceId;
  if ("disputeId" in item) return item.disputeId;
  if ("transferId" in item) return item.transferId;
  return "paymentId" in item ? item.paymentId : item.what;
}
