/**
 * Keeps addresses in the books right when the simulator moves to another
 * port.
 *
 * @module
 */

import type { Books } from "./books.ts";
import { INVOICE_PREFIX } from "./downloads.ts";

/** Points the addresses of all invoices at this simulator. */
export function rebase(books: Books, baseUrl: string, nowMs: number): void {
  const moved = [...books.tables.invoice.values()].flatMap((invoice) => {
    const { invoice_pdf } = invoice;
    if (invoice_pdf === null || invoice_pdf.startsWith(baseUrl)) return [];
    const path = invoice_pdf.slice(invoice_pdf.indexOf(INVOICE_PREFIX));
    return [{ ...invoice, invoice_pdf: baseUrl + path }];
  });
  if (moved.length === 0) return;
  books.transact(nowMs, (change) => {
    for (const invoice of moved) change.put("invoice", invoice);
  });
}
