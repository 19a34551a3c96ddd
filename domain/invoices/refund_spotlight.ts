import type { Day } from "../day.ts";
import { refuseWhileOnHold } from "../hold/gate.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Invoice } from "./invoice.ts";
import { beginRefund } from "./invoice_books.ts";
import { refundInvoice } from "./refund_invoice.ts";

/**
 * Gives the winner of a day its money back with a credit note, by an operator's
 * decision. Asking again changes nothing, unless the refund has failed for good:
 * then it is tried anew. The Spotlight stays as it is:
 * removing it is a decision of its own.
 *
 * @returns the invoice as it then stands; the refund may still be under way
 * @throws {Refused} `not_refundable` when nobody paid for the day, or a dispute
 * took the money
 * @throws {StoreOnHold} while the store is on hold
 */
export async function refundSpotlight(
  services: Services,
  { day, note }: { day: Day; note: string },
): Promise<Invoice> {
  const { store, clock } = services;
  await refuseWhileOnHold(services);
  const invoiceId = await paidInvoiceOf(services, day);
  await store.transact(async (tx) => {
    const invoice = await tx.invoices.find(invoiceId);
    if (invoice?.money === "refunding" || invoice?.money === "refunded") return;
    const isPossible = invoice?.money === "sold" ||
      invoice?.money === "refund_failed";
    if (!isPossible) refuse({ code: "not_refundable", day });
    beginRefund(tx, invoice, { reason: "operator", note }, clock.now());
  });
  await refundInvoice(services, { invoiceId });
  const invoice = await store.invoices.find(invoiceId);
  return invoice ?? refuse({ code: "not_refundable", day });
}

async function paidInvoiceOf(
  { store }: Services,
  day: Day,
): Promise<string> {
  const settlement = await store.settlements.find(day);
  const won = settlement?.candidates.find(({ step }) => step === "won");
  return won?.invoiceId ?? refuse({ code: "not_refundable", day });
}
