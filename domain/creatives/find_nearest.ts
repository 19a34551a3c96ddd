import type { Store } from "../ports.ts";
import type { Creative } from "./creative.ts";

/** The newest creatives of an account that are looked at. */
const LOOKED_AT_MAX = 10;

/**
 * Of an account that has no approved creative, the one that comes nearest: one
 * that is under review, else the newest. "none" where it has nothing but
 * archived ones; null where one is approved, or may be among the older ones.
 */
export async function findNearest(
  store: Pick<Store, "listNewestCreatives">,
  accountId: string,
): Promise<Creative | "none" | null> {
  const newest = await store.listNewestCreatives(accountId, {
    limit: LOOKED_AT_MAX,
    before: null,
  });
  const mayHaveMore = newest.length === LOOKED_AT_MAX;
  if (mayHaveMore || newest.some(({ state }) => state === "approved")) {
    return null;
  }
  return newest.find(({ state }) => state === "submitted") ??
    newest.find(({ state }) => state !== "archived") ?? "none";
}
