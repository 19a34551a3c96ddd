/**
 * The face of printed pages: Arimo, under the SIL Open Font License. It has the
 * Latin, Greek and Cyrillic letters, each as wide as in Helvetica. Its file is
 * read as ISO/IEC 14496-22 ("OpenType") has it.
 *
 * @module
 */
import arimo from "@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf" with {
  type: "bytes",
};

const FILE = new DataView(arimo.buffer, arimo.byteOffset, arimo.byteLength);

/** What stands for a letter that the face lacks: a question mark in a diamond. */
const REPLACEMENT = "\ufffd";

/** The face has some letters of other scripts, not how they are put together. */
const PRINTED =
  /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]$/u;
const INVISIBLE = /^[\p{C}\p{Zl}\p{Zp}]$/u;

/** A text in letters that the face has, each of one UTF-16 unit. */
export function printable(text: string): string {
  const letters = Array.from(text.normalize("NFC"), (letter) => {
    const isPrinted = PRINTED.test(letter) && !INVISIBLE.test(letter);
    return isPrinted && glyphOf(letter) !== 0 ? letter : REPLACEMENT;
  });
  return letters.join("");
}

/** How wide a printable text is, in multiples of its size. */
export function widthOf(text: string): number {
  let units = 0;
  for (const letter of text) units += advanceOf(glyphOf(letter));
  return units / UNITS_PER_EM;
}

/** A table of the face's file, by its name. */
export function tableOf(name: string): DataView {
  for (let at = 12; at < 12 + 16 * FILE.getUint16(4); at += 16) {
    const letters = arimo.subarray(at, at + 4);
    if (String.fromCharCode(...letters) !== name) continue;
    const begin = arimo.byteOffset + FILE.getUint32(at + 8);
    return new DataView(arimo.buffer, begin, FILE.getUint32(at + 12));
  }
  throw new Error(`The face has no table ${name}`);
}

const METRICS = tableOf("hmtx");

/** Parts that the size of a letter has, which all lengths are counted in. */
export const UNITS_PER_EM = tableOf("head").getUint16(18);

/** How far the next letter is; the face has a row of its own for each glyph. */
export function advanceOf(glyph: number): number {
  return METRICS.getUint16(4 * glyph);
}

const GLYPHS = new Map(glyphsOf(charactersOf(tableOf("cmap"))));

/** The number of a letter's glyph; 0 if the face has none. */
export function glyphOf(letter: string): number {
  return GLYPHS.get(letter) ?? 0;
}

/** The table of Unicode's first 65,536 characters (format 4). */
function charactersOf(cmap: DataView): DataView {
  const end = 4 + 8 * cmap.getUint16(2);
  for (let at = 4; at < end; at += 8) {
    const table = cmap.getUint32(at + 4);
    const isUnicode = cmap.getUint32(at) === 0x3_0001;
    if (!isUnicode || cmap.getUint16(table) !== 4) continue;
    return new DataView(cmap.buffer, cmap.byteOffset + table);
  }
  throw new Error("The face has no table of characters that is read here");
}

/** Each letter and its glyph: four columns say from where to where they go. */
function* glyphsOf(table: DataView): Generator<[string, number]> {
  const size = table.getUint16(6);
  for (let at = 14; at < 14 + size; at += 2) {
    const last = table.getUint16(at);
    const first = table.getUint16(at + size + 2);
    const shift = table.getUint16(at + 2 * size + 2);
    const place = at + 3 * size + 2;
    const range = table.getUint16(place);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = range === 0
        ? code
        : table.getUint16(place + range + 2 * (code - first));
      const glyph = listed === 0 ? 0 : (listed + shift) & 0xffff;
      yield [String.fromCharCode(code), glyph];
    }
  }
}
