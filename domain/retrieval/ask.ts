import { invariant } from "../invariant.ts";
import { groupsOf } from "../groups.ts";
import { ASK_RESULTS_MAX, ASK_SPOTLIGHT_HITS } from "./limits.ts";
import { mergeHits } from "./merge_hits.ts";
import { oneOfEachSection, PASSAGES_A_SECTION } from "./one_of_each_section.ts";
import { passageItem, type ResultItem, spotlightItem } from "./result_item.ts";
import type { Retrieval } from "./retrieval.ts";
import type { SpotlightHit } from "./search_index.ts";

/** What an answer tells of a Spotlight. */
type Told = Parameters<typeof spotlightItem>[0];

/** A hit whose day the store still shows. */
interface PublicHit {
  spotlight: Told;
  score: number;
}

/**
 * Looks up public Spotlights and documentation, best first, at most 20. The
 * index may lag behind by seconds, so the store is asked each time: what was
 * removed a moment ago, anywhere, is not answered.
 *
 * @param query 1 to 500 characters, as a person writes them
 * @throws {IndexNotReady} until this isolate has indexed everything once
 * @throws {StoreUnavailable} when the store did not answer in time
 */
export async function ask(
  retrieval: Retrieval,
  query: string,
): Promise<ResultItem[]> {
  const { index, baseUrl } = retrieval;
  const [found, passages] = await Promise.all([
    index.findSpotlights(query, ASK_SPOTLIGHT_HITS),
    index.findPassages(query, ASK_RESULTS_MAX * PASSAGES_A_SECTION),
  ]);
  const spotlights = await stillPublic(retrieval, found);
  return mergeHits(
    spotlights.slice(0, ASK_RESULTS_MAX).map(({ spotlight, score }) => ({
      item: spotlightItem(spotlight, baseUrl),
      score,
    })),
    oneOfEachSection(passages, ASK_RESULTS_MAX).map(({ passage, score }) => ({
      item: passageItem(passage),
      score,
    })),
  ).slice(0, ASK_RESULTS_MAX);
}

/**
 * Leaves out what is removed. The version of the store changes with each
 * removal, in one commit: while it is the one that the public records were read
 * at, they are what the store holds, and no row has to be read.
 * Decision 0160 says why.
 */
async function stillPublic(
  retrieval: Retrieval,
  hits: readonly SpotlightHit[],
): Promise<PublicHit[]> {
  if (hits.length === 0) return [];
  const version = await retrieval.store.spotlightsVersion();
  const snapshot = retrieval.records.snapshotAt(version);
  if (snapshot === null) return await inStore(retrieval, hits);
  return hits.flatMap(({ day, score }) => {
    const spotlight = snapshot.byDay.get(day);
    return spotlight === undefined ? [] : [{ spotlight, score }];
  });
}

/** The same, row by row. */
async function inStore(
  { store }: Retrieval,
  hits: readonly SpotlightHit[],
): Promise<PublicHit[]> {
  const refs = hits.map(({ day }) => store.spotlights.ref(day));
  const reads = groupsOf(refs).map((some) => store.getMany(some));
  const stored = (await Promise.all(reads)).flat();
  return hits.flatMap(({ score }, at) => {
    const spotlight = stored[at];
    invariant(spotlight !== undefined, "the store answers every key");
    if (spotlight === null || spotlight.removedAtMs !== null) return [];
    return [{ spotlight, score }];
  });
}
