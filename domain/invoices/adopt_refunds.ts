import { bookRefunds } from "../payments/book_taken.ts";
import { certainValue } from "../payments/outcome.ts";
import { keptOf } from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import { orderedByHand, takenOf } from "./invoice_books.ts";
import { withMoneyNow } from "./invoice_money.ts";
import { tellMissingNote, withNoteDue } from "./missing_note.ts";
import { noteRefunds, withCreditNotes } from "./refund_invoice.ts";

/**
 * Books what was given back of an invoice and its credit notes, as the processor
 * has them, and gives nothing back itself: a note that is missing is made by the
 * next attempt. Harmless to repeat.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function adoptRefunds(
  services: Services,
  { invoiceId }: { invoiceId: string },
): Promise<void> {
  const { store, clock, processor, settings } = services;
  const known = await store.invoices.find(invoiceId);
  if (known === null || known.paymentId === null) return;
  const refunds = certainValue(await processor.listRefunds(known.paymentId));
  const notes = certainValue(await processor.listCreditNotes(invoiceId));
  const adopted = await store.transact(async (tx) => {
    const now = clock.now();
    const invoice = await tx.invoices.find(invoiceId);
    if (invoice === null) return null;
    const isAll = keptOf(invoice.totalCents, {
      refunds,
      lostCents: invoice.lostCents,
    }) === 0;
    const note = "given back before the store was restored";
    const before = isAll ? orderedByHand(tx, invoice, note, now) : invoice;
    const taken = bookRefunds(tx, takenOf(before), before, refunds, now);
    const noted = await withCreditNotes(tx, taken, notes, now);
    const change = { before: invoice, after: noted };
    await noteRefunds(tx, settings, change, now);
    const moved = withNoteDue(invoice, withMoneyNow(noted), now);
    tx.invoices.save(moved);
    return moved;
  });
  tellMissingNote(services, adopted);
}
