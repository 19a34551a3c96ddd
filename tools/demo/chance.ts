/**
 * Chance that repeats itself: the same seed gives the same numbers, so two
 * demo stores of one seed and day are alike.
 *
 * @module
 */
import { invariant } from "../../domain/invariant.ts";

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH = 20;

/** A stream of chance. */
export interface Chance {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the list, which is not empty. */
  pick<T>(list: readonly T[]): T;
  /** So many of the list, in an order of their own; all when there are fewer. */
  some<T>(list: readonly T[], count: number): T[];
}

/** The stream of a seed: a 32-bit hash of the text, then mulberry32. */
export function chanceOf(seed: string): Chance {
  let state = hashOf(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) =>
    min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    invariant(list.length > 0, "there is something to pick from");
    return list[integer(0, list.length - 1)] as T;
  };
  return {
    integer,
    pick,
    some(list, count) {
      const left = [...list];
      const chosen = [];
      while (chosen.length < count && left.length > 0) {
        chosen.push(...left.splice(integer(0, left.length - 1), 1));
      }
      return chosen;
    },
  };
}

/** An id of the usual shape that is the same for the same seed and name. */
export function demoId(prefix: string, seed: string, name: string): string {
  const chance = chanceOf(`${seed}|${prefix}|${name}`);
  let id = `${prefix}_`;
  for (let at = 0; at < ID_LENGTH; at++) {
    id += LETTERS[chance.integer(0, LETTERS.length - 1)];
  }
  return id;
}

/** FNV-1a with a last mixing, so that near texts give far numbers. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) {
    hash ^= letter.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
