/**
 * An invoice's place in its list, as the text behind an opaque cursor.
 *
 * @module
 */
import { invariant } from "../domain/invariant.ts";
import type { Invoice, InvoicePlace } from "../domain/invoices/invoice.ts";

/** What positions look like: the moment, then the id. */
export const INVOICE_POSITION = /^(\d{1,15}) ([A-Za-z0-9_]{1,255})$/;

/** The position of an invoice. */
export function invoicePosition(
  { finalizedAtMs, id }: Pick<Invoice, "finalizedAtMs" | "id">,
): string {
  return `${finalizedAtMs} ${id}`;
}

/** The place that a position names; null for the beginning of the list. */
export function invoicePlace(position: string | null): InvoicePlace | null {
  if (position === null) return null;
  const [, finalizedAtMs, invoiceId] = INVOICE_POSITION.exec(position) ?? [];
  invariant(invoiceId !== undefined, "a position was checked when it was read");
  return { finalizedAtMs: Number(finalizedAtMs), invoiceId };
}
