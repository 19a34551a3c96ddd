import type { Store } from "../ports.ts";
import type { Creative } from "./creative.ts";

/** Versions of versions that are gone through; nobody revises as often. */
const VERSIONS_MAX = 8;

/**
 * The newest version of a creative of which nothing comes any more, since it
 * was rejected or archived; null where there is none, or none that is any
 * better.
 */
export async function findNewestVersion(
  { creatives }: Pick<Store, "creatives">,
  creative: Creative | null,
): Promise<Creative | null> {
  let newest: Creative | null = null;
  let next = nextOf(creative);
  for (let read = 0; next !== null && read < VERSIONS_MAX; read++) {
    const version = await creatives.find(next.accountId, next.adId);
    if (version !== null && version.state !== "archived") newest = version;
    next = nextOf(version);
  }
  return newest;
}

function nextOf(
  creative: Creative | null,
): { accountId: string; adId: string } | null {
  if (creative === null || creative.revisedBy === undefined) return null;
  const { accountId, state, revisedBy: adId } = creative;
  return state === "rejected" || state === "archived"
    ? { accountId, adId }
    : null;
}
