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
import type { Outcome } from "../payments/outcome.ts";
import { refundedCents, unbookedRefunds } from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import type { Invoice } from "./invoice.ts";
import { heldCents } from "./invoice_money.ts";

/** What an attempt came to. */
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

/** What is known before anything is asked for. */
interface Known {
  invoice: Invoice;
  paymentId: string;
  /** A key of this attempt's own: the processor repeats a saved 500 for a day. */
  key: string;
  notes: readonly CreditNote[];
}

/**
 * Looks at what was given back, gives back the rest, and looks again. What an
 * attempt made whose answer was lost is found, not made again. While a bank
 * holds a part, nothing is given back: it may take more, or bring it back.
 *
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function refundInvoiceRest(
  services: Services,
  invoice: Invoice,
): Promise<Attempt> {
  const { processor } = services;
  const { id, paymentId, attempts, state } = invoice;
  invariant(paymentId !== null, "what is given back was paid by a payment");
  const found = await processor.listRefunds(paymentId);
  const noted = state === "paid"
    ? await processor.listCreditNotes(id)
    : { ok: true as const, value: [] };
  if (!found.ok || !noted.ok) return inVain(found.ok ? noted : found);
  const known: Known = {
    invoice: { ...invoice, refunds: found.value },
    paymentId,
    key: `invoice:${id}:refund:${attempts}`,
    notes: noted.value,
  };
  const before: Attempt = {
    refunds: found.value,
    notes: noted.value,
    foundCents: refundedCents({
      refunds: unbookedRefunds(invoice, found.value),
    }),
    trouble: invoice.refundTrouble,
  };
  if (invoice.money === "refund_failed") return before;
  if (invoice.disputedCents > 0) return { ...before, trouble: "dispute_open" };
  const trouble = state === "paid"
    ? await issueCreditNote(services, known)
    : await refundRest(services, known);
  return await readAgain(services, { ...before, trouble }, known);
}

async function refundRest(
  { processor }: Services,
  { invoice, paymentId, key }: Known,
): Promise<string | null> {
  const rest = heldCents(invoice);
  if (rest === 0) return null;
  const refund = await processor.refundPayment(paymentId, key, rest);
  return refund.ok ? null : refund.code;
}

/**
 * One credit note for the rest and for what was given back without one. A note
 * made by hand that gave nothing back leaves nothing to correct: then somebody
 * has to say whether the buyer was paid in another way.
 */
async function issueCreditNote(
  { processor, log }: Services,
  { invoice, key, notes }: Known,
): Promise<string | null> {
  const { id, day, bidId, totalCents } = invoice;
  const rest = heldCents(invoice);
  const named = new Set(notes.flatMap(({ refundIds }) => refundIds));
  const unnamed = invoice.refunds.filter((refund) => !named.has(refund.id));
  const loose = unnamed.slice(0, NAMED_MAX);
  const amountCents = rest + refundedCents({ refunds: loose });
  const corrected = notes.reduce((sum, note) => sum + note.totalCents, 0);
  if (amountCents === 0) return null;
  if (amountCents > totalCents - corrected) {
    return rest === 0 ? null : "credited_by_hand";
  }
  const note = await processor.createCreditNote({
    invoiceId: id,
    amountCents,
    reason: "order_change",
    refundCents: rest,
    refunds: loose,
    metadata: { purpose: "spotlight", day, bid_id: bidId },
  }, key);
  if (!note.ok && rest > 0) return note.code;
  // The money is back; only its document is missing.
  const missing = !note.ok
    ? note.code
    : unnamed.length > NAMED_MAX
    ? "too_many_refunds"
    : null;
  if (missing !== null) {
    log.error("invoice.note_refused", { invoice: id, code: missing });
  }
  return null;
}

async function readAgain(
  { processor }: Services,
  before: Attempt,
  { invoice, paymentId }: Known,
): Promise<Attempt> {
  const refunds = await processor.listRefunds(paymentId);
  const notes = invoice.state === "paid"
    ? await processor.listCreditNotes(invoice.id)
    : { ok: true as const, value: [] };
  if (!refunds.ok || !notes.ok) return before;
  return { ...before, refunds: refunds.value, notes: notes.value };
}

function inVain(refused: Outcome<unknown>): Attempt {
  const trouble = refused.ok ? null : refused.code;
  return { refunds: [], notes: [], foundCents: 0, trouble };
}
