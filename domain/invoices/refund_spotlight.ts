import type { Day } from "../day.ts";
import { refuseWhileOnHold } from "../hold/gate.ts";
import type { Services, Transaction } from "../ports.ts";
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
  { day, note, admit = () => Promise.resolve(true) }: {
    day: Day;
    note: string;
    /** Whether it may begin; what it writes is in the commit either way. */
    admit?(tx: Transaction, invoice: Invoice): Promise<boolean>;
  },
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
    if (!await admit(tx, invoice)) return;
    beginRefund(tx, invoice, { reason: "operator", note }, clock.now());
    const { number, money } = invoice;
    const after = { invoice: number, money: "refunding" };
    tx.noteChange({ before: { invoice: number, money }, after });
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
