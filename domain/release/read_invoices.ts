import { type Day, parseDay } from "../day.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import type { ReviewItem } from "./review.ts";

/**
 * The invoices of Spotlights that stand otherwise at the processor than here,
 * oldest first: whoever paid first for a day has it.
 */
export async function reviewInvoices(
  services: Pick<Services, "store">,
  newestFirst: readonly ListedInvoice[],
): Promise<ReviewItem[]> {
  const items: ReviewItem[] = [];
  const soldDays = new Set<Day>();
  for (const invoice of newestFirst.toReversed()) {
    const item = await reviewInvoice(services, invoice, soldDays);
    if (item === null) continue;
    if (item.kind === "day_sold") soldDays.add(item.day);
    items.push(item);
  }
  return items;
}

async function reviewInvoice(
  { store }: Pick<Services, "store">,
  { id: invoiceId, metadata, status, amountPaidCents }: ListedInvoice,
  soldDays: ReadonlySet<Day>,
): Promise<ReviewItem | null> {
  const day = parseDay(metadata["day"] ?? "");
  if (metadata["purpose"] !== "spotlight" || day === null) return null;
  // Nothing was charged for it, and nothing will be.
  const isDead = status === "draft" || status === "void";
  if (isDead && amountPaidCents === 0) return null;
  const bidId = metadata["bid_id"] ?? "";
  const [row, settlement, auction, place] = await store.getMany([
    store.invoices.ref(invoiceId),
    store.settlements.ref(day),
    store.auctions.ref(day),
    store.bidPlaces.ref(bidId),
  ]);
  const isPaid = status === "paid" || isDead;
  if (row?.state === status && (!isPaid || row.money !== "none")) return null;
  const step = settlement?.candidates.find((each) => each.bidId === bidId)
    ?.step;
  if (step === "won" || step === "passed_over") {
    return { kind: "invoice_to_book", day, invoiceId };
  }
  const isSettled = auction !== null && auction.settledAtMs !== null;
  const isBidKnown = place?.day === day;
  if (!isPaid) {
    return { kind: "invoice_open", day, invoiceId, isBidKnown };
  }
  if (isSettled || soldDays.has(day)) {
    return { kind: "day_sold_twice", day, invoiceId };
  }
  return isBidKnown
    ? { kind: "day_sold", day, invoiceId, bidId }
    : { kind: "day_sold_to_unknown", day, invoiceId };
}
