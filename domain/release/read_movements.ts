import { isAdoptablePayment } from "../checkout/adopt_payment.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { BalanceTransaction } from "../payments/processor_books.ts";
import type { ProcessorDispute } from "../payments/processor_disputes.ts";
import type { Services } from "../ports.ts";
import {
  compareMovements,
  isTransfer,
} from "../reconciliation/compare_movements.ts";
import { entriesOf } from "../reconciliation/read_books.ts";
import type { ReviewItem } from "./review.ts";

/** Entries of one payment that are read. */
const ENTRIES_MAX = 100;

/** What the processor moved and disputed since the backup. */
export interface Moved {
  movements: readonly BalanceTransaction[];
  disputes: readonly ProcessorDispute[];
  /** Invoices of that time, which are reviewed by themselves. */
  invoices: readonly ListedInvoice[];
}

/** The movements that are in no entry of ours, and the disputes behind them. */
export async function reviewMovements(
  services: Pick<Services, "store" | "processor">,
  moved: Moved,
): Promise<ReviewItem[]> {
  const items: ReviewItem[] = [];
  // They are listed newest first, and taken over as they came.
  const missing = await unbooked(services, moved.movements);
  for (const movement of missing.toReversed()) {
    const item = await reviewMovement(services, movement, moved.invoices);
    if (item !== null) items.push(item);
  }
  for (const { id, standing, paymentId } of moved.disputes) {
    const known = await services.store.disputes.find(id);
    if (known?.state === standing) continue;
    items.push(await reviewDispute(services, id, paymentId));
  }
  return items;
}

async function unbooked(
  services: Pick<Services, "store">,
  movements: readonly BalanceTransaction[],
): Promise<BalanceTransaction[]> {
  const entries = await entriesOf(services, movements, ENTRIES_MAX);
  const differences = compareMovements({
    movements,
    entriesOfPayments: entries.items,
    entries: [],
    movementsAround: [],
  });
  const missing = new Set(
    differences.flatMap((one) =>
      one.kind === "not_booked" ? one.movementId : []
    ),
  );
  return movements.filter(({ id }) => missing.has(id));
}

async function reviewMovement(
  services: Pick<Services, "store" | "processor">,
  { id: movementId, type, paymentId, sourceId }: BalanceTransaction,
  invoices: readonly ListedInvoice[],
): Promise<ReviewItem | null> {
  if (type === "dispute" || type === "dispute_reversal") {
    return await reviewDispute(services, sourceId, paymentId);
  }
  const unknown = { kind: "movement_unknown", movementId, paymentId } as const;
  if (paymentId === null) return unknown;
  if (isTransfer(type)) {
    return { kind: "transfer_to_book", transferId: paymentId };
  }
  const known = await services.store.paymentInvoices.find(paymentId);
  if (type === "refund" && known !== null) {
    return { kind: "refund_to_book", invoiceId: known.invoiceId };
  }
  if (type === "refund_failure" && known !== null) {
    const { invoiceId } = known;
    return { kind: "refund_came_back", invoiceId, refundId: sourceId };
  }
  // Its invoice is an item of its own; once that is adopted, the next review
  // finds what was given back of it.
  if (invoices.some(({ paymentIds }) => paymentIds.includes(paymentId))) {
    return null;
  }
  if (type !== "charge") return unknown;
  return await reviewLatePayment(services, paymentId) ??
    await reviewFigures(services, paymentId) ?? unknown;
}

/**
 * A payment for an invoice that is here and was drafted too long ago to be in
 * the list; null for any other.
 */
async function reviewLatePayment(
  { store, processor }: Pick<Services, "store" | "processor">,
  paymentId: string,
): Promise<ReviewItem | null> {
  const asked = await processor.findInvoiceOfPayment(paymentId);
  if (!asked.ok || asked.value === null) return null;
  const invoice = await store.invoices.find(asked.value.id);
  if (invoice === null) return null;
  const { day, id: invoiceId } = invoice;
  return { kind: "invoice_to_book", day, invoiceId };
}

/** A payment for figures; null for any other. */
async function reviewFigures(
  { store, processor }: Pick<Services, "store" | "processor">,
  paymentId: string,
): Promise<ReviewItem | null> {
  const asked = await processor.retrievePayment(paymentId);
  if (!asked.ok || asked.value.metadata["purpose"] !== "metrics") return null;
  const { payment_id: purchaseId = "", day = null } = asked.value.metadata;
  const isKnown = await store.metricsPayments.find(purchaseId) !== null ||
    await isAdoptablePayment(store, asked.value);
  return isKnown
    ? { kind: "figures_to_book", paymentId }
    : { kind: "figures_unknown", paymentId, day };
}

async function reviewDispute(
  { store, processor }: Pick<Services, "store" | "processor">,
  disputeId: string,
  paymentId: string | null,
): Promise<ReviewItem> {
  const unknown = { kind: "dispute_unknown", disputeId } as const;
  if (paymentId === null) return unknown;
  const invoice = await store.paymentInvoices.find(paymentId);
  if (invoice !== null) return { kind: "dispute_to_book", disputeId };
  const figures = await reviewFigures({ store, processor }, paymentId);
  return figures?.kind === "figures_to_book"
    ? { kind: "dispute_to_book", disputeId }
    : unknown;
}
