import { adoptPayment } from "../checkout/adopt_payment.ts";
import { metricsConsequences } from "../checkout/metrics_consequences.ts";
import { certainValue } from "../payments/outcome.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { settlePaymentNow } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";

/**
 * Brings our rows in line with a payment that has changed: one for a day's
 * figures is settled, for one of an invoice the invoice is synced, and any other
 * is ignored. One for figures whose session is here and whose row is not, since
 * the store is of an older backup, is adopted. Harmless to repeat, in any order.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function syncPayment(
  services: Services,
  paymentId: string,
): Promise<void> {
  const { processor } = services;
  const payment = certainValue(await processor.retrievePayment(paymentId));
  const { purpose, payment_id: metricsPaymentId } = payment.metadata;
  if (purpose === "metrics" && metricsPaymentId !== undefined) {
    await adoptPayment(services, payment);
    return await settlePaymentNow(services, metricsConsequences(services), {
      paymentId: metricsPaymentId,
      intentId: paymentId,
      takenCents: payment.status === "succeeded"
        ? payment.amountReceivedCents
        : 0,
    });
  }
  const invoice = certainValue(await processor.findInvoiceOfPayment(paymentId));
  if (invoice !== null) await syncInvoice(services, invoice.id);
}
