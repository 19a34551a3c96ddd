import type { CreativeState } from "../../../domain/creatives/creative.ts";
import { nearestOf } from "../../../domain/creatives/find_nearest.ts";
import type { Store } from "../../../domain/ports.ts";

/** Advertisements among which the nearest one is looked for. */
const CREATIVES_MAX = 100;

/** How far the account's advertisements are. */
export type AdsProgress = CreativeState | "none";

/** The state of the advertisement that comes nearest to being bid with. */
export async function readAdsProgress(
  store: Pick<Store, "listNewestCreatives">,
  accountId: string,
): Promise<AdsProgress> {
  const creatives = await store.listNewestCreatives(accountId, {
    limit: CREATIVES_MAX,
    before: null,
  });
  return nearestOf(creatives)?.state ?? "none";
}
