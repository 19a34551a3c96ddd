import type { Day } from "../day.ts";

/** Whether an advertiser paid for the place (contract §3.1). */
export type ContentType = "paid_advertisement" | "house_advertisement";

/** A settled day's advertisement, as it is kept. */
export interface Spotlight {
  day: Day;
  headline: string;
  description: string;
  advertiser: string;
  targetUrl: string;
  contentType: ContentType;
  accountId: string | null;
  adId: string | null;
  settledAtMs: number;
  /** A removed Spotlight answers 404 on every read and stays in the books. */
  removedAtMs: number | null;
  removalReason: string | null;
}

/** A settled day's advertisement, as everyone may read it. */
export interface SpotlightRecord {
  day: Day;
  headline: string;
  description: string;
  advertiser: string;
  canonicalUrl: string;
  contentType: ContentType;
}

/** The public record: six fields, all required, no others. */
export function toRecord(
  spotlight: Pick<
    Spotlight,
    "day" | "headline" | "description" | "advertiser" | "contentType"
  >,
  baseUrl: string,
): SpotlightRecord {
  return {
    day: spotlight.day,
    headline: spotlight.headline,
    description: spotlight.description,
    advertiser: spotlight.advertiser,
    canonicalUrl: `${baseUrl}/spotlights/${spotlight.day}`,
    contentType: spotlight.contentType,
  };
}
