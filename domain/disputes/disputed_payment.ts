import { ProcessorUncertain } from "../failure.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import type { ProcessorDispute } from "../payments/processor_disputes.ts";
import type { Services } from "../ports.ts";

/** What a disputed payment paid for. */
export type DisputedPayment =
  | { kind: "invoice"; paymentId: string; invoiceId: string }
  | { kind: "metrics"; paymentId: string; metricsPaymentId: string };

/**
 * Finds what a disputed payment paid for; null when it is none of ours. A
 * dispute may be told of before the payment is: then the payment comes first.
 *
 * @throws {ProcessorUncertain} when that can't be told now
 */
export async function disputedPayment(
  services: Services,
  { paymentId }: ProcessorDispute,
): Promise<DisputedPayment | null> {
  if (paymentId === null) return null;
  const { store, processor } = services;
  const known = await store.paymentInvoices.find(paymentId);
  if (known !== null) {
    return { kind: "invoice", paymentId, invoiceId: known.invoiceId };
  }
  const invoice = await processor.findInvoiceOfPayment(paymentId);
  if (invoice.ok && invoice.value !== null) {
    return await takenNow(services, paymentId, invoice.value.id);
  }
  const payment = await processor.retrievePayment(paymentId);
  if (!payment.ok) return null;
  const { purpose, payment_id: metricsPaymentId } = payment.value.metadata;
  if (purpose !== "metrics" || metricsPaymentId === undefined) return null;
  const found = await store.metricsPayments.find(metricsPaymentId);
  return found === null
    ? null
    : { kind: "metrics", paymentId, metricsPaymentId };
}

async function takenNow(
  services: Services,
  paymentId: string,
  invoiceId: string,
): Promise<DisputedPayment | null> {
  await syncInvoice(services, invoiceId);
  const { store } = services;
  const known = await store.paymentInvoices.find(paymentId);
  if (known !== null) return { kind: "invoice", paymentId, invoiceId };
  // Ours, but not settled yet: the event is looked into again.
  const ours = await store.invoices.find(invoiceId);
  if (ours === null) return null;
  throw new ProcessorUncertain("The disputed payment is not booked yet");
}
