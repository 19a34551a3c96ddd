import { syncDispute } from "../disputes/sync_dispute.ts";
import { ProcessorUncertain } from "../failure.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import type { Services } from "../ports.ts";
import { syncTransfer } from "../partners/sync_transfer.ts";
import { adoptSoldDay } from "../settlement/adopt_sold_day.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import type { AdoptableItem, ReviewItem } from "./review.ts";

/** Adopts an item; a text says why it could not be. */
type Adopt<Item> = (
  services: Services,
  item: Item,
) => Promise<string | null | void>;

/** The verbs that a notification of each would have called. */
const ADOPT: {
  readonly [Kind in AdoptableItem["kind"]]: Adopt<
    Extract<AdoptableItem, { kind: Kind }>
  >;
} = {
  day_sold: adoptSoldDay,
  invoice_to_book: (services, item) => syncInvoice(services, item.invoiceId),
  refund_to_book: adoptRefunds,
  figures_to_book: (services, item) => syncPayment(services, item.paymentId),
  dispute_to_book: (services, item) => syncDispute(services, item.disputeId),
  transfer_to_book: (services, item) => syncTransfer(services, item.transferId),
};

/** Whether the release adopts it by itself. */
export function isAdoptable(item: ReviewItem): item is AdoptableItem {
  return item.kind in ADOPT;
}

/**
 * Adopts what the processor knows; nothing is asked of it but to be read.
 * Harmless to repeat, and after a crash at any point.
 *
 * @returns why it could not be adopted, as far as that is known; what is still
 * missing afterwards is found by the next review
 */
export async function adoptItem(
  services: Services,
  item: AdoptableItem,
): Promise<string | null> {
  const adopt = ADOPT[item.kind] as Adopt<AdoptableItem>;
  try {
    return await adopt(services, item) ?? null;
  } catch (error) {
    // What would have to act there follows once the store is released.
    if (!(error instanceof ProcessorUncertain)) throw error;
    return "the processor gave no answer";
  }
}
