/**
 * Text as a PDF, the same bytes for the same text.
 *
 * @module
 */

import {
  PDFDocument,
  type PDFFont,
  type PDFPage,
  StandardFonts,
} from "pdf-lib";
import { toWinAnsi } from "./win_ansi.ts";

const PAGE: [width: number, height: number] = [595, 842];
const MARGIN = 56;
const LINE_HEIGHT = 16;
const FONT_SIZE = 10;

/** Longest line of text; a company's name may be longer than the page. */
const MAX_LINE_LENGTH = 90;

/** Most lines printed; no invoice of 250 items needs as many. */
const MAX_LINES = 2_000;

/** A document to be printed. */
export interface Printed {
  /** Its first line as well. */
  title: string;
  /** When it was issued, epoch seconds. */
  issued: number;
  lines: string[];
  /** Size of an attachment that makes the file larger, bytes. */
  padding: number;
}

/** Prints a document. */
export async function print(
  { title, issued, lines, padding }: Printed,
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const date = new Date(issued * 1_000);
  document.setTitle(title);
  document.setProducer("Stripe simulator");
  document.setCreator("Stripe simulator");
  document.setCreationDate(date);
  document.setModificationDate(date);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const printed = lines.flatMap((line) => line.split("\n")).flatMap(wrap)
    .slice(0, MAX_LINES);
  const perPage = Math.floor((PAGE[1] - 2 * MARGIN) / LINE_HEIGHT);
  for (let at = 0; at < printed.length; at += perPage) {
    printPage(document.addPage(PAGE), font, printed.slice(at, at + perPage));
  }
  if (padding > 0) {
    await document.attach(noise(padding), "padding.bin", {
      creationDate: date,
      modificationDate: date,
    });
  }
  return await document.save();
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
