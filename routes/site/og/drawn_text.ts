/**
 * Text as a picture has it: which letters the face has, and where a line ends.
 *
 * @module
 */
import { brokenLines, cut } from "../../pages/lines.ts";

/** Letters of Latin scripts, and the signs that stand among them. */
const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u0131\u0134-\u0148\u014a-\u017e\u0218-\u021b\u1e9e\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2122]*$/;

/** Whether the face has all of a text's letters. */
export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text.normalize("NFC"));
}

/** Letters by their largest width, in thousandths of the size. */
const WIDTHS: readonly [letters: string, width: number][] = [
  [" ijlI.,:;'|!’‘ıł", 310],
  ['frtľ()[]{}/\\-"*“”„', 470],
  ["mwMW@%—ẞ©æœÆŒ™¼½¾", 950],
  ["ABCDEFGHKLNOPQRSTUVXYZ&_–…€«»®ØÐĐÞßŁĦŊďưứừửữự¤¶", 720],
];
/** The width of all others. */
const OTHERWISE = 610;

const WIDTH_OF = new Map(
  WIDTHS.flatMap(([letters, width]) =>
    [...letters].map((letter) => [letter, width] as const)
  ),
);
/** How wide a text is at most, in multiples of its size. */
export function widthOf(text: string): number {
  const letters = [...text.normalize("NFC")];
  return letters.reduce((sum, letter) => sum + letterWidth(letter), 0) / 1_000;
}

/** Most accents are no wider than the letter that they stand on. */
function letterWidth(letter: string): number {
  const [plain = ""] = letter.normalize("NFD");
  return WIDTH_OF.get(letter) ?? WIDTH_OF.get(plain) ?? OTHERWISE;
}

/** A text in lines of at most this width; a word that is wider is cut. */
export function linesOf(text: string, width: number): string[] {
  return brokenLines(text, width, widthOf);
}

/** As much of a text as a line has room for. */
export function inOneLine(text: string, width: number): string {
  const composed = text.normalize("NFC");
  if (widthOf(composed) <= width) return composed;
  const [line = ""] = cut(composed, width - widthOf(" …"), widthOf);
  return `${line.trimEnd()} …`;
}
