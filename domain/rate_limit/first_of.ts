/**
 * What everybody draws on together, a part of which is for firsts: whoever asks
 * again and again draws on the other part alone, so that the rest is left to all
 * others, and using that up too takes a network, a card or whatever firsts are
 * counted by for every token or two of it. Decision 0032 says why.
 *
 * @module
 */
import type { Charge } from "./charge.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import { FIRSTS } from "./policy.ts";

/** What everybody draws on together. */
export type SharedPurpose = keyof typeof FIRSTS;

/** Who draws on it. */
export interface Drawer {
  purpose: SharedPurpose;
  /** By what it is counted; a first by all of them is one. */
  of: readonly string[];
  /** Takes turns with others, as of `takeAll()`. */
  asker: string;
}

type Limiter = Pick<RateLimiter, "takeAll">;

/**
 * Takes note that somebody draws on it, and says whether that is among the first
 * times lately.
 *
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function isFirst(
  limiter: Limiter,
  drawer: Drawer,
): Promise<boolean> {
  return (await limiter.takeAll(firstsOf(drawer), drawer.asker)).admitted;
}

/**
 * The same together with what it costs, or nothing of either.
 *
 * @param chargesOf what is charged of a first, and of any other
 * @throws {StoreUnavailable} when the store does not answer
 */
export async function takeFirst(
  limiter: Limiter,
  drawer: Drawer,
  chargesOf: (isFirst: boolean) => readonly Charge[],
): Promise<{ isFirst: boolean; verdict: Verdict }> {
  const firsts = firstsOf(drawer);
  // The first one that is empty is told: who is no first is judged without.
  const charges = [...firsts, ...chargesOf(true)];
  const verdict = await limiter.takeAll(charges, drawer.asker);
  const isRepeat = !verdict.admitted &&
    firsts.some(({ id }) => id === verdict.emptied);
  if (!isRepeat) return { isFirst: true, verdict };
  const again = await limiter.takeAll(chargesOf(false), drawer.asker);
  return { isFirst: false, verdict: again };
}

function firstsOf({ purpose, of }: Drawer): Charge[] {
  const policy = FIRSTS[purpose];
  return of.map((each) => ({ id: `first:${purpose}:${each}`, policy }));
}
