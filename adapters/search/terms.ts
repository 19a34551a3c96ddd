/**
 * What is indexed of a text, and looked for: words in their stems.
 *
 * @module
 */
import { stemmer } from "@orama/stemmers/english";
import { remembered } from "../../domain/remembered.ts";
import { daysIn } from "./days.ts";
import { inLatinLetters } from "./fold.ts";
import { meantBy } from "./phrases.ts";
import { compoundsOf, wordsOf } from "./words.ts";

/** Forms that a stemmer, which cuts endings off, does not bring together. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    "bought buy",
    "built build",
    "chose choose",
    "chosen choose",
    "children child",
    "drew draw",
    "drawn draw",
    "feet foot",
    "given give",
    "gave give",
    "held hold",
    "kept keep",
    "lost lose",
    "made make",
    "met meet",
    "paid pay",
    "sent send",
    "sold sell",
    "spent spend",
    "taken take",
    "took take",
    "thrown throw",
    "withdrawn withdraw",
    "withdrew withdraw",
    "won win",
    "winner win",
    "written write",
    "wrote write",
  ].map((pair): [string, string] => {
    const [form = "", base = ""] = pair.split(" ");
    return [form, base];
  }),
);

/** Stems that are remembered; the words of most texts are the same ones. */
const STEMS_KEPT_MAX = 20_000;
/** A longer word is no word, and the index keeps no more of it. */
const WORD_LENGTH_MAX = 40;

const stemOfEnglish = remembered(
  STEMS_KEPT_MAX,
  (word) => stemmer(IRREGULAR.get(word) ?? word),
);

/** The stem of a folded word, for words that may be English. */
export function stemOf(word: string): string {
  const short = word.slice(0, WORD_LENGTH_MAX);
  return /^[a-z]{3,}$/.test(short) ? stemOfEnglish(short) : short;
}

/**
 * The terms of a text that is indexed: the stem of each word, words in Greek
 * and Cyrillic letters also as they are typed in Latin ones, names such as
 * `max_bid_cents` also as one word, what its phrases mean, and days.
 */
export function termsOf(text: string): string[] {
  const terms = wordsOf(text).flatMap((word) => {
    const latin = inLatinLetters(word);
    return latin === null ? [stemOf(word)] : [word, stemOf(latin)];
  });
  const names = compoundsOf(text).map(stemOf);
  const meant = meantBy(text).map(stemOf);
  const days = daysIn(text).map(({ term }) => term);
  return [...terms, ...names, ...meant, ...days];
}
