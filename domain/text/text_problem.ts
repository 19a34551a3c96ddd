/**
 * Which texts of others are plain: what is seen is all there is. Used for the
 * copy of advertisements, the names of companies and of clients, what reviewers
 * write and reports.
 *
 * @module
 */

/** How long a text may be, in code points. */
export interface TextBounds {
  min: number;
  max: number;
}

const SPACE = /\p{Zs}/u;
/**
 * How an emoji asks to be drawn; anywhere else it could carry a message. Unicode
 * calls digits emoji too, but they are drawn as such in a keycap only.
 */
const EMOJI_SELECTOR =
  /(?<=\p{Emoji})(?<![0-9#*])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/gu;

/** Characters that no text may hold, in the order they are named, and what to do. */
const CHARACTERS = {
  line_break: {
    shape: /[\n\v\f\r\u0085\u2028\u2029]/,
    sentence: "Write this on one line, without line breaks.",
  },
  /** C0, DEL or C1: terminal escapes begin with one of them. */
  control_character: {
    shape: /\p{Cc}/u,
    sentence: "Remove the control characters, such as tabs and escapes; " +
      "typing it anew helps.",
  },
  direction_character: {
    shape: /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/,
    sentence: "Remove the characters that change the direction of text; " +
      "typing it anew helps.",
  },
  zero_width_character: {
    shape: /[\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/,
    sentence: "Remove the zero-width characters; typing it anew helps. Emoji " +
      "that are joined of several are among them.",
  },
  /** A second alphabet that nobody sees. */
  tag_character: {
    shape: /[\u{E0000}-\u{E007F}]/u,
    sentence: "Remove the hidden tag characters; typing it anew helps.",
  },
  /** Surrogates alone, private use, and what no one has assigned. */
  unassigned_character: {
    shape: /[\p{Cn}\p{Co}\p{Cs}]/u,
    sentence: "Remove the characters that Unicode does not define; typing it " +
      "anew helps.",
  },
  /** Fillers, soft hyphens and selectors; letters drawn as nothing count too. */
  invisible_character: {
    shape: /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u,
    sentence: "Remove the characters that can’t be seen; typing it anew helps.",
  },
  /** Four are needed by no script that is written in composed characters. */
  stacked_marks: {
    shape: /^\p{M}|[\s]\p{M}|\p{M}{5}/u,
    sentence: "Remove the accents that are piled up or stand alone.",
  },
} as const satisfies Readonly<
  Record<string, { shape: RegExp; sentence: string }>
>;

type CharacterProblem = keyof typeof CHARACTERS;

const CHARACTER_PROBLEMS = Object.keys(CHARACTERS) as CharacterProblem[];

/** What is wrong with a text. */
export type TextProblem =
  | "missing"
  | CharacterProblem
  | "too_short"
  | "too_long";

/** Most UTF-16 units that one composed code point (NFC) is written with. */
const UNITS_PER_CHARACTER = 4;

/** Whether a text is too long however it is composed: no need to look at it. */
export function isFarTooLong(text: string, max: number): boolean {
  return text.length > max * UNITS_PER_CHARACTER;
}

/**
 * The text in NFC. A text that is far too long is returned as it is, since
 * composing costs up to a hundred times what its length would suggest.
 *
 * @param max how long it may be, in code points
 */
export function composed(text: string, max: number): string {
  return isFarTooLong(text, max) ? text : text.normalize("NFC");
}

/**
 * The text as it is kept: NFC, the ends without white space. Characters that
 * are refused stay, so that they are seen to be refused.
 */
export function plainText(text: string, { max }: TextBounds): string {
  let start = 0;
  let end = text.length;
  // An expression for both ends is quadratic on white space in the middle.
  while (start < end && isSpace(text[start])) start++;
  while (start < end && isSpace(text[end - 1])) end--;
  return composed(text.slice(start, end), max);
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && SPACE.test(character);
}

/** What is wrong with a text that {@linkcode plainText} made; null if nothing. */
export function textProblem(
  text: string,
  bounds: TextBounds,
): TextProblem | null {
  if (text === "") return bounds.min === 0 ? null : "missing";
  if (isFarTooLong(text, bounds.max)) return "too_long";
  const drawn = text.replaceAll(EMOJI_SELECTOR, "");
  const found = CHARACTER_PROBLEMS
    .find((problem) => CHARACTERS[problem].shape.test(drawn));
  if (found !== undefined) return found;
  const { length } = [...text];
  if (length < bounds.min) return "too_short";
  return length > bounds.max ? "too_long" : null;
}

/** What is wrong with a text and what to do, in a sentence for anyone. */
export function textSentence(
  problem: TextProblem,
  { min, max }: TextBounds,
): string {
  switch (problem) {
    case "missing":
      return `Write ${min} to ${max} characters here.`;
    case "too_short":
      return `Write at least ${min} characters.`;
    case "too_long":
      return `Shorten this to ${max} characters.`;
    default:
      return CHARACTERS[problem].sentence;
  }
}
