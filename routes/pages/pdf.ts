/**
 * Lines of text as a PDF of one page (ISO 32000-1): the same bytes for the same
 * text. It carries the letters that it prints, and says which they are, so that
 * they can be searched and copied. Nothing is compressed: what a compressor
 * makes of a text may change with its version.
 *
 * @module
 */
import { cutFace } from "./cut_face.ts";
import { brokenLines } from "./lines.ts";
import {
  advanceOf,
  glyphOf,
  printable,
  tableOf,
  UNITS_PER_EM,
  widthOf,
} from "./print_face.ts";

const MARGIN = 56;
const PAGE_WIDTH = 595;
const TITLE_SIZE = 16;
const SIZE = 10;
const LINE_HEIGHT = 16;
const TOP = 780;
/** As many as a page holds. */
const LINES_MAX = 45;
/** Longest text that is printed in one or more lines, in UTF-16 units. */
const TEXT_MAX = 1_000;

/** A printed page. */
export interface PdfPage {
  title: string;
  /** What is longer than a printed line goes on in the next; 45 are printed. */
  lines: readonly string[];
}

/** Prints one page. */
export function pdfOf({ title, lines }: PdfPage): Uint8Array<ArrayBuffer> {
  const [headline = ""] = printedLines(title, TITLE_SIZE);
  const printed = lines.slice(0, LINES_MAX)
    .flatMap((line) => printedLines(line, SIZE)).slice(0, LINES_MAX);
  const letters = [...new Set([headline, ...printed].join(""))];
  return bytesOf(withTable([
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} 842] ` +
    "/Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
    streamOf(contentOf(headline, printed, letters)),
    ...fontOf(letters),
    `<< /Title <FEFF${hexOf(headline)}> /Producer (Spotlight) >>`,
  ]));
}

/** A text as the lines that there is room for; an empty one is a line too. */
function printedLines(text: string, size: number): string[] {
  const width = (PAGE_WIDTH - 2 * MARGIN) / size;
  return brokenLines(printable(text.slice(0, TEXT_MAX)), width, widthOf);
}

/** What is drawn, with each letter by its place among `letters`. */
function contentOf(
  headline: string,
  lines: readonly string[],
  letters: readonly string[],
): string {
  const codes = new Map(letters.map((letter, at) => [letter, hex(at + 1)]));
  const shown = (text: string) =>
    `<${Array.from(text, (letter) => codes.get(letter)).join("")}>`;
  return [
    `BT /F1 ${TITLE_SIZE} Tf ${MARGIN} ${TOP} Td ${shown(headline)} Tj ET`,
    `BT /F1 ${SIZE} Tf ${LINE_HEIGHT} TL ` +
    `${MARGIN} ${TOP - 2 * LINE_HEIGHT} Td`,
    ...lines.map((line) => `${shown(line)} Tj T*`),
    "ET",
  ].join("\n");
}

/** The name of a part of a face begins with six letters of ours. */
const FACE = "SPOTLT+Arimo-Regular";

/** Objects 5 to 9: the letters' shapes, widths, and what they are in Unicode. */
function fontOf(letters: readonly string[]): string[] {
  const face = Array.from(cutFace(letters), byteAsLetter).join("");
  const widths = ["", ...letters].map((letter) =>
    inThousands(advanceOf(letter === "" ? 0 : glyphOf(letter)))
  );
  return [
    `<< /Type /Font /Subtype /Type0 /BaseFont /${FACE} /Encoding /Identity-H ` +
    "/DescendantFonts [6 0 R] /ToUnicode 9 0 R >>",
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${FACE} /CIDSystemInfo ` +
    "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> " +
    `/FontDescriptor 7 0 R /W [0 [${widths.join(" ")}]] ` +
    "/CIDToGIDMap /Identity >>",
    DESCRIPTOR,
    streamOf(face, `/Length1 ${face.length} `),
    streamOf(unicodeOf(letters)),
  ];
}

const HEAD = tableOf("head");
const LINES = tableOf("hhea");
const DESCRIPTOR = `<< /Type /FontDescriptor /FontName /${FACE} /Flags 4 ` +
  `/FontBBox [${
    [36, 38, 40, 42].map((at) => inThousands(HEAD.getInt16(at))).join(" ")
  }] /ItalicAngle 0 /Ascent ${inThousands(LINES.getInt16(4))} /Descent ${
    inThousands(LINES.getInt16(6))
  } /CapHeight ${
    inThousands(tableOf("OS/2").getInt16(88))
  } /StemV 80 /FontFile2 8 0 R >>`;

/** A length of the face's, as PDF counts them: a thousandth of the size. */
function inThousands(units: number): number {
  return Math.round(units * 1_000 / UNITS_PER_EM);
}

/** Most letters that one list of a map may have. */
const MAP_ROWS = 100;

/** Which letter each code is, for who searches or copies the text. */
function unicodeOf(letters: readonly string[]): string {
  const rows = letters.map((letter, at) =>
    `<${hex(at + 1)}> <${hexOf(letter)}>`
  );
  const lists: string[] = [];
  for (let at = 0; at < rows.length; at += MAP_ROWS) {
    const some = rows.slice(at, at + MAP_ROWS);
    lists.push(`${some.length} beginbfchar`, ...some, "endbfchar");
  }
  return [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
    "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
    "1 begincodespacerange <0000> <FFFF> endcodespacerange",
    ...lists,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n");
}

function streamOf(data: string, more = ""): string {
  return `<< /Length ${data.length} ${more}>>\nstream\n${data}\nendstream`;
}

/** The objects one after the other, and where each of them begins. */
function withTable(objects: readonly string[]): string {
  // Bytes above ASCII say that the file is no text.
  let file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(file.length);
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = places.map((place) =>
    `${String(place).padStart(10, "0")} 00000 n \n`
  );
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}` +
    `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\n` +
    `startxref\n${file.length}\n%%EOF\n`;
}

/** A text's UTF-16 units. */
function hexOf(text: string): string {
  return Array.from(text, (letter) => hex(letter.charCodeAt(0))).join("");
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}

/** A byte as the letter that {@linkcode bytesOf} makes it of again. */
function byteAsLetter(byte: number): string {
  return String.fromCharCode(byte);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
