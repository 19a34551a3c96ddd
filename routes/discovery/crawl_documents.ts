/**
 * What crawlers follow: addresses of pages, and the Spotlights of a year as
 * data. Made once for each state of the public records.
 *
 * @module
 */
import type { PublicRecord } from "../../domain/spotlights/public_record.ts";
import type { PublicSnapshot } from "../../domain/spotlights/public_snapshot.ts";
import { type Addresses, PAGES, pageUrl } from "./catalog.ts";
import { spotlightJsonLd } from "./json_ld.ts";

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
const YEAR = /^\d{4}$/;

/** Where the Spotlights of a year are, as data. */
export function feedPath(year: string): string {
  return `/feeds/spotlights/${year}`;
}

/** Every page there is, a settled day each among them. */
export function sitemapXml(
  { records }: PublicSnapshot,
  at: Addresses,
  topicPaths: readonly string[],
): string {
  const { baseUrl } = at;
  const newest = records.at(-1)?.day;
  const moving = ["/", "/spotlights"].map((path) =>
    url(baseUrl + path, newest)
  );
  const still = [
    `${baseUrl}/how-the-auction-works`,
    `${baseUrl}/advertise`,
    `${baseUrl}/imprint`,
    ...PAGES.map((page) => pageUrl(at, page)),
    ...topicPaths.map((path) => baseUrl + path),
  ].map((address) => url(address));
  const days = records.toReversed()
    .map(({ day }) => url(`${baseUrl}/spotlights/${day}`, day));
  return urlSet([...moving, ...still, ...days]);
}

/** Where the data for crawlers is: a file a year. */
export function schemaMapXml(
  snapshot: PublicSnapshot,
  { baseUrl }: Addresses,
): string {
  const urls = yearsOf(snapshot).map((year) =>
    `<url contentType="structuredData/schema.org">` +
    `<loc>${baseUrl}${feedPath(year)}</loc></url>\n`
  );
  return urlSet(urls);
}

/** The Spotlights of a year as data, newest first; null when it has none. */
export function yearFeed(
  snapshot: PublicSnapshot,
  year: string,
  { baseUrl }: Addresses,
): string | null {
  if (!YEAR.test(year)) return null;
  const records = snapshot.records.filter(({ day }) => day.startsWith(year));
  if (records.length === 0) return null;
  return JSON.stringify({
    "@context": "https://schema.org",
    "@type": "ItemList",
    name: `Spotlights of ${year}`,
    numberOfItems: records.length,
    itemListElement: records.toReversed().map((record, at) =>
      listItem(record, at, baseUrl)
    ),
  });
}

function listItem(record: PublicRecord, at: number, baseUrl: string): unknown {
  const canonicalUrl = `${baseUrl}/spotlights/${record.day}`;
  const item = spotlightJsonLd(record, canonicalUrl);
  return { "@type": "ListItem", position: at + 1, item };
}

function yearsOf({ records }: PublicSnapshot): string[] {
  return [...new Set(records.map(({ day }) => day.slice(0, 4)))].reverse();
}

/** Addresses of ours have no character that XML would want escaped. */
function url(address: string, lastmod?: string): string {
  const changed = lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`;
  return `<url><loc>${address}</loc>${changed}</url>\n`;
}

function urlSet(urls: readonly string[]): string {
  return `${XML}<urlset xmlns="${NAMESPACE}">\n${urls.join("")}</urlset>\n`;
}
