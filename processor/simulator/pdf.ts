/**
 * An invoice as a PDF, the same bytes for the same invoice.
 *
 * @module
 */

import {
  PDFDocument,
  type PDFFont,
  type PDFPage,
  StandardFonts,
} from "pdf-lib";
import type { Address, Invoice } from "./objects.ts";
import { toWinAnsi } from "./win_ansi.ts";

const PAGE: [width: number, height: number] = [595, 842];
const MARGIN = 56;
const LINE_HEIGHT = 16;
const FONT_SIZE = 10;

/** Longest line of text; a company's name may be longer than the page. */
const MAX_LINE_LENGTH = 90;

/** Most lines printed; no invoice of 250 items needs as many. */
const MAX_LINES = 2_000;

const REVERSE_CHARGE = "Reverse charge: VAT to be accounted for by the " +
  "recipient (Art. 196 Directive 2006/112/EC)";

/**
 * Prints a final invoice.
 *
 * @param paddingBytes size of an attachment that makes the file larger
 */
export async function printInvoice(
  invoice: Invoice,
  paddingBytes = 0,
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const issued = new Date((invoice.effective_at ?? invoice.created) * 1_000);
  document.setTitle(`Invoice ${invoice.number}`);
  document.setProducer("Stripe simulator");
  document.setCreator("Stripe simulator");
  document.setCreationDate(issued);
  document.setModificationDate(issued);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const lines = invoiceText(invoice).flatMap(wrap).slice(0, MAX_LINES);
  const perPage = Math.floor((PAGE[1] - 2 * MARGIN) / LINE_HEIGHT);
  for (let at = 0; at < lines.length; at += perPage) {
    printPage(document.addPage(PAGE), font, lines.slice(at, at + perPage));
  }
  if (paddingBytes > 0) {
    await document.attach(noise(paddingBytes), "padding.bin", {
      creationDate: issued,
      modificationDate: issued,
    });
  }
  return await document.save();
}

/** What an invoice says, line by line. */
export function invoiceText(invoice: Invoice): string[] {
  const { status_transitions: at } = invoice;
  return [
    `Invoice ${invoice.number}`,
    `Date of issue: ${day(at.finalized_at)}`,
    "",
    `From: ${invoice.account_name} (${invoice.account_country})`,
    `To: ${invoice.customer_name ?? invoice.customer_email ?? ""}`,
    ...addressText(invoice.customer_address),
    ...invoice.customer_tax_ids.map(({ value }) => `VAT id: ${value}`),
    "",
    ...invoice.lines.data.map((line) =>
      `${line.description ?? "Item"}: ${euros(line.amount)}`
    ),
    "",
    `Excluding tax: ${euros(invoice.total_excluding_tax)}`,
    ...invoice.total_taxes.map((tax) =>
      `Tax (${tax.taxability_reason}): ${euros(tax.amount)}`
    ),
    `Total: ${euros(invoice.total)}`,
    ...(invoice.customer_tax_exempt === "reverse" ? [REVERSE_CHARGE] : []),
    ...(invoice.description === null ? [] : ["", invoice.description]),
    ...(invoice.footer === null ? [] : ["", invoice.footer]),
  ];
}

/** Bytes that no compression makes fewer, the same each time. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

function printPage(page: PDFPage, font: PDFFont, lines: string[]): void {
  for (const [at, line] of lines.entries()) {
    const y = PAGE[1] - MARGIN - at * LINE_HEIGHT;
    page.drawText(line, { x: MARGIN, y, size: FONT_SIZE, font });
  }
}

function wrap(text: string): string[] {
  const plain = toWinAnsi(text);
  const lines: string[] = [];
  for (let at = 0; at < plain.length; at += MAX_LINE_LENGTH) {
    lines.push(plain.slice(at, at + MAX_LINE_LENGTH));
  }
  return lines.length === 0 ? [""] : lines;
}

function addressText(address: Address | null): string[] {
  if (address === null) return [];
  const { line1, line2, postal_code, city, state, country } = address;
  const town = [postal_code, city].filter(Boolean).join(" ");
  return [line1, line2, town, state, country].flatMap((line) => line || []);
}

function euros(cents: number): string {
  return `EUR ${(cents / 100).toFixed(2)}`;
}

function day(seconds: number | null): string {
  if (seconds === null) return "";
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
