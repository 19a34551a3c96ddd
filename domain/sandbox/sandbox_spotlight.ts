import type { Day } from "../day.ts";
import type { SpotlightRecord } from "../spotlights/spotlight.ts";

/** The last part of the address at which the sandbox's record has its page. */
export const SANDBOX_PAGE = "sandbox";

/** The made-up record: always the same, true of nobody (contract §3.7). */
export function sandboxSpotlight(baseUrl: string): SpotlightRecord {
  return {
    day: "2025-01-01" as Day,
    headline: "Fresh bread, baked before you wake",
    description:
      "Order until midnight and find warm sourdough at your door by seven. " +
      "This is sample data: the bakery does not exist.",
    advertiser: "Example Bakery",
    canonicalUrl: `${baseUrl}/spotlights/${SANDBOX_PAGE}`,
    contentType: "paid_advertisement",
  };
}
