/**
 * What is indexed of a text, and looked for: words in their stems.
 *
 * @module
 */
import { stemmer } from "@orama/stemmers/english";
import { daysIn } from "./days.ts";
import { inLatinLetters } from "./fold.ts";
import { IRREGULAR } from "./irregular.ts";
import { compoundsOf, wordsOf } from "./words.ts";

/** Stems that are remembered; the words of most texts are the same ones. */
const STEMS_KEPT_MAX = 20_000;
/** A longer word is no word, and the index keeps no more of it. */
const WORD_LENGTH_MAX = 40;

const stems = new Map<string, string>();

/** The stem of a folded word, for words that may be English. */
export function stemOf(word: string): string {
  const short = word.slice(0, WORD_LENGTH_MAX);
  if (!/^[a-z]{3,}$/.test(short)) return short;
  const known = stems.get(short);
  if (known !== undefined) return known;
  if (stems.size >= STEMS_KEPT_MAX) stems.clear();
  const stem = stemmer(IRREGULAR.get(short) ?? short);
  stems.set(short, stem);
  return stem;
}

/**
 * The terms of a text that is indexed: the stem of each word, words in Greek
 * and Cyrillic letters also as they are typed in Latin ones, names such as
 * `max_bid_cents` also as one word, and days.
 */
export function termsOf(text: string): string[] {
  const terms = wordsOf(text).flatMap((word) => {
    const latin = inLatinLetters(word);
    return latin === null ? [stemOf(word)] : [word, stemOf(latin)];
  });
  const names = compoundsOf(text).map(stemOf);
  return [...terms, ...names, ...daysIn(text).map(({ term }) => term)];
}
