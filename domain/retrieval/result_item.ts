import type { Day } from "../day.ts";
import { type ContentType, toRecord } from "../spotlights/spotlight.ts";
import type { Passage } from "./search_index.ts";

/** A result of `/ask` (contract §5.2). */
export interface ResultItem {
  readonly "@type": "CreativeWork";
  readonly url: string;
  readonly name: string;
  readonly text: string;
  readonly description: string;
  /** The day of a Spotlight; passages have none. */
  readonly datePublished?: Day;
  /** What kind of advertisement a Spotlight is; passages have none. */
  readonly additionalType?: ContentType;
}

/**
 * A Spotlight as a result. All its words are the advertiser's: `text` is the
 * whole advertisement, a line a field.
 */
export function spotlightItem(
  spotlight: Parameters<typeof toRecord>[0],
  baseUrl: string,
): ResultItem {
  const record = toRecord(spotlight, baseUrl);
  const { headline, description, advertiser } = record;
  return {
    "@type": "CreativeWork",
    url: record.canonicalUrl,
    name: headline,
    text: `${headline}\n${description}\n${advertiser}`,
    description,
    datePublished: record.day,
    additionalType: record.contentType,
  };
}

/** A passage of the documentation as a result. */
export function passageItem(passage: Passage): ResultItem {
  return {
    "@type": "CreativeWork",
    url: passage.url,
    name: passage.heading,
    text: passage.text,
    description: passage.title,
  };
}
