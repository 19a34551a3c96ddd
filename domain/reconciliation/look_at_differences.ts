import { lookAtInvoice } from "../settlement/look_at_invoice.ts";
import { lookAtPayment } from "../webhooks/look_at_payment.ts";
import type { Services } from "../ports.ts";
import type { Difference } from "./reconciliation.ts";

/**
 * Does what a notification that was lost would have led to. What can't be
 * looked at stays a difference, and keeps no other from being looked at.
 */
export async function lookAtDifferences(
  services: Services,
  differences: readonly Difference[],
): Promise<void> {
  const { log } = services;
  for (const difference of differences) {
    try {
      await lookAt(services, difference);
    } catch (error) {
      const { kind } = difference;
      log.error("reconciliation.look_failed", { kind, error: String(error) });
    }
  }
}

async function lookAt(
  services: Services,
  difference: Difference,
): Promise<void> {
  switch (difference.kind) {
    case "not_booked":
      if (difference.paymentId === null) return;
      return await lookAtPayment(services, difference.paymentId);
    case "invoice_unknown":
    case "invoice_differs":
      return await lookAtInvoice(services, difference.invoiceId);
    case "not_moved":
    case "unbalanced":
    case "number_missing":
    case "not_archived":
    case "number_repeated":
    case "not_fully_compared":
      return;
  }
}
