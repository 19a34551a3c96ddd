import { syncInvoice } from "../settlement/sync_invoice.ts";
import { syncPayment } from "../webhooks/sync_payment.ts";
import type { Services } from "../ports.ts";
import type { Difference } from "./reconciliation.ts";

/**
 * Does what a notification that was lost would have led to. What can't be
 * looked at stays a difference, and keeps no other from being looked at.
 */
export async function syncDifferences(
  services: Services,
  differences: readonly Difference[],
): Promise<void> {
  const { log } = services;
  for (const difference of differences) {
    try {
      await syncDifference(services, difference);
    } catch (error) {
      const { kind } = difference;
      log.error("reconciliation.look_failed", { kind, error: String(error) });
    }
  }
}

async function syncDifference(
  services: Services,
  difference: Difference,
): Promise<void> {
  switch (difference.kind) {
    case "not_booked":
      if (difference.paymentId === null) return;
      return await syncPayment(services, difference.paymentId);
    case "invoice_unknown":
    case "invoice_differs":
      return await syncInvoice(services, difference.invoiceId);
    case "not_moved":
    case "unbalanced":
    case "number_missing":
    case "not_archived":
    case "number_repeated":
    case "not_fully_compared":
      return;
  }
}
