import { type Route, route } from "../../route_table.ts";
import { textAnswer } from "./page_answer.ts";
import { FAVICON, ROBOTS, STYLE } from "./style.ts";

/** Published documents in Markdown, by their path on the site. */
export type Documents = Readonly<Record<`/${string}.md`, string>>;

const HOUR = "public, max-age=3600";
/** For what has its version in its address. */
export const YEAR = "public, max-age=31536000, immutable";

/** The files that pages and robots ask for. */
export function assetRoutes(): Route[] {
  return [
    asset("/style.css", "text/css; charset=utf-8", STYLE, YEAR),
    asset("/favicon.svg", "image/svg+xml", FAVICON, HOUR),
    asset("/robots.txt", "text/plain; charset=utf-8", ROBOTS, HOUR),
  ];
}

/** One file for anyone, under a path of its own. */
export function asset(
  path: string,
  contentType: string,
  body: string,
  cacheControl: string,
): Route {
  const headers = {
    "content-type": contentType,
    "cache-control": cacheControl,
    "access-control-allow-origin": "*",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  };
  return route("GET", path, (context) => textAnswer(context, body, headers));
}
