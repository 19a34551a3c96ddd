import { strongEtag } from "../../domain/spotlights/public_record.ts";
import type { RouteContext } from "../context.ts";
import {
  COMPRESSED_FROM,
  type Encoding,
  gzipped,
  preferredEncoding,
} from "./content_encoding.ts";
import { isNoneMatch } from "./if_none_match.ts";
import {
  respond,
  respondEmpty,
  respondPieces,
  SharedFile,
  type SharedText,
} from "./respond.ts";

/** Pages are asked for again each time, since a Spotlight may be removed. */
const REVALIDATED = "private, no-cache";

type Headers = Readonly<Record<string, string>>;

/** How a text is answered. */
interface TextOptions {
  /** It is made for whoever is signed in, and is never compressed. */
  isPersonal?: boolean;
}

/**
 * A text or file with an entity tag, sent again only when it changed, and
 * compressed for whoever takes that. Only what anybody may read comes here: a
 * compressed answer tells by its length what of a request it repeats, so that
 * none may have a secret beside it.
 */
export function textAnswer(
  context: RouteContext,
  body: string,
  headers: Headers,
  options?: TextOptions,
): Response;
/** The same of what many answers share, which is compressed once for all. */
export function textAnswer(
  context: RouteContext,
  body: SharedText | SharedFile,
  headers: Headers,
): Response | Promise<Response>;
/** Either of them. */
export function textAnswer(
  context: RouteContext,
  body: string | SharedText | SharedFile,
  headers: Headers,
  { isPersonal = false }: TextOptions = {},
): Response | Promise<Response> {
  const etag = typeof body === "string" ? strongEtag(body) : body.etag;
  const offered = isPersonal ? [] : encodingsOf(body);
  const encoding = offered.length === 0
    ? null
    : preferredEncoding(acceptedBy(context), offered);
  const all = {
    "cache-control": REVALIDATED,
    ...headers,
    ...offered.length > 0 && { vary: varyOf(headers) },
    // One tag for all encodings says no more than that the text is the same.
    etag: encoding === null ? etag : `W/${etag}`,
  };
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  if (ifNoneMatch !== null && isNoneMatch(ifNoneMatch, etag)) {
    return respondEmpty(304, all);
  }
  if (encoding === null || body instanceof SharedFile) {
    return respond(body, { headers: all });
  }
  const init = { headers: { ...all, "content-encoding": encoding } };
  if (typeof body === "string") return respond(gzipped(body), init);
  return body.encoded(encoding).then((pieces) => respondPieces(pieces, init));
}

/** How a body may be sent, the smallest first. Files are compressed already. */
function encodingsOf(
  body: string | SharedText | SharedFile,
): readonly Encoding[] {
  if (body instanceof SharedFile) return [];
  const [{ length }, offered] = typeof body === "string"
    ? [body, ONCE]
    : [body.text, KEPT];
  return length < COMPRESSED_FROM ? [] : offered;
}

/** For a text that is kept in each, and for one that is sent once. */
const KEPT: readonly Encoding[] = ["br", "gzip"];
const ONCE: readonly Encoding[] = ["gzip"];

function acceptedBy({ req }: RouteContext): string | null {
  return req.raw.headers.get("accept-encoding");
}

/** Caches have to know what the answer depends on. */
function varyOf({ vary }: Headers): string {
  return vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}
