/**
 * Reads a query: which words of it are looked for. However long or hostile it
 * is, few words are left, so that what a search costs is bounded.
 *
 * @module
 */
import { daysIn } from "./days.ts";
import { withMeanings } from "./phrases.ts";
import { stemOf } from "./terms.ts";
import { compoundsOf, isCjk, wordsOf } from "./words.ts";

/**
 * English words that questions are made of and that tell nothing of what is
 * looked for, folded. Nor do words for ads and for the past, since every
 * Spotlight is an ad of the past. All of them are indexed, and left out of
 * queries that have other words.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those there here it its they them their he she " +
    "his her we us our ours you your yours i me my mine who whom whose which " +
    "what when where why how and or but nor not no if then than so as at by " +
    "for from in into of off on onto out over to up with without about " +
    "between through during per via is are was were be been being am do does " +
    "did done doing has have had having can could may might must shall " +
    "should will would ll re ve don didn doesn isn aren t s let get gets got " +
    "please any some all each every both such only own same too very just " +
    "also ever many much more most want wants need needs happen happens " +
    "something anything thing things tell know like other others another show find look " +
    "looking search mean means meaning last best good great nice exist exists " +
    "past earlier previous previously until still yet already one go goes going " +
    "ad ads advert adverts advertised"
  ).split(" "),
);

/** Words that are looked for, at most; those after them are ignored. */
export const QUERY_WORDS_MAX = 24;
/** Characters that are read; the contract allows half as many. */
const QUERY_LENGTH_MAX = 1_000;

/** A word that is looked for. */
export interface QueryWord {
  /** The word as written, in folded letters; of a day its term. */
  readonly word: string;
  /** What the index knows it by. */
  readonly term: string;
}

/** The words of a query that are looked for, without repeats. */
export function parseQuery(query: string): QueryWord[] {
  const text = query.slice(0, QUERY_LENGTH_MAX);
  const days = daysIn(text);
  const rest = withMeanings(withoutDays(text, days));
  const words = [...wordsOf(rest), ...compoundsOf(rest)]
    .map((word) => ({ word, term: stemOf(word) }));
  const all = [...days.map(({ term }) => ({ word: term, term })), ...words];
  const telling = all.filter(({ word }) => !STOP_WORDS.has(word));
  const distinct = distinctTerms(telling.length === 0 ? all : telling);
  const long = distinct.filter(({ word }) => isLongEnough(word));
  return (long.length === 0 ? distinct.slice(0, 1) : long)
    .slice(0, QUERY_WORDS_MAX);
}

function withoutDays(
  text: string,
  days: readonly { begin: number; end: number }[],
): string {
  let rest = "";
  let at = 0;
  for (const { begin, end } of days) {
    rest += text.slice(at, begin) + " ";
    at = end;
  }
  return rest + text.slice(at);
}

function distinctTerms(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((one) => [one.term, one])).values()];
}

/** One letter says nothing, one digit or one Chinese character may. */
function isLongEnough(word: string): boolean {
  return [...word].length > 1 || /^\p{N}$/u.test(word) || isCjk(word);
}
