/**
 * Scores documents: BM25 over fields that count differently, divided by what a
 * document with every word of the query would come to. So a score says how
 * much of the query is answered, and scores of different indexes compare.
 *
 * Nothing of it depends on the order in which documents were indexed: counts
 * are whole numbers, and every sum is taken in the order of the query and of
 * the fields. Decision 0161 says why.
 *
 * @module
 */
import type { WeighedTerm } from "./rarity.ts";
import { documentsWith, type WordTree } from "./word_tree.ts";

/** BM25's `k1`: the smaller, the less each further time of a word adds. */
const SATURATION = 1.2;
/** BM25's `b`: how much the length of a field counts, 0 to 1. */
const LENGTH_SHARE = 0.55;
/** A document that answers less of the query than this is no hit. */
const SCORE_MIN = 0.05;
/** Scores are compared in 6 decimals. */
const PRECISION = 1e6;

/** A field of the documents of an index. */
export interface Field {
  /** How much a word in it counts. */
  readonly weight: number;
  /** Terms it usually has; in a longer one each word counts less. */
  readonly usualLength: number;
  /** Its text is terms already, with spaces between them. */
  readonly isTerms?: true;
}

/** What is kept of a field: its terms, and how often each is in a document. */
export interface FieldPostings extends Field {
  readonly tree: WordTree;
  /** Shares of the field's terms, by document and term. */
  readonly frequencies: Readonly<
    Record<number, Readonly<Record<string, number>> | undefined>
  >;
  /** Terms of the field, by document. */
  readonly lengths: Readonly<Record<number, number | undefined>>;
}

/** How much a term stands in each document that has it. */
export interface TermPostings {
  /** Documents by Orama's internal ids, each once. */
  readonly ids: readonly number[];
  /** What their score is for a term that is worth 1, 0 to 1. */
  readonly shares: readonly number[];
}

/** Where a term stands, weighed by fields and their lengths. */
export function termPostings(
  fields: readonly FieldPostings[],
  term: string,
): TermPostings {
  const counts = new Map<number, number>();
  for (const { tree, frequencies, lengths, weight, usualLength } of fields) {
    for (const id of documentsWith(tree, term)) {
      const length = lengths[id] ?? 0;
      const times = Math.round((frequencies[id]?.[term] ?? 0) * length);
      const stretch = 1 - LENGTH_SHARE + LENGTH_SHARE * length / usualLength;
      counts.set(id, (counts.get(id) ?? 0) + weight * times / stretch);
    }
  }
  const shares = [...counts.values()].map((times) =>
    times / (times + SATURATION)
  );
  return { ids: [...counts.keys()], shares };
}

/** The scores of all documents that answer some of the query, by document. */
export function scoreTerms(
  postingsOf: (term: string) => TermPostings,
  terms: readonly WeighedTerm[],
): [id: number, score: number][] {
  const sums = new Map<number, number>();
  let whole = 0;
  for (const { worth, alternatives } of terms) {
    whole += worth;
    const found = alternatives
      .map((one) => ({ worth: one.worth, ...postingsOf(one.term) }))
      .filter(({ ids }) => ids.length > 0);
    for (const [id, score] of bestOf(found)) {
      sums.set(id, (sums.get(id) ?? 0) + score);
    }
  }
  return sharesOf(sums, whole);
}

/** The best that any of the alternatives gives each document. */
function bestOf(
  found: readonly (TermPostings & { worth: number })[],
): Iterable<[number, number]> {
  const [only, ...others] = found;
  if (only === undefined) return [];
  if (others.length === 0) {
    return only.ids.map((id, at) => [id, only.worth * (only.shares[at] ?? 0)]);
  }
  const best = new Map<number, number>();
  for (const { worth, ids, shares } of found) {
    ids.forEach((id, at) => {
      const score = worth * (shares[at] ?? 0);
      if (score > (best.get(id) ?? 0)) best.set(id, score);
    });
  }
  return best;
}

function sharesOf(
  sums: ReadonlyMap<number, number>,
  whole: number,
): [number, number][] {
  const shares: [number, number][] = [];
  for (const [id, sum] of sums) {
    const share = Math.round(sum / whole * PRECISION) / PRECISION;
    if (share >= SCORE_MIN) shares.push([id, share]);
  }
  return shares;
}
