import type { PassageHit } from "./search_index.ts";

/** A long section is a few passages; so many more are looked for than wanted. */
export const PASSAGES_A_SECTION = 3;

/**
 * The best passage of each section: more of one address would only take the
 * places of others.
 */
export function oneOfEachSection(
  hits: readonly PassageHit[],
  limit: number,
): PassageHit[] {
  const best = new Map<string, PassageHit>();
  for (const hit of hits) {
    const { url } = hit.passage;
    if (!best.has(url)) best.set(url, hit);
  }
  return [...best.values()].slice(0, limit);
}
