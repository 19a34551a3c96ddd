/**
 * Lines of text as a PDF of one page (ISO 32000-1): the same bytes for the same
 * text. It needs no font of its own, and so has the letters of Western Europe
 * alone; any other loses its mark, or is printed as a question mark.
 *
 * @module
 */

/** Letters of Windows-1252 that are no Latin-1, by their Unicode. */
const ABOVE_LATIN_1: Readonly<Record<string, number>> = {
  "€": 0x80,
  "‚": 0x82,
  "„": 0x84,
  "…": 0x85,
  "Š": 0x8a,
  "Œ": 0x8c,
  "Ž": 0x8e,
  "‘": 0x91,
  "’": 0x92,
  "“": 0x93,
  "”": 0x94,
  "•": 0x95,
  "–": 0x96,
  "—": 0x97,
  "š": 0x9a,
  "œ": 0x9c,
  "ž": 0x9e,
  "Ÿ": 0x9f,
};

const LINE_HEIGHT = 16;
const TOP = 780;
/** As many as a page holds. */
const LINES_MAX = 45;
/** As many characters as a line holds. */
const LINE_LENGTH_MAX = 95;

/** A printed page. */
export interface PdfPage {
  title: string;
  /** What is longer than a printed line goes on in the next; 45 are printed. */
  lines: readonly string[];
}

/** Prints one page. */
export function pdfOf({ title, lines }: PdfPage): Uint8Array<ArrayBuffer> {
  const text = [
    `BT /F1 16 Tf 56 ${TOP} Td ${literal(title)} Tj ET`,
    `BT /F1 10 Tf ${LINE_HEIGHT} TL 56 ${TOP - 2 * LINE_HEIGHT} Td`,
    ...printedLines(lines).map((line) => `${literal(line)} Tj T*`),
    "ET",
  ].join("\n");
  return bytesOf(withTable([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " +
    "/Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica " +
    "/Encoding /WinAnsiEncoding >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    `<< /Title ${literal(title)} /Producer (Spotlight) >>`,
  ]));
}

/** The lines that are printed, as many as a page has. */
function printedLines(lines: readonly string[]): string[] {
  return lines.slice(0, LINES_MAX).flatMap(wrapped).slice(0, LINES_MAX);
}

/** A line as so many printed ones, broken between words where it has any. */
function wrapped(line: string): string[] {
  const bounded = line.slice(0, LINES_MAX * LINE_LENGTH_MAX);
  return bounded.match(PRINTED_LINE) ?? [""];
}

/**
 * As much as fits in {@linkcode LINE_LENGTH_MAX} letters, up to a space or to the
 * end; else as many letters as fit.
 */
const PRINTED_LINE = /[^ ].{0,94}(?= |$)|[^ ].{0,94}/gs;

/** The objects one after the other, and where each of them begins. */
function withTable(objects: readonly string[]): string {
  let file = "%PDF-1.4\n";
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

/** A text as PDF writes one, of characters that are bytes. */
function literal(text: string): string {
  const bytes = [...text.slice(0, LINE_LENGTH_MAX)].map(byteOf).join("");
  return `(${bytes.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)})`;
}

/** Letters of names that Unicode takes apart into no plain one. */
const WITHOUT_STROKE: Readonly<Record<string, string>> = {
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Ħ: "H",
  ħ: "h",
  ı: "i",
};

function byteOf(letter: string): string {
  const code = ABOVE_LATIN_1[letter] ?? letter.codePointAt(0) ?? 0;
  const isPrinted = code >= 0x20 && code <= 0xff && code !== 0x7f;
  if (isPrinted) return String.fromCharCode(code);
  const plain = WITHOUT_STROKE[letter] ?? letter.normalize("NFKD").at(0) ?? "?";
  return plain >= " " && plain <= "~" ? plain : "?";
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
