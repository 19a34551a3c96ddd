/**
 * How much each word of a query tells: little when much is found by it.
 *
 * @module
 */
import type { QueryTerm } from "./expand_query.ts";
import { documentsWith, type WordTree } from "./word_tree.ts";

/** A word of the query with what it is worth. */
export interface WeighedTerm {
  /** Its part of the whole that the scores of documents are divided by. */
  readonly worth: number;
  readonly alternatives: readonly {
    readonly term: string;
    readonly worth: number;
  }[];
}

/** What is searched: the terms of an index, and how many documents it has. */
export interface Searched {
  readonly trees: readonly WordTree[];
  readonly documentCount: number;
}

/**
 * Weighs the words by how rare they are in everything that is searched, each
 * index counting alike: few advertisements speak of bids, and yet a bid is
 * nothing special in a question to the documentation.
 */
export function weighTerms(
  terms: readonly QueryTerm[],
  searched: readonly Searched[],
): WeighedTerm[] {
  return terms.map(({ alternatives }) => {
    const weighed = alternatives.map(({ term, weight }) => {
      const found = searched.map((one) => countOf(one, term));
      const rarity = mean(
        searched.map((one, at) => rarityOf(found[at] ?? 0, one)),
      );
      const isFound = found.some((count) => count > 0);
      return { term, isFound, rarity, worth: weight * rarity };
    });
    const rarities = weighed.filter(({ isFound }) => isFound)
      .map(({ rarity }) => rarity);
    return {
      worth: rarities.length === 0 ? 1 : Math.max(...rarities),
      alternatives: weighed.map(({ term, worth }) => ({ term, worth })),
    };
  });
}

/** In how many documents a term stands, going by the field that has it most. */
function countOf({ trees }: Searched, term: string): number {
  return Math.max(...trees.map((tree) => documentsWith(tree, term).size));
}

/** 1 for what stands nowhere, towards 0 for what stands everywhere. */
function rarityOf(found: number, { documentCount }: Searched): number {
  return inverseFrequency(found, documentCount) /
    inverseFrequency(0, documentCount);
}

function inverseFrequency(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
