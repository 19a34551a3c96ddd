/**
 * Numbers are given one after the other, to invoices that are voided as well,
 * so no number may be left out: not within a day, and not between two.
 *
 * @module
 */
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Difference, LastNumber } from "./reconciliation.ts";

/** What comparing the numbers of a day came to. */
export interface ComparedNumbers {
  differences: Difference[];
  /** How far each series has come, the day included. */
  lastNumbers: LastNumber[];
}

/**
 * Looks for numbers that no invoice we know has, from the last that an earlier
 * day was compared up to. An account may have several series.
 *
 * @param numbers of the invoices that were made final on the day
 * @param before how far each series had come before the day
 * @param max numbers that are looked for; more are not fully compared
 */
export async function compareNumbers(
  services: Pick<Services, "store">,
  numbers: readonly string[],
  before: readonly LastNumber[],
  max: number,
): Promise<ComparedNumbers> {
  const given = [...before, ...numbers.map(partsOf)]
    .filter(({ value }) => Number.isSafeInteger(value + max))
    .toSorted((a, b) => order(a.prefix, b.prefix) || a.value - b.value);
  const between = leftOut(given, max);
  const isCut = between.length > max;
  const missing = await unknown(services, between.slice(0, max));
  return {
    differences: [
      ...missing.map((number): Difference => ({
        kind: "number_missing",
        number,
      })),
      ...isCut
        ? [{ kind: "not_fully_compared" as const, what: "numbers" as const }]
        : [],
    ],
    lastNumbers: given.filter(({ prefix }, at) =>
      given[at + 1]?.prefix !== prefix
    ),
  };
}

/** The numbers between those given, one more than `max` at most. */
function leftOut(given: readonly LastNumber[], max: number): string[] {
  const numbers: string[] = [];
  for (const [at, { prefix, value, width }] of given.entries()) {
    const next = given[at + 1];
    if (next === undefined || next.prefix !== prefix) continue;
    for (let one = value + 1; one < next.value; one++) {
      if (numbers.length > max) return numbers;
      numbers.push(`${prefix}${String(one).padStart(width, "0")}`);
    }
  }
  return numbers;
}

async function unknown(
  { store }: Pick<Services, "store">,
  numbers: readonly string[],
): Promise<string[]> {
  const refs = numbers.map((number) => store.invoiceNumbers.ref(number));
  const found = await readAll(store, refs);
  return numbers.filter((_, nth) => found[nth] === null);
}

function partsOf(number: string): LastNumber {
  const digits = /(?<!\d)\d+$/.exec(number)?.[0] ?? "";
  const prefix = number.slice(0, number.length - digits.length);
  return { prefix, value: Number(digits), width: digits.length };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
