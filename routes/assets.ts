import { OPEN_TO_SCRIPTS } from "./http/cors.ts";
import type { Versioned } from "./pages/versioned.ts";
import { SharedFile, SharedText } from "./http/respond.ts";
import { textAnswer } from "./http/text_answer.ts";
import {
  openRoute,
  type Route,
  route,
  type RouteHandler,
} from "./route_table.ts";

/** For what changes with a release. */
export const HOUR = "public, max-age=3600";
/** For what has its version in its address. */
const YEAR = "public, max-age=31536000, immutable";
const REVALIDATED = "no-cache";

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

/**
 * A file whose address changes with it: see `versioned()`. It is kept for a
 * year, but not by who asks for another version than there is, as pages of the
 * next release or the last one do while both run.
 *
 * @param address the path with the version
 */
export function versionedAsset(
  address: Versioned,
  contentType: string,
  content: string | Uint8Array<ArrayBuffer>,
): Route {
  const body = typeof content === "string"
    ? new SharedText(content)
    : new SharedFile(content);
  const path = address.slice(0, address.indexOf("?"));
  return fixedRoute(path, (context) => {
    const isOfVersion = context.req.url.endsWith(address);
    const headers = assetHeaders(contentType, isOfVersion ? YEAR : REVALIDATED);
    return textAnswer(context, body, headers);
  });
}

/** JSON for anyone, laid out so that people may read it too. */
export function jsonAsset(
  path: string,
  contentType: string,
  document: unknown,
): Route {
  return asset(path, contentType, pretty(document), HOUR);
}

/** JSON that people may read too. */
export function pretty(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A text that never changes; its tag is made once. */
export function fixedText(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Route {
  const text = new SharedText(body);
  return fixedRoute(path, (context) => textAnswer(context, text, headers));
}

/** A file of bytes that never changes; its tag is made once. */
export function fixedFile(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Route {
  const file = new SharedFile(bytes);
  return fixedRoute(path, (context) => textAnswer(context, file, headers));
}

/** What never changes, for scripts of any page too. */
function fixedRoute(path: string, handle: RouteHandler): Route {
  return { ...openRoute(route("GET", path, handle)), isFixed: true };
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
