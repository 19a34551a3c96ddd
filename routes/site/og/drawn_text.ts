/**
 * Text as a picture has it: which letters the face has, and where a line ends.
 *
 * @module
 */
import { brokenLines, cut } from "../../pages/lines.ts";

/** Letters of Latin, Greek and Cyrillic, and the signs that stand among them. */
const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u0131\u0134-\u0148\u014a-\u017e\u0218-\u021b\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u0490\u0491\u1e9e\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2116\u2122]*$/;

/** Whether the faces have all of a text's letters. */
export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text.normalize("NFC"));
}

/**
 * Letters by their largest width in either face, in thousandths of the size: a
 * text with a letter that the first lacks is drawn in the second as a whole.
 */
const WIDTHS: readonly [letters: string, width: number][] = [
  [" ijlI.,:;'|!’‘ıłΙίιϊΐІЇіїј", 320],
  ['frtľ()[]{}/\\-"*“”„Ίέεζξτгѓґ', 470],
  [
    "ABCDEFHKLNPRSTUVXYZ&_–€«»®ÐĐÞßŁĦŊŦøďđưứừửữự¿¤¶" +
    "ΑΆΒΔΕΖΚΛΞΡΤΥΧσφЁЄЅАБВДЕЗИЛПРТУХЧЬЭЯЏджлъ",
    740,
  ],
  ["GOQØ", 780],
  ["ƠỚỜỞỠỢơớờởỡợƯỨỪỬỮỰ", 870],
  ["mwMW%ẞ©æœ¼½¾ΈΗΉΘΜΝΟΌΠΎΦΨΩΏπψωώЂЋЖМНОСФЦЪЫмфшщыюљњ", 950],
  ["@—…ÆŒ™", 1_010],
  ["ЉЊШЩЮ№", 1_110],
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
