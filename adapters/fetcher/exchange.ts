import { Buffer } from "node:buffer";
import { type IncomingMessage, request as httpRequest } from "node:http";
import {
  connect as tcpConnect,
  type Socket,
  type TcpNetConnectOpts,
} from "node:net";
import { connect as tlsConnect, type ConnectionOptions } from "node:tls";
import { WatchedSocket, type WatchFailure } from "./watched_socket.ts";

/** Why there is no answer. It goes to the log and nowhere else. */
export type FailureReason =
  | "lookup"
  | "special_address"
  | "connection"
  | "timeout"
  | "redirect"
  | "status"
  | "type"
  | "encoding"
  | "text"
  | WatchFailure;

/** A request that came to nothing. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

/** An address of a host, as the resolver gives it. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Opens a socket; `options.lookup` answers the one checked address. */
export type Connector = (
  secure: boolean,
  options: TcpNetConnectOpts & ConnectionOptions,
) => Socket;

/** The connector over real sockets. */
export const systemConnector: Connector = (secure, options): Socket =>
  secure ? tlsConnect(options) : tcpConnect(options);

/** One request, ready to go. */
export interface Exchange {
  url: URL;
  /** Where it goes, whatever the name resolves to by then. */
  address: HostAddress;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  /** The longest body; null: it is not read. */
  maxBytes: number | null;
  /** Aborted when the time is over. */
  signal: AbortSignal;
}

/** A complete answer, not yet judged. */
export interface RawAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  bytes: Uint8Array;
}

/**
 * Sends the request to the checked address under the name of its host, which
 * the certificate has to have, and reads the answer byte by byte.
 *
 * @throws {FetchFailure} when no complete answer comes or it is too long
 */
export function exchange(
  connect: Connector,
  wanted: Exchange,
): Promise<RawAnswer> {
  const { signal, maxBytes } = wanted;
  const isSecure = wanted.url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const fail = (reason: FailureReason) => {
    reject(new FetchFailure(reason));
    request.destroy();
  };
  const request = httpRequest({
    method: wanted.method,
    path: wanted.url.pathname + wanted.url.search,
    headers: { ...wanted.headers, host: wanted.url.host },
    createConnection: () => {
      const socket = connect(isSecure, socketOptions(wanted));
      return new WatchedSocket(socket, { maxBytes, onRefused: fail });
    },
  });
  const onAbort = () => fail("timeout");
  signal.addEventListener("abort", onAbort, { once: true });
  request.on("error", () => fail("connection"));
  request.on("response", (response) => {
    if (maxBytes === null) return resolve(headOf(response));
    readBody(response, maxBytes).then(resolve, (error) => {
      fail(error instanceof FetchFailure ? error.reason : "connection");
    });
  });
  if (signal.aborted) onAbort();
  else request.end(wanted.body ?? undefined);
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    request.destroy();
  });
}

function socketOptions(
  { url, address }: Exchange,
): TcpNetConnectOpts & ConnectionOptions {
  const secure = url.protocol === "https:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    lookup: (_host, options, callback) => {
      const { address: ip, family } = address;
      if (options.all) callback(null, [{ address: ip, family }]);
      else callback(null, ip, family);
    },
    ...secure ? { servername: url.hostname } : {},
  };
}

/** The answer without its body, which ends with the request. */
function headOf({ headers, statusCode: status = 0 }: IncomingMessage) {
  return { status, headers, bytes: new Uint8Array() };
}

/** Parts of a body that may be as small as they like. */
const SMALL_PARTS_MAX = 64;
/** Bytes that the others have at least, on the average. */
const ORDINARY_PART_BYTES = 64;

/** Each chunk is a part, and costs its event, also of a byte. */
function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<RawAnswer> {
  const { headers, statusCode: status = 0 } = response;
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const fail = (reason: FailureReason) => reject(new FetchFailure(reason));
  if (Number(headers["content-length"] ?? 0) > maxBytes) fail("size");
  const parts: Uint8Array[] = [];
  let length = 0;
  response.on("data", (part: Uint8Array) => {
    length += part.length;
    parts.push(part);
    const isCrumbs =
      parts.length > SMALL_PARTS_MAX + length / ORDINARY_PART_BYTES;
    if (length > maxBytes) fail("size");
    else if (isCrumbs) fail("crumbs");
  });
  response.on("error", () => fail("connection"));
  response.on("close", () => {
    if (!response.complete) return fail("connection");
    resolve({ status, headers, bytes: Buffer.concat(parts) });
  });
  return promise;
}
