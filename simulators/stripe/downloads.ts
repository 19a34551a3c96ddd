/**
 * What is downloaded by its address alone: invoices and credit notes as PDF.
 *
 * @module
 */

import type { Seller } from "./account.ts";
import type { Books } from "./books.ts";
import { CREDIT_NOTE_PREFIX } from "./credit_note.ts";
import {
  creditNoteText,
  invoiceText,
  type PrintSetting,
} from "./printed_text.ts";
import { jsonAnswer, type WireAnswer, type WireRequest } from "./wire.ts";

/** What the path of every invoice begins with. */
const INVOICE_PREFIX = "/invoice/";

/** What the address names, still to be printed. */
interface Found {
  number: string;
  title: string;
  issued: number;
  lines: string[];
}

/** Whether something is downloaded from this path. */
export function isDownload(path: string): boolean {
  return path.startsWith(INVOICE_PREFIX) || path.startsWith(CREDIT_NOTE_PREFIX);
}

/**
 * Answers a download; the secret in the address is the permission.
 *
 * @param padding how much larger the file is made, bytes
 */
export async function answerDownload(
  books: Books,
  { method, path }: WireRequest,
  { seller, padding }: { seller: Seller; padding: number },
): Promise<WireAnswer> {
  const rateOf = (id: string) => books.tables.tax_rate.get(id);
  const setting = { seller, rateOf };
  const found = path.startsWith(INVOICE_PREFIX)
    ? findInvoice(books, path, setting)
    : findNote(books, path, setting);
  if (method !== "GET" || found === null) {
    return jsonAnswer(404, { error: { message: "Not found" } });
  }
  const { print } = await import("./pdf.ts");
  return {
    status: 200,
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${found.number}.pdf"`,
    },
    body: await print({ ...found, padding }),
  };
}

function findInvoice(
  books: Books,
  path: string,
  setting: PrintSetting,
): Found | null {
  const invoice = books.tables.invoice.get(idIn(path));
  const number = invoice?.number ?? null;
  const isAddress = invoice?.invoice_pdf?.endsWith(path) ?? false;
  if (invoice === undefined || number === null || !isAddress) return null;
  return {
    number,
    title: `Invoice ${number}`,
    issued: invoice.effective_at ?? invoice.created,
    lines: invoiceText(invoice, setting),
  };
}

function findNote(
  books: Books,
  path: string,
  setting: PrintSetting,
): Found | null {
  const note = books.tables.credit_note.get(idIn(path));
  const invoice = books.tables.invoice.get(note?.invoice ?? "");
  if (note === undefined || invoice === undefined) return null;
  if (!note.pdf.endsWith(path)) return null;
  return {
    number: note.number,
    title: `Credit note ${note.number}`,
    issued: note.effective_at,
    lines: creditNoteText(note, invoice, setting),
  };
}

/** `/kind/id/secret/pdf` */
function idIn(path: string): string {
  return path.split("/")[2] ?? "";
}
