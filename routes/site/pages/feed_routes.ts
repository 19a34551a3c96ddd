import { shownWindow } from "../../../domain/auction/auction.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Settings } from "../../../domain/ports.ts";
import { listSpotlights } from "../../../domain/spotlights/list_spotlights.ts";
import type { PublicRecord } from "../../../domain/spotlights/public_record.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { assetHeaders } from "../../assets.ts";
import { xml } from "../../http/xml.ts";
import { SharedTexts } from "../../http/shared_texts.ts";
import { textAnswer } from "../../http/text_answer.ts";
import { openRoute, type Route, route } from "../../route_table.ts";
import { LABELS } from "../ui/stage.tsx";

/** The feeds of Spotlights, by what reads them. */
const FEEDS = { atom: "/feed.xml", json: "/feed.json" } as const;

/** Days in a feed. */
const DAYS = 30;
const TITLE = "Spotlight – one advertisement a day";
/** A removed Spotlight is gone at once, so feeds are asked for anew each time. */
const REVALIDATED = "private, no-cache";

/** What feeds are made of. */
export interface FeedParts {
  records: PublicRecords;
  services: { settings: Pick<Settings, "auctionHours" | "baseUrl"> };
}

/** A day in a feed. */
interface Entry extends PublicRecord {
  canonicalUrl: string;
  /** When it came on show. */
  shown: string;
}

/** The newest days for feed readers: Atom (RFC 4287) and JSON Feed 1.1. */
export function feedRoutes(parts: FeedParts): Route[] {
  const { baseUrl } = parts.services.settings;
  const texts = new SharedTexts();
  const feed = (
    path: string,
    type: string,
    write: (baseUrl: string, entries: readonly Entry[]) => string,
  ) =>
    openRoute(route("GET", path, (context) => {
      const text = texts.of(
        parts.records.snapshot,
        path,
        () => write(baseUrl, entriesOf(parts)),
      );
      return textAnswer(context, text, assetHeaders(type, REVALIDATED));
    }));
  return [
    feed(FEEDS.atom, "application/atom+xml; charset=utf-8", atomOf),
    feed(FEEDS.json, "application/feed+json; charset=utf-8", jsonOf),
  ];
}

function entriesOf({ records, services: { settings } }: FeedParts): Entry[] {
  const { items } = listSpotlights(records, {
    limit: DAYS,
    from: { offset: 0 },
  });
  const { auctionHours, baseUrl } = settings;
  return items.map((record) => {
    const { day, settledAtMs: fromMs } = record;
    // A day that was closed early settled before its hour.
    const shown = shownWindow(day, auctionHours, { fromMs });
    return {
      ...record,
      canonicalUrl: `${baseUrl}/spotlights/${day}`,
      shown: isoTime(shown.fromMs),
    };
  });
}

function atomOf(baseUrl: string, entries: readonly Entry[]): string {
  const updated = entries[0]?.shown ?? isoTime(0);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title>${TITLE}</title>
  <id>${xml(baseUrl)}/</id>
  <link href="${xml(baseUrl)}/"/>
  <link rel="self" type="application/atom+xml" href="${
    xml(baseUrl)
  }${FEEDS.atom}"/>
  <updated>${updated}</updated>
${entries.map(atomEntry).join("")}</feed>
`;
}

function atomEntry(entry: Entry): string {
  const { canonicalUrl, headline, advertiser, shown } = entry;
  return `  <entry>
    <title>${xml(headline)}</title>
    <id>${xml(canonicalUrl)}</id>
    <link href="${xml(canonicalUrl)}"/>
    <published>${shown}</published>
    <updated>${shown}</updated>
    <author><name>${xml(advertiser)}</name></author>
    <category term="${entry.contentType}"/>
    <summary>${xml(summaryOf(entry))}</summary>
  </entry>
`;
}

function jsonOf(baseUrl: string, entries: readonly Entry[]): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: TITLE,
    home_page_url: `${baseUrl}/`,
    feed_url: `${baseUrl}${FEEDS.json}`,
    language: "en",
    items: entries.map((entry) => ({
      id: entry.canonicalUrl,
      url: entry.canonicalUrl,
      title: entry.headline,
      content_text: summaryOf(entry),
      date_published: entry.shown,
      authors: [{ name: entry.advertiser }],
      tags: [entry.contentType],
    })),
  });
}

/** Says first that it is advertising: a reader shows it among other texts. */
function summaryOf(entry: Entry): string {
  const { contentType, advertiser, description } = entry;
  return `${LABELS[contentType]} from ${advertiser}: ${description}`;
}
