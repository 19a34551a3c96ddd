import { strongEtag } from "../../../domain/spotlights/public_record.ts";
import type { RouteContext } from "../../route_table.ts";
import { isNoneMatch } from "../if_none_match.ts";

/** No script at all, and nothing from elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** What keeps a page what it is, whatever stands in it. */
export const PAGE_SECURITY: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  // Not "no-referrer", which would make the Origin of forms null.
  "referrer-policy": "strict-origin-when-cross-origin",
};

/** Pages are asked for again each time, since a Spotlight may be removed. */
const REVALIDATED = "private, no-cache";

/** An HTML page; `html` is the element that hono/jsx made. */
export function htmlAnswer(
  context: RouteContext,
  html: { toString(): string },
  init: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const status = init.status ?? 200;
  const body = `<!doctype html>\n${html}\n`;
  if (status === 200) return textAnswer(context, body, HTML);
  return new Response(body, {
    status,
    headers: { ...HTML, "cache-control": "no-store", ...init.headers },
  });
}

/** A text with an entity tag, sent again only when it changed. */
export function textAnswer(
  context: RouteContext,
  body: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const etag = strongEtag(body);
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  const all = { "cache-control": REVALIDATED, etag, ...headers };
  return ifNoneMatch !== null && isNoneMatch(ifNoneMatch, etag)
    ? new Response(null, { status: 304, headers: all })
    : new Response(body, { headers: all });
}

const HTML = {
  "content-type": "text/html; charset=utf-8",
  ...PAGE_SECURITY,
};
