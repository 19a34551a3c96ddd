/**
 * What has happened at the processor since the backup that a store on hold was
 * restored from, and that this store does not know.
 *
 * @module
 */
import type { Day } from "../day.ts";

/** What the release takes over: nothing is charged for it. */
export type AdoptableItem =
  /** Somebody paid for a day that is not settled here. */
  | { kind: "day_sold"; day: Day; invoiceId: string; bidId: string }
  /** An invoice of a bid that is decided here stands otherwise. */
  | { kind: "invoice_to_book"; day: Day; invoiceId: string }
  /** Money of an invoice was given back. */
  | { kind: "refund_to_book"; invoiceId: string }
  /** A payment for figures whose purchase, or the session of it, is known here. */
  | { kind: "figures_to_book"; paymentId: string }
  /** A dispute opened or moved. */
  | { kind: "dispute_to_book"; disputeId: string };

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
  /** What should have been taken over could not be. */
  | { kind: "not_adopted"; item: AdoptableItem; why: string };

/** What a review reads of the processor. */
export type ReviewedList = "invoices" | "movements" | "disputes" | "items";

/** One thing that this store does not know. */
export type ReviewItem = AdoptableItem | NamedItem;

const ADOPTABLE: ReadonlySet<ReviewItem["kind"]> = new Set(
  [
    "day_sold",
    "invoice_to_book",
    "refund_to_book",
    "figures_to_book",
    "dispute_to_book",
  ] satisfies AdoptableItem["kind"][],
);

/** Whether the release takes it over by itself. */
export function isAdoptable(item: ReviewItem): item is AdoptableItem {
  return ADOPTABLE.has(item.kind);
}

/**
 * Names an item, the same each time the processor is looked at and it stands as
 * before: an invoice that was noted as open, and is paid by now, is another item
 * and has to be seen again.
 */
export function itemId(item: ReviewItem): string {
  return `${item.kind}:${subjectOf(item)}`;
}

function subjectOf(item: ReviewItem): string {
  switch (item.kind) {
    case "day_sold":
    case "invoice_to_book":
    case "day_sold_to_unknown":
    case "day_sold_twice":
    case "paid_late":
    case "invoice_open":
    case "refund_to_book":
      return item.invoiceId;
    case "figures_to_book":
    case "figures_unknown":
      return item.paymentId;
    case "dispute_to_book":
    case "dispute_unknown":
      return item.disputeId;
    case "movement_unknown":
      return item.movementId;
    case "not_all_read":
      return item.what;
    case "not_adopted":
      return itemId(item.item);
  }
}
