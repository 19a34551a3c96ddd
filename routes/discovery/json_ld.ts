import type { ContentType } from "../../domain/spotlights/spotlight.ts";

/** What is told of a Spotlight. */
export interface Told {
  day: string;
  headline: string;
  description: string;
  advertiser: string;
  contentType: ContentType;
}

const CONTEXT = "https://schema.org";

/** A Spotlight as crawlers read it, in the words of schema.org. */
export function spotlightJsonLd(
  told: Told,
  canonicalUrl: string,
): Record<string, unknown> {
  return {
    "@context": CONTEXT,
    "@type": "CreativeWork",
    "@id": canonicalUrl,
    url: canonicalUrl,
    name: told.headline,
    description: told.description,
    datePublished: told.day,
    additionalType: told.contentType,
    sponsor: { "@type": "Organization", name: told.advertiser },
    isAccessibleForFree: true,
  };
}

/** The website as crawlers read it, with the way to look through it. */
export function homeJsonLd(baseUrl: string): Record<string, unknown> {
  return {
    "@context": CONTEXT,
    "@type": "WebSite",
    "@id": `${baseUrl}/`,
    url: `${baseUrl}/`,
    name: "Spotlight",
    description: "One advertisement a day",
    potentialAction: {
      "@type": "SearchAction",
      target: `${baseUrl}/spotlights?q={search_term_string}`,
      "query-input": "required name=search_term_string",
    },
  };
}
