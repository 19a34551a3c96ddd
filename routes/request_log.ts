import type { RequestTrace } from "./context.ts";
import type { HostKind } from "./hosts.ts";
import type { LineWriter } from "./line_writer.ts";

/** What is said of a request once it is answered. */
export interface RequestLine {
  /** When it arrived, epoch ms. */
  atMs: number;
  /** How long the answer took. */
  tookMs: number;
  host: HostKind | null;
  method: MethodName;
  status: number;
  trace: RequestTrace;
}

/** Writes one line a request. */
export type RequestLog = (line: RequestLine) => void;

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
] as const;

/** What a request's method is called by; never what a client made up. */
export type MethodName = typeof METHODS[number] | "OTHER";

/** The method's name: one of few, so that what counts by it stays small. */
export function methodName(method: string): MethodName {
  return METHODS.find((each) => each === method) ?? "OTHER";
}

/**
 * The request log: id, host, method, route pattern, status, ms and a hash of
 * the grant, as JSON. Never a path, query, token, amount, e-mail or address.
 *
 * The line is put together by hand, since it is made for every request; each
 * part is a name or number of our own and needs no escaping.
 */
export function requestLog(
  writer: LineWriter,
  hashGrant: (grantId: string) => string,
): RequestLog {
  const timestamp = rememberedTimestamp();
  return function logRequest({ atMs, tookMs, host, method, status, trace }) {
    const grant = trace.grantId === null
      ? ""
      : `,"grant":"${hashGrant(trace.grantId)}"`;
    writer.write(
      `{"ts":"${timestamp(atMs)}","id":"${trace.requestId}",` +
        `"host":"${host ?? "unknown"}","method":"${method}",` +
        `"route":"${trace.route}","status":${status},` +
        `"ms":${Math.round(tookMs * 100) / 100}${grant}}`,
    );
  };
}

/** Many requests share a millisecond. */
function rememberedTimestamp(): (ms: number) => string {
  let lastMs = NaN;
  let last = "";
  return (ms) => {
    if (ms !== lastMs) {
      last = new Date(ms).toISOString();
      lastMs = ms;
    }
    return last;
  };
}
