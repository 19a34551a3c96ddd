/**
 * Reads what a printed document says.
 *
 * @module
 */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDocument,
  PDFRawStream,
} from "pdf-lib";

/** The lines of all pages, in order; letters beyond ASCII come out garbled. */
export async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes);
  return document.getPages().flatMap(({ node }) => {
    const contents = node.Contents();
    const parts = contents instanceof PDFArray
      ? contents.asArray().map((ref) => document.context.lookup(ref))
      : [contents];
    return parts.flatMap((part) =>
      part instanceof PDFRawStream ? shownIn(part) : []
    );
  });
}

function shownIn(stream: PDFRawStream): string[] {
  const code = new TextDecoder().decode(decodePDFRawStream(stream).decode());
  return [...code.matchAll(/<([0-9A-F]*)> Tj/g)].map(([, hex = ""]) =>
    hex.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16)))
  );
}

/** The lines of the document behind an address. */
export async function printedAt(
  url: string | null | undefined,
): Promise<string[]> {
  return await linesOf(await (await fetch(url ?? "")).bytes());
}
