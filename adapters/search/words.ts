/**
 * Cuts text into words, whatever script it is written in.
 *
 * @module
 */
import { fold } from "./fold.ts";

/** Scripts that write no spaces between words. */
const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー";
const SPACELESS =
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** A run of one kind; `ー` lengthens a vowel and belongs to its word. */
const RUNS = new RegExp(
  `(?<cjk>[${CJK}]+)|(?<spaceless>[${SPACELESS}\\p{M}]+)` +
    `|(?:(?![${CJK}${SPACELESS}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu",
);
const CJK_WORD = new RegExp(`^[${CJK}]+$`, "u");

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The folded words of a text, in its order, repeats included. */
export function wordsOf(text: string): string[] {
  // Manolo's is the word Manolo, 2,500 a number, bidCount a bid and a count.
  const cut = text.replace(/(?<=\p{L})['’]s(?!\p{L})/gu, "")
    .replace(/(?<=\d)[,'’](?=\d{3}(?!\d))/g, "")
    .replace(/(?<=[a-z])(?=[A-Z][a-z])/g, " ");
  return [...fold(cut).matchAll(RUNS)].flatMap((run) => {
    const [word] = run;
    if (run.groups?.cjk !== undefined) return pairsOf(word);
    if (run.groups?.spaceless !== undefined) return segmentsOf(word);
    return [word];
  });
}

/** Words that a mark joins: "e-mail", "bids:write", "max_bid_cents". */
const COMPOUND =
  /(?<![\p{L}\p{N}\p{M}])\p{L}[\p{L}\p{N}\p{M}]*(?:[-_.:][\p{L}\p{N}\p{M}]+){1,5}/gu;

/** The names that are joined of words, folded and without what joins them. */
export function compoundsOf(text: string): string[] {
  return [...text.matchAll(COMPOUND)]
    .map(([name]) => fold(name.replace(/[-_.:]/g, "")));
}

/** Whether the word is written in Chinese characters or Japanese kana. */
export function isCjk(word: string): boolean {
  return CJK_WORD.test(word);
}

/**
 * Overlapping pairs of characters: where a word of such a text ends depends on
 * the sentence, so a word that is looked for alone may be cut otherwise.
 */
function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) =>
    (characters[at] ?? "") + character
  );
}

function segmentsOf(run: string): string[] {
  return [...segmenter.segment(run)]
    .filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}
