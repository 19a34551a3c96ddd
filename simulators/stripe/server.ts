/**
 * The listener. It is built on `node:http` because that gives the socket of a
 * request, so that its connection can be reset as networks do it.
 *
 * @module
 */

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError } from "./errors.ts";
import {
  errorAnswer,
  type WireAnswer,
  type WireOutcome,
  type WireRequest,
} from "./wire.ts";

/** Largest body read. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Longest path and query read; the head as a whole has 16 KiB. */
const MAX_TARGET_LENGTH = 8 * 1024;

/** Answers a request. */
export type Handle = (request: WireRequest) => Promise<WireOutcome>;

/** A listener under way. */
export interface Listener {
  /** The port it listens on. */
  port: number;
  /** Closes every connection and the port. */
  stop(): Promise<void>;
}

/** Opens a listener. */
export async function listen(
  hostname: string,
  port: number,
  handle: Handle,
): Promise<Listener> {
  const server = createServer((incoming, response) => {
    receive(incoming, response, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => resolve());
  });
  const address = server.address() as AddressInfo;
  return { port: address.port, stop: () => close(server) };
}

function receive(
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: Handle,
): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  incoming.on("error", () => response.destroy());
  incoming.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  incoming.on("end", () => {
    if (size > MAX_BODY_BYTES) return send(response, TOO_LARGE);
    const request = toRequest(incoming, chunks);
    if (request === null) return send(response, TARGET_TOO_LONG);
    handle(request).then(
      (outcome) => conclude(response, outcome),
      () => response.destroy(),
    );
  });
}

function toRequest(
  incoming: IncomingMessage,
  chunks: Uint8Array[],
): WireRequest | null {
  const target = incoming.url ?? "/";
  if (target.length > MAX_TARGET_LENGTH) return null;
  const at = target.indexOf("?");
  return {
    method: incoming.method ?? "GET",
    path: at === -1 ? target : target.slice(0, at),
    query: at === -1 ? "" : target.slice(at + 1),
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: readText(chunks),
  };
}

function conclude(response: ServerResponse, outcome: WireOutcome): void {
  if (outcome === "silence") return;
  if (outcome === "reset") resetAfterHead(response);
  else if (outcome === "reset_before_head") response.socket?.resetAndDestroy();
  else send(response, outcome);
}

/**
 * Loses the connection within the answer. Were it lost before, Deno's fetch
 * would send the request once more by itself whenever the connection had been
 * used before, and its caller would hear of nothing.
 */
function resetAfterHead(response: ServerResponse): void {
  const { socket } = response;
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": "1000",
  });
  response.write("{", () => socket?.resetAndDestroy());
}

function send(
  response: ServerResponse,
  { status, headers, body }: WireAnswer,
): void {
  const bytes = typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.end(bytes);
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function readText(chunks: Uint8Array[]): string {
  const [only] = chunks;
  if (only === undefined) return "";
  if (chunks.length === 1) return new TextDecoder().decode(only);
  const decoder = new TextDecoder();
  const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
  return texts.join("") + decoder.decode();
}

const TOO_LARGE = errorAnswer(
  new ApiError(413, {
    type: "invalid_request_error",
    message: `Request body must be at most ${MAX_BODY_BYTES} bytes`,
  }),
);

const TARGET_TOO_LONG = errorAnswer(
  new ApiError(414, {
    type: "invalid_request_error",
    message: `Request URL must be at most ${MAX_TARGET_LENGTH} characters`,
  }),
);
