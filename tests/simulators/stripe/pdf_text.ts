/**
 * Reads what a printed document says.
 *
 * @module
 */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
} from "pdf-lib";

/**
 * The lines of all pages, in order. Where a font says which letters its codes
 * are, these are they; else letters beyond ASCII come out garbled.
 */
export async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(bytes);
  return document.getPages().flatMap(({ node }) => {
    const contents = node.Contents();
    const parts = contents instanceof PDFArray
      ? contents.asArray().map((ref) => document.context.lookup(ref))
      : [contents];
    const letters = lettersOf(node.normalizedEntries().Font);
    return parts.flatMap((part) =>
      part instanceof PDFRawStream ? shownIn(part, letters) : []
    );
  });
}

/** The letter of each code of two bytes, as a page's font says. */
function lettersOf(fonts: PDFDict): ReadonlyMap<string, string> {
  const [font] = fonts.values().map((ref) => fonts.context.lookup(ref));
  const map = font instanceof PDFDict
    ? font.lookup(PDFName.of("ToUnicode"))
    : undefined;
  const rows = map instanceof PDFRawStream
    ? codeOf(map).matchAll(/^<(\w{4})> <(\w{4})>$/gm)
    : [];
  return new Map(
    Array.from(rows, ([, code = "", unit = ""]) => [code, letterOf(unit)]),
  );
}

function shownIn(
  stream: PDFRawStream,
  letters: ReadonlyMap<string, string>,
): string[] {
  const size = letters.size === 0 ? /../g : /..../g;
  return [...codeOf(stream).matchAll(/<([0-9A-F]*)> Tj/g)].map((
    [, hex = ""],
  ) => hex.replace(size, (code) => letters.get(code) ?? letterOf(code)));
}

function letterOf(hex: string): string {
  return String.fromCharCode(parseInt(hex, 16));
}

function codeOf(stream: PDFRawStream): string {
  return new TextDecoder().decode(decodePDFRawStream(stream).decode());
}

/** The lines of the document behind an address. */
export async function printedAt(
  url: string | null | undefined,
): Promise<string[]> {
  return await linesOf(await (await fetch(url ?? "")).bytes());
}
