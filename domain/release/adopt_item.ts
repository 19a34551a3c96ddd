import { adoptSoldDay } from "../settlement/adopt_sold_day.ts";
import { syncDispute } from "../disputes/sync_dispute.ts";
import { ProcessorUncertain } from "../failure.ts";
import { adoptRefunds } from "../invoices/adopt_refunds.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import type { Services } from "../ports.ts";
import type { AdoptableItem } from "./review.ts";

/**
 * Takes over what the processor knows, by the verbs that its notification would
 * have called; nothing is asked of it but to be read. Harmless to repeat, and
 * after a crash at any point.
 *
 * @returns why it could not be taken over, as far as that is known; what is
 * still missing afterwards is found by the next look
 */
export async function adoptItem(
  services: Services,
  item: AdoptableItem,
): Promise<string | null> {
  try {
    return await adopt(services, item);
  } catch (error) {
    // What would have to act there follows once the store is released.
    if (!(error instanceof ProcessorUncertain)) throw error;
    return "the processor gave no answer";
  }
}

async function adopt(
  services: Services,
  item: AdoptableItem,
): Promise<string | null> {
  switch (item.kind) {
    case "day_sold":
      return await adoptSoldDay(services, item);
    case "invoice_to_book":
      await syncInvoice(services, item.invoiceId);
      return null;
    case "refund_to_book":
      await adoptRefunds(services, item);
      return null;
    case "figures_to_book":
      await syncPayment(services, item.paymentId);
      return null;
    case "dispute_to_book":
      await syncDispute(services, item.disputeId);
      return null;
  }
}
