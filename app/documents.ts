import type { Config } from "../config/config.ts";
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
export interface DocumentFacts
  extends Pick<Settings, "seller" | "auctionHours"> {
  /** Where payments are made up, in development; null where money is real. */
  simulatorUrl: string | null;
  /** Who reviews advertisements there. */
  operatorEmail: string;
}

/** What the documents are to say of a service with that configuration. */
export function documentFactsOf(
  { settings, stripe }: Pick<Config, "settings" | "stripe">,
): DocumentFacts {
  const { seller, auctionHours, environment } = settings;
  const simulatorUrl = environment === "development" ? stripe.apiBase : null;
  const [operatorEmail = ""] = settings.operatorEmails;
  return { seller, auctionHours, simulatorUrl, operatorEmail };
}

/**
 * Reads the published documents once, from `docs/` beside this file, and writes
 * who sells, when auctions run, what operations the agent API has and, in
 * development, where payments are made up into them. The service's own addresses
 * are filled in where they are served.
 */
export async function readDocuments(facts: DocumentFacts): Promise<Documents> {
  const documents: Record<`/${string}.md`, string> = {};
  for (const path of PUBLISHED) {
    const file = new URL(`../docs${path}`, import.meta.url);
    documents[path] = withFacts(await Deno.readTextFile(file), facts);
  }
  return documents;
}

/** What stands between these lines is for a service in development alone. */
const IN_DEVELOPMENT =
  /^<!-- in development -->\n([^]*?)^<!-- always -->\n\n?/gm;

/** A document with the facts written into it. */
function withFacts(
  text: string,
  { seller, auctionHours, simulatorUrl, operatorEmail }: DocumentFacts,
): string {
  const { opensAtMinute, closesAtMinute } = auctionHours;
  const own = text.replaceAll(
    IN_DEVELOPMENT,
    (_, said: string) =>
      simulatorUrl === null
        ? ""
        : said.replaceAll("{simulator_url}", () => simulatorUrl)
          .replaceAll("{operator_email}", () => operatorEmail),
  );
  return withAgentTables(own).replaceAll("{seller_name}", () => seller.name)
    .replaceAll("{seller_address}", () => seller.address)
    .replaceAll("{seller_email}", () => seller.email)
    .replaceAll("{auction_opens_at}", clockTime(opensAtMinute))
    .replaceAll("{auction_closes_at}", clockTime(closesAtMinute));
}
