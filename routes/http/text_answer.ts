import { strongEtag } from "../../domain/spotlights/public_record.ts";
import type { RouteContext } from "../context.ts";
import { isNoneMatch } from "./if_none_match.ts";
import { respond, type SharedFile, type SharedText } from "./respond.ts";

/** Pages are asked for again each time, since a Spotlight may be removed. */
const REVALIDATED = "private, no-cache";

/** A text or file with an entity tag, sent again only when it changed. */
export function textAnswer(
  context: RouteContext,
  body: string | SharedText | SharedFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const etag = typeof body === "string" ? strongEtag(body) : body.etag;
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  const all = { "cache-control": REVALIDATED, etag, ...headers };
  if (ifNoneMatch !== null && isNoneMatch(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers: all });
  }
  return respond(body, { headers: all });
}
