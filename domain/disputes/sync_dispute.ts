import { peekShownWindow } from "../auction/read_shown_windows.ts";
import { syncFigures } from "../checkout/sync_figures.ts";
import { noteEvents } from "../events/note_events.ts";
import { Contention, ProcessorUncertain } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { Invoice } from "../invoices/invoice.ts";
import { tellMissingNote } from "../invoices/missing_note.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import { isBookedOf } from "../paid_metrics/returned.ts";
import { certainValue } from "../payments/outcome.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { ProcessorDispute } from "../payments/processor_disputes.ts";
import type { Services, Transaction } from "../ports.ts";
import { syncInvoice } from "../settlement/sync_invoice.ts";
import { type Dispute, isExpected } from "./dispute.ts";
import { disputeMail } from "./dispute_mails.ts";
import { type Disputed, moveDispute } from "./move_dispute.ts";

/** How often a sync that another one overtook starts again. */
const TRIES_MAX = 5;

/**
 * Another sync committed while the processor was asked, so our answer may be
 * the older one.
 */
class Overtaken extends Error {}

/**
 * Brings books, account and invoice in line with a dispute as the processor has
 * it now. `open` holds the money and blocks the account, `won` ends both,
 * `lost` writes off what the bank kept and leaves the account blocked until an
 * operator lifts it. The owner is told of each by a mail of the same commit.
 * What it took, and no more, is booked. Harmless to repeat, in any order, and
 * beside itself: whoever was overtaken asks again, so that an old answer never
 * undoes a newer one.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 * @throws {Contention} after being overtaken five times
 */
export async function syncDispute(
  services: Services,
  disputeId: string,
): Promise<void> {
  for (let nth = 0; nth < TRIES_MAX; nth++) {
    try {
      return await syncOnce(services, disputeId);
    } catch (thrown) {
      if (!(thrown instanceof Overtaken)) throw thrown;
    }
  }
  throw new Contention("The dispute was looked at again and again");
}

async function syncOnce(services: Services, disputeId: string): Promise<void> {
  const { store, clock, processor, log, ids, settings } = services;
  const mailId = ids.next("mail"); // outside: attempts share it
  const before = await store.disputes.find(disputeId);
  const found = certainValue(await processor.retrieveDispute(disputeId));
  const payment = await purposeOfPayment(services, found);
  if (payment === null) {
    log.error("dispute.of_unknown_payment", { dispute: disputeId });
    return;
  }
  const moved = await store.transact(async (tx) => {
    const disputed = await readDisputed(tx, found, payment);
    if (disputed.dispute.moves !== (before?.moves ?? 0)) throw new Overtaken();
    const nowMs = clock.now();
    const moved = moveDispute(tx, disputed, found, nowMs);
    const { account, invoice, dispute: from } = disputed;
    if (moved === null || account === null || invoice === null) return moved;
    const way = { from, to: moved };
    await noteDispute(tx, invoice, way, nowMs);
    const shown = await peekShownWindow(tx, settings, invoice.day);
    const about = { ...invoice, shown };
    const content = disputeMail(way, account.email, about, settings);
    if (content === null) return moved;
    queueMail(tx, { mailId, accountId: account.id, content }, nowMs);
    return moved;
  });
  if (moved === null) return;
  const { state, reason } = moved;
  log.error("dispute.moved", { dispute: disputeId, state, reason });
  const { invoiceId } = moved;
  if (invoiceId !== null) {
    tellMissingNote(services, await store.invoices.find(invoiceId));
  }
  const from = before?.state ?? "unseen";
  if (isExpected(from, state)) return;
  log.error("dispute.unexpected_turn", { dispute: disputeId, from, state });
}

/** Tells agents how the dispute stands, once for each turn that it takes. */
async function noteDispute(
  tx: Transaction,
  { accountId, number: invoice_number, day }: Invoice,
  { from, to: { state, openedAtMs } }: { from: Dispute; to: Dispute },
  nowMs: number,
): Promise<void> {
  if (from.state === state) return;
  const data = { invoice_number, day, state };
  // The processor says when it began, and of later turns no moment.
  const isBeginning = from.state === "unseen" &&
    (state === "open" || state === "warning");
  const atMs = isBeginning ? openedAtMs : null;
  const fact = { type: "invoice.disputed", data, atMs } as const;
  await noteEvents(tx, accountId, [fact], nowMs);
}

async function readDisputed(
  tx: Transaction,
  found: ProcessorDispute,
  payment: PaymentPurpose,
): Promise<Disputed> {
  const { paymentId } = payment;
  if (payment.kind === "metrics") {
    const [standing, metrics] = await tx.getMany([
      tx.disputes.ref(found.id),
      tx.metricsPayments.ref(payment.metricsPaymentId),
    ]);
    invariant(metrics !== null, "a payment that is booked has its purchase");
    const dispute = standing ?? newDispute(found, paymentId, null);
    return { dispute, metrics, invoice: null, account: null };
  }
  const [standing, invoice] = await tx.getMany([
    tx.disputes.ref(found.id),
    tx.invoices.ref(payment.invoiceId),
  ]);
  // Else the store lost a row: the event waits, and operators are alerted.
  invariant(invoice !== null, "a payment that is booked has its invoice");
  const account = await tx.accounts.find(invoice.accountId);
  const dispute = standing ?? newDispute(found, paymentId, invoice);
  return { dispute, invoice, account, metrics: null };
}

function newDispute(
  found: ProcessorDispute,
  paymentId: string,
  invoice: Invoice | null,
): Dispute {
  return {
    id: found.id,
    state: "unseen",
    amountCents: found.amountCents,
    paymentId,
    accountId: invoice?.accountId ?? null,
    invoiceId: invoice?.id ?? null,
    reason: found.reason,
    openedAtMs: found.createdAtMs,
    evidenceDueAtMs: found.evidenceDueAtMs,
    heldCents: 0,
    lostCents: 0,
    dueCents: 0,
    movementIds: [],
    moves: 0,
  };
}

/** Why what is told of a payment waits: it is processed again later. */
const NOT_BOOKED = "The payment is not booked yet";

/** What a payment paid for. */
export type PaymentPurpose =
  | { kind: "invoice"; paymentId: string; invoiceId: string }
  | { kind: "metrics"; paymentId: string; metricsPaymentId: string };

/**
 * Finds what a payment paid for; null when it is none of ours. A dispute or a
 * refund may be told of before the payment is: then the payment comes first.
 *
 * @throws {ProcessorUncertain} when that can't be told now
 */
export async function purposeOfPayment(
  services: Services,
  { paymentId }: Pick<ProcessorDispute, "paymentId">,
): Promise<PaymentPurpose | null> {
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
  return await boughtNow(services, payment.value);
}

async function takenNow(
  services: Services,
  paymentId: string,
  invoiceId: string,
): Promise<PaymentPurpose | null> {
  await syncInvoice(services, invoiceId);
  const { store } = services;
  const known = await store.paymentInvoices.find(paymentId);
  if (known !== null) return { kind: "invoice", paymentId, invoiceId };
  // Ours, but not settled yet.
  const ours = await store.invoices.find(invoiceId);
  if (ours === null) return null;
  throw new ProcessorUncertain(NOT_BOOKED);
}

async function boughtNow(
  services: Services,
  payment: ProcessorPayment,
): Promise<PaymentPurpose | null> {
  const { id: paymentId, metadata } = payment;
  const { purpose, payment_id: metricsPaymentId } = metadata;
  if (purpose !== "metrics" || metricsPaymentId === undefined) return null;
  const { metricsPayments } = services.store;
  const bought = { kind: "metrics", paymentId, metricsPaymentId } as const;
  const before = await metricsPayments.find(metricsPaymentId);
  if (before !== null && isBookedOf(before, paymentId)) return bought;
  await syncFigures(services, payment);
  const after = await metricsPayments.find(metricsPaymentId);
  if (after === null) return null;
  if (isBookedOf(after, paymentId)) return bought;
  throw new ProcessorUncertain(NOT_BOOKED);
}
