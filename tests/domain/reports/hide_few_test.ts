import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Counted,
  FEW,
  hideFew,
  type Published,
} from "../../../domain/reports/hide_few.ts";

const counted = (...counts: number[]): Counted[] =>
  counts.map((count, at) => ({ value: `C${at}`, count }));

const sumOf = (counts: readonly number[]) =>
  counts.reduce((sum, count) => sum + count, 0);

/** The counts that are shown, and the rest. */
function publishedOf(counts: readonly number[]) {
  const { shown, other } = hideFew(counted(...counts));
  return [shown.map(({ count }) => count), other];
}

Deno.test("hideFew() shows what is large, and sums what is small", () => {
  assertEquals(publishedOf([50, 5, 20]), [[50, 20, 5], 0]);
  assertEquals(publishedOf([50, 5, 3, 3]), [[50, 5], 6]);
  assertEquals(publishedOf([40, 1, 2, 3, 1]), [[40], 7]);
  assertEquals(publishedOf([]), [[], 0]);
});

Deno.test("hideFew() hides one more where one alone would be told by the total", () => {
  assertEquals(publishedOf([50, 20, 3]), [[50], 23]);
  assertEquals(publishedOf([50, 20, 8, 3]), [[50, 20], 11]);
  // Two of one each are told by how many countries there were.
  assertEquals(publishedOf([50, 1, 1]), [[], 52]);
  assertEquals(publishedOf([90, 50, 20, 1, 1]), [[90, 50], 22]);
});

const COUNTS = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 900 })),
  { maxLength: 40 },
);

Deno.test("hideFew() shows no count below 5, and what it hides adds up to none", () => {
  fc.assert(fc.property(COUNTS, (counts) => {
    const total = sumOf(counts);
    const { shown, other } = hideFew(counted(...counts));
    assert(shown.every(({ count }) => count >= FEW));
    assertEquals(sumOf(shown.map(({ count }) => count)) + other, total);
    // No difference with the total is a small count.
    if (shown.length > 0) assert(other === 0 || other >= FEW);
    const hidden = counts.filter((count) => count > 0).length - shown.length;
    if (shown.length > 0) assert(hidden !== 1);
    // Nothing larger is hidden beside something smaller that is shown.
    const least = Math.min(...shown.map(({ count }) => count));
    const names = new Set(shown.map(({ value }) => value));
    for (const { value, count } of counted(...counts)) {
      if (!names.has(value)) assert(count <= least);
    }
  }));
});

Deno.test("hideFew() does not depend on the order in which counts were read", () => {
  const shuffled = COUNTS.chain((counts) => {
    const all = counted(...counts);
    return fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
    );
  });
  fc.assert(fc.property(shuffled, ([all, again]) => {
    assertEquals(hideFew(again), hideFew(all));
  }));
});

/** Largest count of each number of countries that is tried out. */
const TRIED = [0, 60, 60, 34, 22, 16, 13, 11, 10];

/** Every way to choose counts in ascending order. */
function* countsOf(
  length: number,
  most: number,
  least = 1,
): Generator<number[]> {
  if (length === 0) yield [];
  else {
    for (let count = least; count <= most; count++) {
      for (const rest of countsOf(length - 1, most, count)) {
        yield [count, ...rest];
      }
    }
  }
}

/** What a reader who has everything that can be had knows of the counts. */
function knownOf(
  counts: readonly number[],
  { shown }: Pick<Published, "shown">,
): string {
  return [counts.length, sumOf(counts), ...shown.map(({ count }) => count)]
    .join(" ");
}

Deno.test("no small count can be worked out from what hideFew() publishes, whatever the counts", () => {
  /** The small counts of all that a reader can't tell from each other. */
  const possible = new Map<string, Set<number>>();
  /** The same of who knows total and number of countries alone. */
  const before = new Map<string, Set<number>>();
  const all: number[][] = [];
  const note = (
    map: Map<string, Set<number>>,
    key: string,
    small: readonly number[],
  ) => {
    const set = map.get(key) ?? new Set();
    small.forEach((count) => set.add(count));
    map.set(key, set);
  };
  const nothing = { shown: [] };
  TRIED.forEach((most, length) => {
    for (const counts of countsOf(length, most)) {
      all.push(counts);
      const small = counts.filter((count) => count < FEW);
      const told = hideFew(counted(...counts));
      note(possible, knownOf(counts, told), small);
      note(before, knownOf(counts, nothing), small);
    }
  });
  let looked = 0;
  for (const counts of all) {
    const most = TRIED[counts.length] ?? 0;
    // At the edge of what is tried out, counts that look alike are missing.
    const isEdge = (counts.at(-1) ?? 0) > most - 2;
    if (isEdge || (counts[0] ?? FEW) >= FEW) continue;
    const told = hideFew(counted(...counts));
    // A small country can have any of these: at least two, as far as the
    // total and the number of countries alone leave two.
    const left = possible.get(knownOf(counts, told))?.size ?? 0;
    const were = before.get(knownOf(counts, nothing))?.size ?? 0;
    assert(left >= Math.min(2, were), JSON.stringify(counts));
    looked += 1;
  }
  assert(looked > 10_000, String(looked));
});
