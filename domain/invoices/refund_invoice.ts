/**
 * Giving an invoice's money back: by a credit note where the invoice is paid,
 * by a plain refund where the money came for one that is void. The intention is
 * a row in `refunding`; what fails is tried again by the sweep.
 *
 * @module
 */
import { ProcessorUncertain } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { CreditNote } from "../payments/processor_credit_notes.ts";
import type { Outcome } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { queueArchiving } from "./archive_task.ts";
import type { Invoice } from "./invoice.ts";
import { recordRefund } from "./invoice_books.ts";

/** Longer than all the calls of one attempt can take together. */
const LEASE_MS = 60_000;
/** A first retry after a minute, then twice as long each time, to an hour. */
const RETRY_MS = 60_000;
/** Longest wait between two attempts. */
const RETRY_MAX_MS = 3_600_000;
/** Invoices one run of the sweep works on. */
const SWEPT_MAX = 100;

/** Gives back what is due; one that fails keeps no other waiting. */
export async function refundDueInvoices(services: Services): Promise<void> {
  const { store, clock } = services;
  const due = await store.listDueInvoices(clock.now(), { limit: SWEPT_MAX });
  for (const { id } of due) await refundInvoice(services, { invoiceId: id });
}

/**
 * Gives an invoice's money back, if it is to be given back and nobody else is
 * at it.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function refundInvoice(
  services: Services,
  { invoiceId }: { invoiceId: string },
): Promise<void> {
  const held = await hold(services, invoiceId);
  if (held === null) return;
  const fields = { invoice: held.id, day: held.day };
  try {
    const given = await giveBack(services, held);
    if (given.ok) return await finish(services, held, given.value);
    services.log.error("invoice.refund_refused", {
      ...fields,
      code: given.code,
    });
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    services.log.error("invoice.refund_uncertain", fields);
  }
  await postpone(services, held);
}

function hold(
  { store, clock }: Services,
  invoiceId: string,
): Promise<Invoice | null> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const invoice = await tx.invoices.find(invoiceId);
    if (invoice?.money !== "refunding" || invoice.leaseUntilMs > now) {
      return null;
    }
    const leaseUntilMs = now + LEASE_MS;
    const attempts = invoice.attempts + 1;
    const held = { ...invoice, leaseUntilMs, dueAtMs: leaseUntilMs, attempts };
    tx.invoices.save(held);
    return held;
  });
}

/**
 * The note that gave it back, null for a plain refund. What was made by an
 * attempt whose answer was lost is found, not made again; and since no more
 * can be given back than came, each attempt has an idempotency key of its own:
 * the processor repeats a saved 500 for a day.
 */
async function giveBack(
  { processor }: Services,
  invoice: Invoice,
): Promise<Outcome<CreditNote | null>> {
  const { id, totalCents, attempts, paymentId } = invoice;
  invariant(paymentId !== null, "what is given back was paid by a payment");
  const key = `invoice:${id}:refund:${attempts}`;
  if (invoice.state !== "paid") {
    const refund = await processor.refundPayment(paymentId, key);
    return refund.ok ? { ok: true, value: null } : refund;
  }
  const notes = await processor.listCreditNotes(id);
  if (!notes.ok) return notes;
  // A note that was made by hand may have given nothing back.
  const made = notes.value.find((note) =>
    note.totalCents === totalCents && note.refundId !== null
  );
  if (made !== undefined) return { ok: true, value: made };
  return await processor.createCreditNote({
    invoiceId: id,
    amountCents: totalCents,
    reason: "order_change",
    refund: true,
    metadata: { purpose: "spotlight", day: invoice.day, bid_id: invoice.bidId },
  }, key);
}

/** The refund, its entry in the books and the note to archive, together. */
async function finish(
  { store, clock, log }: Services,
  held: Invoice,
  note: CreditNote | null,
): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const invoice = await tx.invoices.find(held.id);
    if (invoice?.money !== "refunding") return;
    recordRefund(tx, invoice, note, now);
    if (note === null) return;
    await queueArchiving(tx, {
      number: note.number,
      kind: "credit_note",
      documentId: note.id,
      accountId: invoice.accountId,
    }, now);
  });
  log.info("invoice.refunded", { invoice: held.id, day: held.day });
}

function postpone({ store, clock }: Services, held: Invoice): Promise<void> {
  return store.transact(async (tx) => {
    const now = clock.now();
    const invoice = await tx.invoices.find(held.id);
    if (invoice?.money !== "refunding") return;
    const waitMs = Math.min(RETRY_MS * 2 ** (held.attempts - 1), RETRY_MAX_MS);
    tx.invoices.save({ ...invoice, leaseUntilMs: now, dueAtMs: now + waitMs });
  });
}
