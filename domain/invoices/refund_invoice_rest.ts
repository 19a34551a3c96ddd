/**
 * One attempt to give back what the processor still holds of an invoice's
 * money: by a credit note where the invoice is paid, by a plain refund where
 * the money came for one that is void.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type {
  CreditNote,
  ProcessorRefund,
} from "../payments/processor_credit_notes.ts";
import {
  heldOf,
  keptOf,
  refundedCents,
  unbookedRefunds,
} from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import type { Invoice } from "./invoice.ts";

/** The result of an attempt. */
export interface Attempt {
  /** Every refund the processor then had, whoever made it. */
  refunds: readonly ProcessorRefund[];
  /** Every credit note it then had; of void invoices there are none. */
  notes: readonly CreditNote[];
  /** What was given back before this attempt and is not booked, cents. */
  foundCents: number;
  /** Why not all was given back; null when it was. */
  trouble: string | null;
}

/** Refunds that one credit note may name. */
const NAMED_MAX = 10;

/** Of an attempt that could not even read what the processor has. */
export const NOTHING_FOUND = { refunds: [], notes: [], foundCents: 0 } as const;

/**
 * Reads what was given back, gives back the rest, and reads again. What an
 * attempt made whose answer was lost is found, not made again. While a bank
 * holds a part, nothing is given back: it may take more, or bring it back.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function refundInvoiceRest(
  services: Services,
  invoice: Invoice,
): Promise<Attempt> {
  const found = await readNow(services, invoice);
  if (typeof found === "string") return { ...NOTHING_FOUND, trouble: found };
  const unbooked = { refunds: unbookedRefunds(invoice, found.refunds) };
  const before: Attempt = {
    ...found,
    foundCents: refundedCents(unbooked),
    trouble: invoice.refundTrouble,
  };
  // A person gave it back, without a note: that alone is made here.
  const known = { ...invoice, refunds: found.refunds };
  const isAllGone = keptOf(invoice.totalCents, known) === 0;
  if (invoice.money === "refund_failed" && !isAllGone) return before;
  if (invoice.disputedCents > 0) return { ...before, trouble: "dispute_open" };
  // A key of this attempt's own: the processor repeats a saved 500 for a day.
  const key = `invoice:${invoice.id}:refund:${invoice.attempts}`;
  const trouble = invoice.state === "paid"
    ? await issueCreditNote(services, known, found.notes, key)
    : await refundRest(services, known, key);
  const after = await readNow(services, invoice);
  return { ...before, ...typeof after === "string" ? {} : after, trouble };
}

/** What the processor has of it; its code when it refuses to say. */
async function readNow(
  { processor }: Services,
  { id, paymentId, state }: Invoice,
): Promise<Pick<Attempt, "refunds" | "notes"> | string> {
  invariant(paymentId !== null, "what is given back was paid by a payment");
  const refunds = await processor.listRefunds(paymentId);
  const notes = state === "paid"
    ? await processor.listCreditNotes(id)
    : { ok: true as const, value: [] };
  if (!refunds.ok) return refunds.code;
  return notes.ok ? { refunds: refunds.value, notes: notes.value } : notes.code;
}

async function refundRest(
  { processor }: Pick<Services, "processor">,
  invoice: Invoice,
  key: string,
): Promise<string | null> {
  const rest = heldOf(invoice.totalCents, invoice);
  if (rest === 0 || invoice.paymentId === null) return null;
  const refund = await processor.refundPayment(invoice.paymentId, key, rest);
  return refund.ok ? null : refund.code;
}

/**
 * One credit note for the rest and for what was given back without one. What
 * notes say of refunds that came back has its note: so much goes out without. A
 * note made by hand that gave nothing back leaves nothing to correct: then
 * somebody has to say whether the buyer was paid in another way.
 */
async function issueCreditNote(
  { processor, log }: Services,
  invoice: Invoice,
  notes: readonly CreditNote[],
  key: string,
): Promise<string | null> {
  const { id, day, bidId } = invoice;
  const plan = planNote(invoice, notes);
  if (plan === "credited_by_hand") return plan;
  const { notedCents, againCents, named, isCut } = plan;
  const amountCents = notedCents + refundedCents({ refunds: named });
  if (amountCents > 0) {
    const note = await processor.createCreditNote({
      invoiceId: id,
      amountCents,
      reason: "order_change",
      refundCents: notedCents,
      refunds: named,
      metadata: { purpose: "spotlight", day, bid_id: bidId },
    }, key);
    if (!note.ok && notedCents > 0) return note.code;
    // The money is back; only its document is missing.
    const missing = !note.ok ? note.code : isCut ? "too_many_refunds" : null;
    if (missing !== null) {
      log.error("invoice.note_refused", { invoice: id, code: missing });
    }
  }
  if (againCents === 0 || invoice.paymentId === null) return null;
  const { paymentId } = invoice;
  // The key of the attempt is the note's.
  const again = `${key}:again`;
  const sent = await processor.refundPayment(paymentId, again, againCents);
  return sent.ok ? null : sent.code;
}

/** What is given back with a credit note and without, cents. */
interface NotePlan {
  /** With the note. */
  notedCents: number;
  /** Without: a note was made of it, and the refund that it names came back. */
  againCents: number;
  /** What is back already, which the note names. */
  named: readonly ProcessorRefund[];
  /** More of that is back than one note names. */
  isCut: boolean;
}

function planNote(
  invoice: Invoice,
  notes: readonly CreditNote[],
): NotePlan | "credited_by_hand" {
  const { totalCents, failedRefunds = [] } = invoice;
  const all = notes.flatMap(({ refunds }) => refunds);
  const of = (id: string) =>
    refundedCents({ refunds: all.filter((each) => each.id === id) });
  const cameBack = failedRefunds.reduce((sum, id) => sum + of(id), 0);
  const unnamed = invoice.refunds
    .map(({ id, amountCents }) => ({ id, amountCents: amountCents - of(id) }))
    .filter(({ amountCents }) => amountCents > 0);
  const unnamedCents = refundedCents({ refunds: unnamed });
  const rest = heldOf(totalCents, invoice);
  const againCents = Math.min(rest, Math.max(0, cameBack - unnamedCents));
  const notedCents = rest - againCents;
  const corrected = notes.reduce((sum, note) => sum + note.totalCents, 0);
  const room = totalCents - corrected - notedCents;
  // What went out again for a refund that came back has its note, too.
  const loose = upTo(unnamed, unnamedCents - cameBack);
  const named = loose.slice(0, NAMED_MAX);
  const isCut = loose.length > NAMED_MAX;
  const plan = { notedCents, againCents, named, isCut };
  if (refundedCents({ refunds: named }) <= room) return plan;
  if (rest > 0) return "credited_by_hand";
  return { ...plan, named: upTo(named, room) };
}

/** The refunds, or parts of them, that make so many cents. */
function upTo(
  refunds: readonly ProcessorRefund[],
  cents: number,
): ProcessorRefund[] {
  let left = cents;
  return refunds.flatMap(({ id, amountCents }) => {
    const part = Math.min(amountCents, left);
    if (part <= 0) return [];
    left -= part;
    return [{ id, amountCents: part }];
  });
}
