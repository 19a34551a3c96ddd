import { strongEtag } from "../../../domain/spotlights/public_record.ts";
import { OPEN_TO_SCRIPTS } from "../../http/cors.ts";
import { openRoute, type Route, route } from "../../route_table.ts";
import { textAnswer } from "../../pages/page_answer.ts";
import { FAVICON, STYLE } from "../../pages/style.ts";

/** Published documents in Markdown, by their path on the site. */
export type Documents = Readonly<Record<`/${string}.md`, string>>;

/** For what changes with a release. */
export const HOUR = "public, max-age=3600";
/** For what has its version in its address. */
export const YEAR = "public, max-age=31536000, immutable";

/** The files that pages and robots ask for. */
export function assetRoutes(): Route[] {
  return [
    asset("/style.css", "text/css; charset=utf-8", STYLE, YEAR),
    asset("/favicon.svg", "image/svg+xml", FAVICON, HOUR),
  ];
}

/** One file for anyone, under a path of its own. */
export function asset(
  path: string,
  contentType: string,
  body: string,
  cacheControl: string,
): Route {
  const headers = assetHeaders(contentType, cacheControl);
  return fixedText(path, body, headers);
}

/** A text that never changes; its tag is made once. */
export function fixedText(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Route {
  const etag = strongEtag(body);
  return openRoute(route(
    "GET",
    path,
    (context) => textAnswer(context, body, headers, etag),
  ));
}

/** What keeps a file what it is, for scripts of any site to read. */
export function assetHeaders(
  contentType: string,
  cacheControl: string,
): Record<string, string> {
  return {
    "content-type": contentType,
    "cache-control": cacheControl,
    ...OPEN_TO_SCRIPTS,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };
}
