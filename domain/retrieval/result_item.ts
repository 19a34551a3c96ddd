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

/** What a result tells of a Spotlight. */
type Told = Parameters<typeof toRecord>[0];

/**
 * What was made of each Spotlight and passage, for as long as that is in memory:
 * most are found again and again, and a result that is the same one has its text
 * already.
 */
const made = new WeakMap<Told | Passage, ResultItem>();

/**
 * A Spotlight as a result. All its words are the advertiser's: `text` is the
 * whole advertisement, a line a field.
 */
export function spotlightItem(told: Told, baseUrl: string): ResultItem {
  const before = made.get(told);
  if (before?.url.startsWith(`${baseUrl}/spotlights/`)) return before;
  const item = newSpotlightItem(told, baseUrl);
  made.set(told, item);
  return item;
}

function newSpotlightItem(spotlight: Told, baseUrl: string): ResultItem {
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
  const before = made.get(passage);
  if (before !== undefined) return before;
  const item: ResultItem = {
    "@type": "CreativeWork",
    url: passage.url,
    name: passage.heading,
    text: passage.text,
    description: passage.title,
  };
  made.set(passage, item);
  return item;
}
