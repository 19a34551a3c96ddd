import { strongEtag } from "../../domain/spotlights/public_record.ts";
import type { RouteContext } from "../route_table.ts";
import { isNoneMatch } from "./if_none_match.ts";
import { LARGE_FROM, largeBody, sharedBytes } from "./large_body.ts";

/** Pages are asked for again each time, since a Spotlight may be removed. */
const REVALIDATED = "private, no-cache";

/**
 * A text with an entity tag, sent again only when it changed.
 *
 * @param etag the tag of the body, where it is known already
 */
export function textAnswer(
  context: RouteContext,
  body: string,
  headers: Readonly<Record<string, string>>,
  etag: string = strongEtag(body),
): Response {
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  const all = { "cache-control": REVALIDATED, etag, ...headers };
  if (ifNoneMatch !== null && isNoneMatch(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  if (body.length < LARGE_FROM) return new Response(body, { headers: all });
  const bytes = sharedBytes(body, etag);
  return new Response(largeBody(bytes), {
    headers: { ...all, "content-length": String(bytes.length) },
  });
}
