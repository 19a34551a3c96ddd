import type { Store } from "../ports.ts";
import type { Creative } from "./creative.ts";

/**
 * How many creatives of an account are looked at: who has more knows its way, and
 * what every agent asks for again and again reads few rows.
 */
const LOOKED_AT_MAX = 4;

/**
 * Of some creatives the one that comes nearest to being bid with: approved, else
 * under review, else the newest that is not archived.
 */
export function nearestOf(
  creatives: readonly Creative[],
): Creative | undefined {
  const newest = creatives.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  return newest.find(({ state }) => state === "approved") ??
    newest.find(({ state }) => state === "submitted") ??
    newest.find(({ state }) => state !== "archived");
}

/**
 * Of an account that has no approved creative, the one that comes nearest. "none"
 * where it has nothing but archived ones; null where one is approved, or may be
 * among more of them.
 */
export async function findNearest(
  store: Pick<Store, "listCreatives">,
  accountId: string,
): Promise<Creative | "none" | null> {
  const few = await store.listCreatives(accountId, { limit: LOOKED_AT_MAX });
  const nearest = nearestOf(few);
  const mayBeApproved = few.length === LOOKED_AT_MAX ||
    nearest?.state === "approved";
  return mayBeApproved ? null : nearest ?? "none";
}
