import type { Settings } from "../domain/ports.ts";
import { clockTime } from "../domain/auction/auction.ts";
import { withAgentTables } from "../routes/operations/doc_tables.ts";
import type { Documents } from "../routes/site/pages/asset_routes.ts";

/** The published documents, by the path they are served at. */
export const PUBLISHED = [
  "/developers.md",
  "/auth.md",
  "/versioning.md",
  "/privacy.md",
  "/affiliate.md",
  "/hosts.md",
  "/terms.md",
] as const;

/** What the documents say of this service beside its addresses. */
export type DocumentFacts = Pick<Settings, "seller" | "auctionHours">;

/**
 * Reads the published documents once, from `docs/` beside this file, and writes
 * who sells, when auctions run and what operations the agent API has into them.
 * The service's own addresses are filled in where they are served.
 */
export async function readDocuments(facts: DocumentFacts): Promise<Documents> {
  const documents: Record<`/${string}.md`, string> = {};
  for (const path of PUBLISHED) {
    const file = new URL(`../docs${path}`, import.meta.url);
    documents[path] = withFacts(await Deno.readTextFile(file), facts);
  }
  return documents;
}

/** A document with the facts written into it. */
function withFacts(
  text: string,
  { seller, auctionHours }: DocumentFacts,
): string {
  const { opensAtMinute, closesAtMinute } = auctionHours;
  return withAgentTables(text).replaceAll("{seller_name}", () => seller.name)
    .replaceAll("{seller_address}", () => seller.address)
    .replaceAll("{seller_email}", () => seller.email)
    .replaceAll("{auction_opens_at}", clockTime(opensAtMinute))
    .replaceAll("{auction_closes_at}", clockTime(closesAtMinute));
}
