import { OPEN_TO_SCRIPTS } from "./http/cors.ts";
import { SharedFile, SharedText } from "./http/respond.ts";
import { textAnswer } from "./http/text_answer.ts";
import { openRoute, type Route, route } from "./route_table.ts";

/** For what changes with a release. */
export const HOUR = "public, max-age=3600";
/** For what has its version in its address. */
export const YEAR = "public, max-age=31536000, immutable";

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

/** The same for one that is no text. */
export function binaryAsset(
  path: string,
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
  cacheControl: string,
): Route {
  const headers = assetHeaders(contentType, cacheControl);
  return fixed(path, new SharedFile(bytes), headers);
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
  return fixed(path, new SharedText(body), headers);
}

function fixed(
  path: string,
  body: SharedText | SharedFile,
  headers: Readonly<Record<string, string>>,
): Route {
  return openRoute(
    route("GET", path, (context) => textAnswer(context, body, headers)),
  );
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
