import { syncDispute } from "../disputes/sync_dispute.ts";
import {
  nameOfThrown,
  ProcessorRefused,
  ProcessorUncertain,
  TemporaryFailure,
} from "../failure.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import type { Services } from "../ports.ts";
import { syncTransfer } from "../partners/sync_transfer.ts";
import { adoptSoldDay } from "../settlement/adopt_sold_day.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import { syncRefund } from "../webhooks/sync_refund.ts";
import { type AdoptableItem, itemId, type ReviewItem } from "./review.ts";

/**
 * Adopts an item; a text says why it could not be. An operator may have taken
 * note that it could not.
 */
type Adopt<Item> = (
  services: Services,
  item: Item,
  isNoted: boolean,
) => Promise<string | null | void>;

/** The verbs that a notification of each would have called. */
const ADOPT: {
  readonly [Kind in AdoptableItem["kind"]]: Adopt<
    Extract<AdoptableItem, { kind: Kind }>
  >;
} = {
  day_sold: (services, { day, invoiceId }, isNoted) =>
    adoptSoldDay(services, { day, invoiceId, isNoted }),
  invoice_to_book: (services, item) => syncInvoice(services, item.invoiceId),
  refund_to_book: adoptRefunds,
  refund_came_back: (services, item) => syncRefund(services, item.refundId),
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
 * Harmless to repeat, and after a crash at any point. One item that can't be
 * adopted, for whatever reason, is a person's to look at, and keeps no store on
 * hold for good.
 *
 * @param isNoted an operator took note that it could not be adopted: a sold day
 * is settled without the ad that it can't be shown with
 * @returns why it could not be adopted, as far as that is known; what is still
 * missing afterwards is found by the next review
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function adoptItem(
  services: Services,
  item: AdoptableItem,
  isNoted: boolean,
): Promise<string | null> {
  const adopt = ADOPT[item.kind] as Adopt<AdoptableItem>;
  try {
    return await adopt(services, item, isNoted) ?? null;
  } catch (error) {
    // What would have to act there follows once the store is released.
    if (error instanceof ProcessorUncertain) {
      return "the processor gave no answer";
    }
    if (error instanceof ProcessorRefused) return "the processor refused it";
    if (error instanceof TemporaryFailure) throw error;
    const fields = { item: itemId(item), error: nameOfThrown(error) };
    services.log.error("hold.adopt_failed", fields);
    return `it failed here (${fields.error})`;
  }
}
