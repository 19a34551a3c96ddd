import { refundedCents } from "../payments/returned.ts";
import type { Services } from "../ports.ts";
import type { Invoice } from "./invoice.ts";

/**
 * Tells the log of a paid invoice that is given back and has too few credit
 * notes, where that came about by none of our attempts: an attempt makes the
 * note, or tells why the processor refuses it.
 */
export function tellMissingNote(
  { log }: Pick<Services, "log">,
  invoice: Invoice | null,
): void {
  if (invoice?.state !== "paid" || invoice.money !== "refunded") return;
  const noted = invoice.creditNotes
    .reduce((sum, { totalCents }) => sum + totalCents, 0);
  if (noted >= refundedCents(invoice)) return;
  const fields = { invoice: invoice.id, code: "note_missing" };
  log.error("invoice.note_refused", fields);
}
