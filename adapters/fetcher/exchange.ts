import { Buffer } from "node:buffer";
import {
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";

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
  | "size"
  | "text";

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

/** Opens the request; `options.lookup` answers the one checked address. */
export type Connector = (
  secure: boolean,
  options: RequestOptions & { servername?: string },
) => ClientRequest;

/** The connector over real sockets. */
export const systemConnector: Connector = (
  secure,
  options,
): ClientRequest => secure ? httpsRequest(options) : httpRequest(options);

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
  const { signal } = wanted;
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const request = connect(
    wanted.url.protocol === "https:",
    requestOptions(wanted),
  );
  const fail = (reason: FailureReason) => {
    reject(new FetchFailure(reason));
    request.destroy();
  };
  const onAbort = () => fail("timeout");
  signal.addEventListener("abort", onAbort, { once: true });
  request.on("error", () => fail("connection"));
  request.on("response", (response) => {
    const { maxBytes } = wanted;
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

function requestOptions(
  { url, address, method, headers }: Exchange,
): RequestOptions & { servername?: string } {
  const secure = url.protocol === "https:";
  return {
    method,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host },
    agent: false,
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

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<RawAnswer> {
  const { headers, statusCode: status = 0 } = response;
  if (Number(headers["content-length"] ?? 0) > maxBytes) {
    throw new FetchFailure("size");
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response) {
    length += part.length;
    if (length > maxBytes) throw new FetchFailure("size");
    parts.push(part);
  }
  if (!response.complete) throw new FetchFailure("connection");
  return { status, headers, bytes: Buffer.concat(parts) };
}
