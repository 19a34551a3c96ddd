import { adoptPayment } from "../checkout/adopt_payment.ts";
import { metricsConsequences } from "../checkout/metrics_consequences.ts";
import { ProcessorUncertain } from "../failure.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { settlePaymentNow } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";

/**
 * Brings our rows in line with a payment that has changed: one for a day's
 * figures is settled, for one of an invoice the invoice is synced, and any
 * other is ignored. One for figures whose session is here and whose row is not, since
 * the store is of an older backup, is taken over. Harmless to repeat, in any order.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function syncPayment(
  services: Services,
  paymentId: string,
): Promise<void> {
  const { processor } = services;
  const payment = await processor.retrievePayment(paymentId);
  if (!payment.ok) {
    throw new ProcessorUncertain(`The processor refused: ${payment.code}`);
  }
  const { purpose, payment_id: metricsPaymentId } = payment.value.metadata;
  if (purpose === "metrics" && metricsPaymentId !== undefined) {
    await adoptPayment(services, payment.value);
    return await settlePaymentNow(services, metricsConsequences(services), {
      paymentId: metricsPaymentId,
      intentId: paymentId,
      takenCents: payment.value.status === "succeeded"
        ? payment.value.amountReceivedCents
        : 0,
    });
  }
  const invoice = await processor.findInvoiceOfPayment(paymentId);
  if (!invoice.ok) {
    throw new ProcessorUncertain(`The processor refused: ${invoice.code}`);
  }
  if (invoice.value !== null) await syncInvoice(services, invoice.value.id);
}
