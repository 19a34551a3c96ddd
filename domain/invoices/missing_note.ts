import { refundedCents } from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import { type Invoice, INVOICE_MONEY, isLeftToPerson } from "./invoice.ts";

/**
 * An invoice that something else than an attempt of ours ended, a release or a
 * bank: where it has too few credit notes for what is back, the next attempt
 * finds nothing to give back, and makes the note. What is left to a person stays
 * so.
 */
export function withNoteDue(
  before: Pick<Invoice, "money">,
  after: Invoice,
  nowMs: number,
): Invoice {
  const isEnded = before.money !== after.money && isNoteMissing(after);
  if (!isEnded || isLeftToPerson(after)) return after;
  return {
    ...after,
    money: advance(INVOICE_MONEY, after.money, "refunding"),
    dueAtMs: nowMs,
    refundTries: 0,
    refundRefusals: 0,
  };
}

/** Tells the log of one that ended so and is left to a person. */
export function tellMissingNote(
  { log }: Pick<Services, "log">,
  invoice: Invoice | null,
): void {
  if (invoice === null || !isNoteMissing(invoice)) return;
  const fields = { invoice: invoice.id, code: "note_missing" };
  log.error("invoice.note_refused", fields);
}

/** Whether it is all given back and has too few credit notes for that. */
function isNoteMissing(invoice: Invoice): boolean {
  const { state, money, creditNotes } = invoice;
  if (state !== "paid" || money !== "refunded") return false;
  const noted = creditNotes.reduce((sum, note) => sum + note.totalCents, 0);
  return noted < refundedCents(invoice);
}
