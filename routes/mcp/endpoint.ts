/**
 * One way of speaking the Model Context Protocol over HTTP, for every server we
 * have: revision 2026-07-28, whose requests stand alone, and the revisions of
 * 2025 without sessions. A server is built for each request, so that nothing
 * of one caller can be seen by another.
 *
 * @module
 */
import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  type McpServerFactory,
  preloadSchemas,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Log } from "../../domain/ports.ts";
import { authorityOf } from "../hosts.ts";
import { withHeaders } from "../http/respond.ts";
import type { DirectCalls } from "./direct_calls.ts";
import type { ByLibrary, DirectLists } from "./direct_lists.ts";
import { withInvalidParams } from "./invalid_params.ts";
import { answerListening, type Listening } from "./listening.ts";
import { type Message, readMessage } from "./read_message.ts";
import { rpcError } from "./rpc_error.ts";
import type { Ask, Served } from "./types.ts";

/**
 * Builds the server that answers one request. It may throw what a route may:
 * the route table answers it.
 */
export type BuildServer<Caller> = (
  served: Served<Caller>,
) => McpServer | Promise<McpServer>;

/** How an endpoint is reached. */
export interface EndpointOptions {
  /** Host names that it answers for, without ports. */
  hosts: readonly string[];
  /** The pages whose scripts may ask, as `Origin` names them. */
  origins: readonly string[] | "any";
  log: Log;
  /** Aborted when the service stops: open streams end on it. */
  stopping: AbortSignal;
  /**
   * Whether tools send notifications before their result, which then is a
   * stream. Ours send none, and answer JSON in both eras.
   */
  streams?: boolean;
}

/**
 * Has the caller pay for what the library does for it, such as listing all tools,
 * where no operation is paid for.
 *
 * @throws what a route may, where the caller is to come again
 */
export type CountWork<Caller> = (
  caller: Caller,
  work: () => Promise<Response>,
) => Promise<Response>;

/** A server, and what of it needs none to be built. */
export interface McpServing<Caller> {
  build: BuildServer<Caller>;
  direct?: DirectCalls<Caller>;
  lists?: DirectLists;
  counts?: CountWork<Caller>;
  listens?: Listening<Caller>;
}

/** Answers one request; throws what {@linkcode BuildServer} throws. */
export type McpEndpoint<Caller> = (
  request: Request,
  ask: Ask<Caller>,
) => Promise<Response>;

/** Where one request stands while the SDK has it. */
interface Exchange<Caller> {
  served: Served<Caller>;
  /** What building the server threw, which the SDK would answer as a 500. */
  thrown?: unknown;
}

/** What is the same of every answer to anybody. */
const ALWAYS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

// Compiled lazily otherwise, by the first caller of every isolate.
preloadSchemas();

/** Makes the endpoint of one server. */
export function mcpEndpoint<Caller>(
  { build, direct, lists, counts, listens }: McpServing<Caller>,
  options: EndpointOptions,
): McpEndpoint<Caller> {
  const { log, stopping } = options;
  const exchanges = new WeakMap<Request, Exchange<Caller>>();
  // `auto` answers JSON as long as a handler sends no notification.
  const factory: McpServerFactory = ({ requestInfo }) =>
    buildFor(exchanges, build, requestInfo);
  const modern = createMcpHandler(factory, {
    legacy: "reject",
    responseMode: "auto",
  });

  async function answerTo(
    request: Request,
    ask: Ask<Caller>,
  ): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed();
    if (!isJsonContentType(request.headers.get("content-type"))) {
      return rpcError(415, -32000, "The body must be application/json");
    }
    const message = await readMessage(ask.source);
    if (message instanceof Response) return message;
    const { body } = message;
    if (Array.isArray(body) && body.length > 1) return oneAtATime();
    const answered = await direct?.(request, message, ask) ?? null;
    if (answered !== null) return answered;
    const bySdk: ByLibrary = async (told) => {
      const asked = namingBothTypes(request);
      return withInvalidParams(await answerBySdk(asked, message, ask), told);
    };
    const byLibrary: ByLibrary = counts === undefined || paysElsewhere(message)
      ? bySdk
      : (told) => counts(ask.caller, () => bySdk(told));
    return await (lists?.answer(request, message, byLibrary) ?? byLibrary());
  }

  async function answerBySdk(
    request: Request,
    { body, method, name, isModern }: Message,
    { caller, requestId, authInfo }: Ask<Caller>,
  ): Promise<Response> {
    const known = { method, name, caller, requestId };
    const forSdk = { parsedBody: body, ...authInfo && { authInfo } };
    // Its look takes a tenth of a call, and mostly the message says enough.
    if (!isModern && await isLegacyRequest(request, body)) {
      const server = await build({ era: "legacy", ...known });
      return serveLegacy(server, request, forSdk, options);
    }
    const exchange: Exchange<Caller> = { served: { era: "modern", ...known } };
    exchanges.set(request, exchange);
    const response = method === "subscriptions/listen" && listens
      ? await answerListening(listens, factory, request, forSdk, caller)
      : await modern.fetch(request, forSdk);
    if ("thrown" in exchange) throw exchange.thrown;
    return response;
  }

  return async function mcp(request, ask) {
    const answered = elsewhere(options, request) ??
      await answerTo(request, ask);
    if (answered.status >= 500) {
      log.error("mcp_failed", { request: ask.requestId });
    }
    return withHeaders(endingOn(stopping, answered), ALWAYS);
  };
}

/** Methods that are not counted here: their operations are, or they cost little. */
const PAY_ELSEWHERE: ReadonlySet<string> = new Set([
  "tools/call",
  "resources/read",
  "subscriptions/listen",
  "initialize",
  "notifications/initialized",
  "ping",
  "server/discover",
]);

function paysElsewhere({ method }: Message): boolean {
  return method !== null && PAY_ELSEWHERE.has(method);
}

async function buildFor<Caller>(
  exchanges: WeakMap<Request, Exchange<Caller>>,
  build: BuildServer<Caller>,
  request: Request | undefined,
): Promise<McpServer> {
  const exchange = request && exchanges.get(request);
  if (!exchange) throw new Error("The request is not known");
  try {
    return await build(exchange.served);
  } catch (thrown) {
    exchange.thrown = thrown;
    throw thrown;
  }
}

/** A transport of one request, as there are no sessions. */
async function serveLegacy(
  server: McpServer,
  request: Request,
  forSdk: { parsedBody: unknown; authInfo?: AuthInfo },
  { streams = false }: EndpointOptions,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !streams,
  });
  await server.connect(transport);
  const response = await transport.handleRequest(request, forSdk);
  if (!streams) await server.close();
  return response;
}

/**
 * None of our revisions has batches; one of many calls would also cost no more
 * than a call.
 */
function oneAtATime(): Response {
  return rpcError(400, -32600, "Send one request at a time");
}

/** GET and DELETE are 405: there is no stream and no session of its own. */
export function methodNotAllowed(): Response {
  const refused = rpcError(405, -32000, "Method not allowed: use POST");
  return withHeaders(refused, { allow: "POST" });
}

/** The answer to who asks another host, or from a page that may not. */
function elsewhere(
  options: Pick<EndpointOptions, "hosts" | "origins">,
  request: Request,
): Response | null {
  if (!options.hosts.includes(hostnameOf(request))) {
    return rpcError(403, -32000, "Invalid Host");
  }
  return isOriginOf(options, request)
    ? null
    : rpcError(403, -32000, "Invalid Origin");
}

/** Whether the page that asks may; programs name none. */
function isOriginOf(
  { origins }: Pick<EndpointOptions, "origins">,
  { headers }: Request,
): boolean {
  const origin = headers.get("origin");
  return origin === null || origins === "any" || origins.includes(origin);
}

/** The host a request names, without its port; the SDK reads Host alone. */
function hostnameOf(request: Request): string {
  return (authorityOf(request) ?? "").replace(/:\d+$/, "").toLowerCase();
}

/**
 * What a client says it accepts. The protocol wants both types named, and the
 * library takes that by the letter; but a star, or saying nothing, accepts both
 * (RFC 9110 §12.5.1), and is what curl and many HTTP libraries send.
 *
 * @module
 */

const BOTH = "application/json, text/event-stream";

/** The same request, with both types named where all are accepted. */
function namingBothTypes(request: Request): Request {
  const accept = request.headers.get("accept");
  if (accept !== null && !acceptsAnything(accept)) return request;
  const { url, method, signal } = request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH);
  // Its body was read before.
  return new Request(url, { method, headers, signal });
}

function acceptsAnything(accept: string): boolean {
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";");
    return type.trim() === "*/*" &&
      !parameters.some((each) => /^\s*q=0(?:\.0{0,3})?\s*$/i.test(each));
  });
}

/**
 * A stream that also ends when the service stops, as nobody else would end it.
 * Any other answer is given back as it is.
 */
export function endingOn(stopping: AbortSignal, answer: Response): Response {
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) return answer;
  // Only to look at the body of any other would make a stream of it.
  const { body } = answer;
  if (body === null) return answer;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const letGo = () => stopping.removeEventListener("abort", stop);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      letGo();
    },
    async cancel(reason) {
      letGo();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = answer;
  return new Response(stream, { status, headers });
}
