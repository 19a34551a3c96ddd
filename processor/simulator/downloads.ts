/**
 * What is downloaded by its address alone: invoices as PDF.
 *
 * @module
 */

import type { Books } from "./books.ts";
import { jsonAnswer, type WireAnswer, type WireRequest } from "./wire.ts";

/** What the path of every invoice begins with. */
export const INVOICE_PREFIX = "/invoice/";

/**
 * Answers a download; the secret in the address is the permission.
 *
 * @param paddingBytes how much larger the file is made
 */
export async function answerDownload(
  books: Books,
  { method, path }: WireRequest,
  paddingBytes: number,
): Promise<WireAnswer> {
  const [id = ""] = path.slice(INVOICE_PREFIX.length).split("/");
  const invoice = books.tables.invoice.get(id);
  const isAddress = invoice?.invoice_pdf?.endsWith(path) ?? false;
  if (method !== "GET" || invoice === undefined || !isAddress) {
    return jsonAnswer(404, { error: { message: "Not found" } });
  }
  const { printInvoice } = await import("./pdf.ts");
  return {
    status: 200,
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${invoice.number}.pdf"`,
    },
    body: await printInvoice(invoice, paddingBytes),
  };
}
