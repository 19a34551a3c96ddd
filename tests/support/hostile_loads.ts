/**
 * What is sent to one operation at once, with a text of some kind in each place
 * that it reads.
 *
 * @module
 */
import {
  type AskedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
} from "./asked_everywhere.ts";
import { MESSAGE_BYTES_MAX } from "../../routes/mcp/read_message.ts";
import { PATH_MAX, TARGET_MAX } from "../../routes/middleware/host_dispatch.ts";
import type { Operation } from "./every_route.ts";
import { bodiesOf, crowdsOf, HOSTILE, type MakeText } from "./hostile_texts.ts";

/** What is sent to one operation at once. */
export interface Load {
  name: string;
  requests(make: MakeText): Promise<readonly Request[]>;
}

const OAUTH_NAMES = [
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "code",
  "code_challenge",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "refresh_token",
  "resource",
  "response_type",
  "scope",
  "state",
  "token",
];

/** Which parameters and fields a request is asked for, by watching it. */
async function namesAsked(request: Request): Promise<string[]> {
  const { get, getAll } = URLSearchParams.prototype;
  const names = new Set<string>();
  URLSearchParams.prototype.get = function (name) {
    names.add(name);
    return get.call(this, name);
  };
  URLSearchParams.prototype.getAll = function (name) {
    names.add(name);
    return getAll.call(this, name);
  };
  try {
    const answer = await fetch(request, { redirect: "manual" });
    await answer.body?.cancel();
  } finally {
    Object.assign(URLSearchParams.prototype, { get, getAll });
  }
  const isOauth = new URL(request.url).pathname.startsWith("/oauth/");
  return [...names, ...isOauth ? OAUTH_NAMES : []];
}

/** Encoded texts as long as a query or a form may be. */
function encoded(name: string, make: MakeText, length: number): string {
  let text = encodeURIComponent(make(length).toWellFormed());
  text = text.slice(0, length).replace(/%[0-9A-F]?$/, "");
  return `${name}=${text}`;
}

/** Room for a path beside the longest query that a route is given. */
const QUERY_BYTES = TARGET_MAX - 200;
/** Longest header that is sent; the server takes heads of more. */
const HEADER_BYTES = 16_000;
/** Lengths of paths: of any that a server takes, and that a route looks at. */
const PATH_LENGTHS = [60_000, PATH_MAX];
/** The same of queries, in which an address of a page is asked for. */
const QUERY_LENGTHS = [60_000, 8_000, QUERY_BYTES];
/** Requests with each. */
const PATHS = 10;
const FORM_BYTES = 16_000;

const HEADERS = [
  "accept",
  "accept-language",
  "api-version",
  "authorization",
  "cookie",
  "idempotency-key",
  "if-none-match",
  "origin",
  "range",
  "referer",
  "request-id",
  "user-agent",
  "x-forwarded-for",
];

/** The largest JSON body of a surface. */
export function bytesOf({ path }: Operation): number {
  if (path.startsWith("/webhooks/")) return 256 * 1024;
  if (path.endsWith("/mcp")) return MESSAGE_BYTES_MAX;
  if (path === "/ask") return 4_096;
  if (path === "/oauth/register") return 8_192;
  return 16_384;
}

/** The load of a form, or of a GET: each of the names that it asks for. */
export async function loadOfNames(
  everywhere: AskedEverywhere,
  operation: Operation,
): Promise<Load & { names: readonly string[] }> {
  const { method, name, url } = operation;
  const isForm = method !== "GET";
  const requestWith = async (text: string) =>
    new Request(isForm || text === "" ? url : `${url}?${text}`, {
      method,
      headers: await everywhere.headersOf(operation, FORM_TYPE),
      ...isForm && { body: text },
    });
  const names = await namesAsked(await requestWith(isForm ? "x=1" : ""));
  return {
    name,
    names,
    requests: (make) =>
      Promise.all([...new Set([...names, "x"])].map((each) => {
        const length = isForm ? FORM_BYTES : QUERY_BYTES;
        return requestWith(encoded(each, make, length));
      })),
  };
}

/** The load of a GET whose headers are odd. */
export function loadOfHeaders(
  everywhere: AskedEverywhere,
  operation: Operation,
): Load {
  return {
    name: `${operation.name}, headers`,
    requests: (make) =>
      Promise.all(HEADERS.map(async (header) => {
        const headers = await everywhere.headersOf(operation, JSON_TYPE);
        headers[header] = make(HEADER_BYTES).trim();
        return new Request(operation.url, { headers });
      })),
  };
}

/** The load of a host whose paths and queries are odd. */
export function loadOfPaths(origin: string): Load {
  return {
    name: `${origin}, paths`,
    requests: (make) =>
      Promise.resolve(
        [
          ...PATH_LENGTHS.map((length) => `/${make(length - 1)}`),
          ...QUERY_LENGTHS.map((length) => `/spotlights?${make(length)}`),
        ].flatMap((target) =>
          Array.from({ length: PATHS }, () => new Request(origin + target))
        ),
      ),
  };
}

/** Crowds of members come with one kind, as they hold no text. */
export function jsonOf(
  sample: unknown,
  make: MakeText,
  bytes: number,
): string[] {
  const texts = bodiesOf(sample, make, bytes);
  return make === HOSTILE["digits"]
    ? [...texts, ...crowdsOf(sample, bytes)]
    : texts;
}

/** The load of an operation that takes JSON. */
export function loadOfJson(
  everywhere: AskedEverywhere,
  operation: Operation,
  sample: unknown,
): Load {
  const { method, name, url } = operation;
  return {
    name,
    requests: (make) =>
      Promise.all(
        jsonOf(sample, make, bytesOf(operation)).map(async (body) =>
          new Request(url, {
            method,
            body,
            headers: await everywhere.headersOf(operation, JSON_TYPE),
          })
        ),
      ),
  };
}

/** Bodies of a load that are each odd as a whole. */
const WHOLES = 8;

/** The load of an operation whose bodies are odd as a whole. */
export function loadOfWholes(
  everywhere: AskedEverywhere,
  operation: Operation,
  contentType: string,
): Load {
  const { method, name, url } = operation;
  const bytes = contentType === FORM_TYPE ? FORM_BYTES : bytesOf(operation);
  return {
    name: `${name}, bodies of ${contentType}`,
    requests: (make) =>
      Promise.all(Array.from({ length: WHOLES }, async () =>
        new Request(url, {
          method,
          body: make(bytes),
          headers: await everywhere.headersOf(operation, contentType),
        }))),
  };
}
