import { type Day, parseDay } from "../day.ts";
import { type Hold, isNotedAsSold } from "../hold/hold.ts";
import { isFullyRefunded } from "../invoices/is_fully_refunded.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { hasWinner } from "../settlement/settlement.ts";
import type { ReviewItem } from "./review.ts";

type ReadServices = Pick<Services, "store" | "processor">;

/** An invoice whose state at the processor differs from ours. */
interface Differing {
  day: Day;
  invoiceId: string;
  bidId: string;
  status: ListedInvoice["status"];
  hasMoney: boolean;
  /** All of its money went back. */
  isFullyRefunded: boolean;
  isBidKnown: boolean;
  /** The store has decided about its bid. */
  isDecided: boolean;
  /** Its day has its Spotlight here. */
  isSettled: boolean;
  /** A bid that is known here has bought the day. */
  hasWinner: boolean;
}

/**
 * The invoices of Spotlights whose state at the processor differs from ours,
 * oldest first: whoever paid first for a day, and was not given it back, has it.
 */
export async function reviewInvoices(
  services: ReadServices,
  hold: Pick<Hold, "acknowledged">,
  newestFirst: readonly ListedInvoice[],
): Promise<ReviewItem[]> {
  const differing: Differing[] = [];
  for (const invoice of newestFirst.toReversed()) {
    const read = await readInvoice(services, invoice);
    if (read === null) continue;
    // An operator said so after an earlier restore, and its day went on so.
    const isKnownSale = read.isSettled && !read.hasWinner &&
      isNotedAsSold(hold, invoice.id);
    if (!isKnownSale) differing.push(read);
  }
  const buyers = buyersOf(differing);
  return differing.flatMap((each) => {
    const hasBought = buyers.get(each.day) === each.invoiceId;
    return itemOf(each, hasBought) ?? [];
  });
}

async function readInvoice(
  services: ReadServices,
  invoice: ListedInvoice,
): Promise<Differing | null> {
  const { store } = services;
  const { id: invoiceId, metadata, status, amountPaidCents } = invoice;
  const day = parseDay(metadata["day"] ?? "");
  const isOurs = metadata["purpose"] === "spotlight";
  if (!isOurs || day === null || status === "draft") return null;
  const bidId = metadata["bid_id"] ?? "";
  const [row, settlement, place] = await store.getMany([
    store.invoices.ref(invoiceId),
    store.settlements.ref(day),
    store.bidPlaces.ref(bidId),
  ]);
  const hasMoney = amountPaidCents > 0;
  const isBooked = !hasMoney || (row !== null && row.money !== "none");
  const isSettled = settlement?.state === "settled";
  const isBidKnown = place?.day === day;
  // Of a bid that is not known it is written down, and decides nothing by that.
  const isDone = isBidKnown || isSettled;
  if (row?.state === status && isBooked && isDone) return null;
  const step = settlement?.candidates.find((each) => each.bidId === bidId)
    ?.step;
  return {
    day,
    invoiceId,
    bidId,
    status,
    hasMoney,
    isFullyRefunded: await isFullyRefunded(services, invoice),
    isBidKnown,
    isDecided: step === "won" || step === "passed_over",
    isSettled,
    hasWinner: hasWinner(settlement),
  };
}

/** Of each day that is not settled here, the invoice that bought it. */
function buyersOf(differing: readonly Differing[]): Map<Day, string> {
  const paid = differing.filter((each) =>
    each.status === "paid" && !each.isSettled && !each.isDecided
  );
  // Where all of it went back from everybody, the first had it all the same.
  const known = paid.filter(({ isBidKnown }) => isBidKnown);
  const kept = paid.filter((each) => !each.isFullyRefunded);
  const buyers = new Map<Day, string>();
  for (const { day, invoiceId } of [...kept, ...known]) {
    if (!buyers.has(day)) buyers.set(day, invoiceId);
  }
  return buyers;
}

/** Null where nothing is to be adopted and nobody has to decide. */
function itemOf(invoice: Differing, hasBought: boolean): ReviewItem | null {
  const { day, invoiceId, bidId, status, isBidKnown } = invoice;
  if (invoice.isDecided) return { kind: "invoice_to_book", day, invoiceId };
  if (status !== "paid" && status !== "void") {
    return { kind: "invoice_open", day, invoiceId, isBidKnown };
  }
  if (hasBought) {
    return isBidKnown
      ? { kind: "day_sold", day, invoiceId, bidId }
      : { kind: "day_sold_to_unknown", day, invoiceId };
  }
  const isKept = invoice.hasMoney && !invoice.isFullyRefunded;
  if (status === "paid" && isKept) {
    return { kind: "day_sold_twice", day, invoiceId };
  }
  // Whoever has not won a settled day is given back what was paid for it.
  if (invoice.isSettled && isBidKnown) {
    return { kind: "invoice_to_book", day, invoiceId };
  }
  return isKept ? { kind: "paid_late", day, invoiceId, isBidKnown } : null;
}
