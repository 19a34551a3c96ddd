import type { Passage } from "../../../../domain/retrieval/search_index.ts";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { gradeOf, type Judgement, keysOf } from "./judgements.ts";
import { ndcgAt10 } from "./ndcg.ts";

/** What is searched. */
export interface Corpus {
  readonly spotlights: readonly Spotlight[];
  readonly passages: readonly Passage[];
}

/**
 * Grades answers. An answer names days and sections ("auth.md#scopes") in its
 * order; a section that was named before, as it has several passages, tells
 * nothing new and counts 0.
 */
export class Judge {
  readonly #keys: ReadonlyMap<string, readonly string[]>;

  constructor({ spotlights, passages }: Corpus) {
    this.#keys = new Map<string, readonly string[]>([
      ...spotlights.map((one) => [one.day, keysOf(one)] as const),
      ...passages.map(({ id }) => [sectionOf(id), [sectionOf(id)]] as const),
    ]);
  }

  /** The keys of judgements that name nothing there is. */
  strangeKeys(judgements: readonly Judgement[]): string[] {
    const known = new Set([...this.#keys.values()].flat());
    const judged = judgements.flatMap(({ grades }) => [...grades.keys()]);
    return judged.filter((key) => !known.has(key));
  }

  /** nDCG@10 of an answer. */
  score(judgement: Judgement, answer: readonly string[]): number {
    const seen = new Set<string>();
    const grades = answer.map((name) => {
      const keys = seen.has(name) ? [] : this.#keys.get(name) ?? [];
      seen.add(name);
      return gradeOf(judgement, keys);
    });
    const all = [...this.#keys.values()].map((keys) =>
      gradeOf(judgement, keys)
    );
    return ndcgAt10(grades, all);
  }
}

/** The section that a passage is of: "auth.md#scopes:2" is of "auth.md#scopes". */
export function sectionOf(passageId: string): string {
  return passageId.replace(/:\d+$/, "");
}

/** The mean of some numbers. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
