import type { Store } from "../ports.ts";
import type { Creative } from "./creative.ts";

/**
 * How many creatives of an account are looked at: who has more knows its way, and
 * what every agent asks for again and again reads few rows.
 */
const LOOKED_AT_MAX = 4;

/**
 * Of an account that has no approved creative, the one that comes nearest: one
 * that is under review, else the newest. "none" where it has nothing but
 * archived ones; null where one is approved, or may be among more of them.
 */
export async function findNearest(
  store: Pick<Store, "listCreatives">,
  accountId: string,
): Promise<Creative | "none" | null> {
  const few = await store.listCreatives(accountId, { limit: LOOKED_AT_MAX });
  const mayHaveMore = few.length === LOOKED_AT_MAX;
  if (mayHaveMore || few.some(({ state }) => state === "approved")) {
    return null;
  }
  const newest = few.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  return newest.find(({ state }) => state === "submitted") ??
    newest.find(({ state }) => state !== "archived") ?? "none";
}
