import { syncFigures } from "../checkout/sync_figures.ts";
import { certainValue } from "../payments/outcome.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import type { Services } from "../ports.ts";

/**
 * Brings our rows in line with a payment that has changed: the purchase of one
 * for a day's figures, the invoice of one for a Spotlight. Any other is ignored.
 * Harmless to repeat, in any order.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function syncPayment(
  services: Services,
  paymentId: string,
): Promise<void> {
  const { processor } = services;
  const payment = certainValue(await processor.retrievePayment(paymentId));
  if (await syncFigures(services, payment)) return;
  const invoice = certainValue(await processor.findInvoiceOfPayment(paymentId));
  if (invoice !== null) await syncInvoice(services, invoice.id);
}
