/**
 * Follows the links of our own pages, as a person or a search engine would.
 *
 * @module
 */
import type { ManualClock } from "./clock.ts";
import { askFromAnywhere, type AskUrl } from "./every_route.ts";

/** Pages that are followed before a crawl is taken to have no end. */
const VISITS_MAX = 300;

/** One address, as it answered. */
export interface Visit {
  status: number;
  isPage: boolean;
  /** The page that led to it; null for where the crawl began. */
  from: string | null;
  html: string;
}

/** What was visited, by path and query. */
export type Visits = ReadonlyMap<string, Visit>;

/** A link of a page: where it leads, and to which part. */
export interface Link {
  path: string;
  fragment: string;
}

/**
 * Follows every link from the paths given, with the cookies of a visitor. What
 * leads away from us, through `/go/`, is left alone. The clock moves on, so that
 * no bucket runs dry.
 */
export async function crawl(
  { baseUrl, clock, cookie, starts }: {
    baseUrl: string;
    clock: ManualClock;
    cookie: string;
    starts: readonly string[];
  },
): Promise<Visits> {
  const ask = askFromAnywhere();
  const visits = new Map<string, Visit>();
  const waiting: [path: string, from: string | null][] = starts
    .map((path) => [path, null]);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [path, from] = next;
    if (visits.has(path)) continue;
    if (visits.size === VISITS_MAX) throw new Error(`No end at ${path}`);
    clock.advance(1_000);
    const visit = { ...await look(ask, baseUrl + path, cookie), from };
    visits.set(path, visit);
    for (const link of linksOf(visit.html, baseUrl, path)) {
      waiting.push([link.path, path]);
    }
  }
  return visits;
}

async function look(
  ask: AskUrl,
  url: string,
  cookie: string,
): Promise<Omit<Visit, "from">> {
  const answer = await ask(url, { headers: { accept: "text/html", cookie } });
  const type = answer.headers.get("content-type") ?? "";
  const isPage = type.startsWith("text/html") && answer.status === 200;
  const text = await answer.text();
  return { status: answer.status, isPage, html: isPage ? text : "" };
}

/** Where the links and searches of a page lead within the site. */
export function linksOf(
  html: string,
  baseUrl: string,
  path: string,
): Link[] {
  const hrefs = html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g);
  const searches = html.matchAll(
    /<form\b(?=[^>]*\bmethod="get")[^>]*?\baction="([^"]*)"/g,
  );
  return [...hrefs, ...searches].flatMap(([, href = ""]) => {
    const url = new URL(href.replaceAll("&amp;", "&"), baseUrl + path);
    if (url.origin !== baseUrl || url.pathname.startsWith("/go/")) return [];
    const fragment = decodeURIComponent(url.hash.slice(1));
    return [{ path: url.pathname + url.search, fragment }];
  });
}
