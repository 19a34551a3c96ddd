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

/**
 * JSON that may stand in a page's script element: whatever an advertiser wrote
 * ends neither the element nor begins another.
 */
export function jsonForPage(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
