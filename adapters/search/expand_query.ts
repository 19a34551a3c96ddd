/**
 * What else a word of a query may mean: other words for the same, a compound,
 * the beginning of a word, or a slip of the finger.
 *
 * @module
 */
import { invariant } from "../../domain/invariant.ts";
import type { QueryWord } from "./query.ts";
import { SYNONYMS } from "./synonyms.ts";
import { stemOf } from "./terms.ts";
import {
  documentsWith,
  termsBeginningWith,
  type WordTree,
} from "./word_tree.ts";

/** A word of the query with everything that is taken for it. */
export interface QueryTerm {
  /** At least one; the best of them counts. */
  readonly alternatives: readonly Alternative[];
}

/** A term of the index that is taken for a word of the query. */
export interface Alternative {
  readonly term: string;
  /** How much it counts, 0 to 1. */
  readonly weight: number;
}

const SYNONYM_WEIGHT = 0.65;
const UMLAUT_WEIGHT = 0.9;
const PARTS_WEIGHT = 0.8;
const JOINED_WEIGHT = 0.9;
const BEGINNING_WEIGHT = 0.7;
const SLIP_WEIGHTS = [1, 0.7, 0.5] as const;

/** Beginnings and slips are taken for so many terms, at most. */
const GUESSES_MAX = 5;
/** Terms that are taken for one word of a query. */
export const ALTERNATIVES_MAX = 24;
/** Words of a query that are guessed at, at most; others count as not found. */
export const GUESSED_WORDS_MAX = 5;
const BEGINNING_LENGTH_MIN = 3;
const PART_LENGTH_MIN = 4;

/** The words of a query as terms of an index with these trees. */
export function expandQuery(
  words: readonly QueryWord[],
  trees: readonly WordTree[],
): QueryTerm[] {
  let guessed = 0;
  return words.map((one, at) => {
    const known = [
      ...familiar(one),
      ...joined(words, at),
    ].filter(({ term }) => isKnown(trees, term));
    const isGuess = known.length === 0 && !SYNONYMS.has(one.term) &&
      guessed++ < GUESSED_WORDS_MAX;
    const guesses = isGuess ? guess(one, trees) : [];
    const itself = { term: one.term, weight: 1 };
    const alternatives = distinct([itself, ...known, ...guesses]);
    return { alternatives: alternatives.slice(0, ALTERNATIVES_MAX) };
  });
}

function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const heaviest = new Map<string, Alternative>();
  for (const one of alternatives) {
    const before = heaviest.get(one.term);
    if (before === undefined || before.weight < one.weight) {
      heaviest.set(one.term, one);
    }
  }
  return [...heaviest.values()];
}

function isKnown(trees: readonly WordTree[], term: string): boolean {
  return trees.some((tree) => documentsWith(tree, term).size > 0);
}

/** The word itself, the word with an "ae" read as "ä", and its synonyms. */
function familiar({ word, term }: QueryWord): Alternative[] {
  const umlaut = word.replace(/([aou])e/g, "$1");
  return [
    { term, weight: 1 },
    { term: stemOf(umlaut), weight: UMLAUT_WEIGHT },
    ...synonyms({ term, weight: 1 }),
  ];
}

function synonyms({ term, weight }: Alternative): Alternative[] {
  return [...SYNONYMS.get(term) ?? []].map((other) => ({
    term: other,
    weight: weight * SYNONYM_WEIGHT,
  }));
}

/** A word joined with the one after or before it: house boat, houseboat. */
function joined(words: readonly QueryWord[], at: number): Alternative[] {
  const before = words[at - 1]?.word;
  const word = words[at]?.word ?? "";
  const after = words[at + 1]?.word;
  return [
    ...before === undefined ? [] : [before + word],
    ...after === undefined ? [] : [word + after],
  ].map((compound) => ({ term: stemOf(compound), weight: JOINED_WEIGHT }));
}

/**
 * For a word that stands in no text: terms that begin with it, else its parts,
 * else terms that it may be a slip of.
 */
function guess(one: QueryWord, trees: readonly WordTree[]): Alternative[] {
  if (one.word.startsWith("@")) return [];
  const begun = beginnings(one, trees);
  if (begun.length > 0) return begun;
  const parts = partsOf(one.word, trees);
  return parts.length > 0 ? parts : slips(one, trees);
}

/** The parts of a word where both are in the index: houseboat, house boat. */
function partsOf(word: string, trees: readonly WordTree[]): Alternative[] {
  for (let at = PART_LENGTH_MIN; at <= word.length - PART_LENGTH_MIN; at++) {
    const parts = [word.slice(0, at), word.slice(at)].map(stemOf);
    if (parts.every((part) => isKnown(trees, part))) {
      return parts.map((term) => ({ term, weight: PARTS_WEIGHT }));
    }
  }
  return [];
}

function beginnings(
  { term }: QueryWord,
  trees: readonly WordTree[],
): Alternative[] {
  if (term.length < BEGINNING_LENGTH_MIN) return [];
  const longer = trees.flatMap((tree) => [...termsBeginningWith(tree, term)]);
  return [...new Set(longer)]
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, GUESSES_MAX)
    .map((each) => ({
      term: each,
      weight: BEGINNING_WEIGHT * term.length / each.length,
    }));
}

/**
 * The stem as it is, and with a last "e" more or less. Whether the stemmer keeps
 * a last "e" depends on the letters before it, so a slip in those changes its end
 * as well: "price" stays "price", and "pirce" becomes "pirc".
 */
function withAndWithoutE(term: string): [string, string] {
  return [term, term.endsWith("e") ? term.slice(0, -1) : `${term}e`];
}

/**
 * The terms that a word may be a slip of, each with its synonyms: the term itself
 * may be one that we know from `synonyms.ts` alone.
 */
function slips(
  { word, term }: QueryWord,
  trees: readonly WordTree[],
): Alternative[] {
  const forgiven = slipsForgiven(word.length);
  const first = term[0];
  if (forgiven === 0 || first === undefined) return [];
  const near = new Map<string, number>();
  const meant = withAndWithoutE(term);
  const consider = (other: string) => {
    if (Math.abs(other.length - term.length) > forgiven + 1) return;
    const count = Math.min(
      ...meant.map((one) => slipsBetween(one, other, forgiven)),
    );
    if (count <= forgiven) near.set(other, count);
  };
  for (const tree of trees) {
    for (const other of termsBeginningWith(tree, first)) consider(other);
  }
  for (const other of SYNONYMS.keys()) {
    if (other.startsWith(first)) consider(other);
  }
  const nearest = Math.min(...near.values());
  return [...near].filter(([, count]) => count === nearest)
    .toSorted(([a], [b]) => a < b ? -1 : 1).slice(0, GUESSES_MAX)
    .flatMap(([other, count]) => {
      const weight = SLIP_WEIGHTS[count];
      invariant(weight !== undefined, "few slips are forgiven");
      const taken = { term: other, weight };
      return [taken, ...synonyms(taken)];
    });
}

/**
 * The three rows that {@linkcode slipsBetween} works in. Every call has the same
 * ones, since a search compares hundreds of words and would make rows for each.
 */
const ROWS: [number[], number[], number[]] = [[], [], []];

/**
 * How many slips of the finger lie between two words: letters too many, too
 * few, wrong, or two of them exchanged. Counts no further than `max` and
 * answers `max + 1` beyond it.
 */
export function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [before, above, current] = ROWS;
  for (let column = 0; column <= b.length; column++) above[column] = column;
  for (let row = 1; row <= a.length; row++) {
    let best = current[0] = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let slips = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isExchanged = row > 1 && column > 1 &&
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isExchanged) slips = Math.min(slips, (before[column - 2] ?? 0) + 1);
      current[column] = slips;
      best = Math.min(best, slips);
    }
    if (best > max) return max + 1;
    [before, above, current] = [above, current, before];
  }
  return Math.min(above[b.length] ?? max + 1, max + 1);
}

/** Slips that are forgiven in a word of that length. */
export function slipsForgiven(length: number): number {
  if (length < 4) return 0;
  return length < 7 ? 1 : 2;
}
