/**
 * Which texts of others are plain: what is seen is all there is. Used for the
 * copy of advertisements, the names of companies and of clients, what reviewers
 * write and reports.
 *
 * @module
 */
import { unreachable } from "../invariant.ts";

/** What is wrong with a text, from what is named first to what is last. */
export type TextProblem =
  | "missing"
  /** It is not on one line. */
  | "line_break"
  /** C0, DEL or C1: terminal escapes begin with one of them. */
  | "control_character"
  /** It turns the direction of what stands around it. */
  | "direction_character"
  /** Zero-width spaces, joiners and their like. */
  | "zero_width_character"
  /** U+E0000–E007F, a second alphabet that nobody sees. */
  | "tag_character"
  /** Surrogates alone, private use, and what no one has assigned. */
  | "unassigned_character"
  /** Fillers, soft hyphens and selectors: characters without an appearance. */
  | "invisible_character"
  /** More marks on a letter than any script needs, or marks on nothing. */
  | "stacked_marks"
  | "too_short"
  | "too_long";

/** How long a text may be, in code points. */
export interface TextBounds {
  min: number;
  max: number;
}

const SPACE = /\p{Zs}/u;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const ZERO_WIDTH = /[\u180E\u200B-\u200D\u2060-\u2064\uFEFF]/;
const TAG = /[\u{E0000}-\u{E007F}]/u;
const UNASSIGNED = /[\p{Cn}\p{Co}\p{Cs}]/u;
/** Letters and symbols that are drawn as nothing count too. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * How an emoji asks to be drawn; anywhere else it could carry a message. Unicode
 * calls digits emoji too, but they are drawn as such in a keycap only.
 */
const EMOJI_SELECTOR =
  /(?<=\p{Emoji})(?<![0-9#*])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/gu;
/** Four are needed by no script that is written in composed characters. */
const STACKED = /^\p{M}|[\s]\p{M}|\p{M}{5}/u;

const CHARACTERS: readonly (readonly [TextProblem, RegExp])[] = [
  ["line_break", LINE_BREAK],
  ["control_character", /\p{Cc}/u],
  ["direction_character", DIRECTION],
  ["zero_width_character", ZERO_WIDTH],
  ["tag_character", TAG],
  ["unassigned_character", UNASSIGNED],
  ["invisible_character", INVISIBLE],
  ["stacked_marks", STACKED],
];

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
  const found = CHARACTERS.find(([, shape]) => shape.test(drawn));
  if (found !== undefined) return found[0];
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
    case "line_break":
      return "Write this on one line, without line breaks.";
    case "control_character":
      return "Remove the control characters, such as tabs and escapes; " +
        "typing it anew helps.";
    case "direction_character":
      return "Remove the characters that change the direction of text; " +
        "typing it anew helps.";
    case "zero_width_character":
      return "Remove the zero-width characters; typing it anew helps. Emoji " +
        "that are joined of several are among them.";
    case "tag_character":
      return "Remove the hidden tag characters; typing it anew helps.";
    case "unassigned_character":
      return "Remove the characters that Unicode does not define; typing it " +
        "anew helps.";
    case "invisible_character":
      return "Remove the characters that can’t be seen; typing it anew helps.";
    case "stacked_marks":
      return "Remove the accents that are piled up or stand alone.";
    default:
      return unreachable(problem);
  }
}
