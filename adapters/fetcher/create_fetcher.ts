import { monotonicMs, startTimer } from "../time/system_time.ts";
import {
  FetchBusy,
  type Fetched,
  type Fetcher,
  type FetchPolicy,
  FetchRefused,
} from "../../domain/fetching/fetcher.ts";
import { readPublicUrl } from "../../domain/fetching/public_url.ts";
import type { Log } from "../../domain/ports.ts";
import {
  type Connector,
  exchange,
  FetchFailure,
  type HostAddress,
  type RawAnswer,
  systemConnector,
} from "./exchange.ts";
import {
  FETCH_CAPS,
  type FetchCaps,
  type FetchGate,
  fetchGate,
  NOTIFY_CAPS,
} from "./fetch_caps.ts";
import {
  fairLookups,
  type FairResolver,
  type Resolver,
  systemResolver,
} from "./lookups.ts";
import { isLoopbackAddress, isSpecialAddress } from "./special_addresses.ts";

/** Clock and timers; tests give their own. */
export interface FetchTiming {
  /** A clock that only goes forward, ms. */
  nowMs(): number;
  /** Runs the function after a while; returns how to cancel it. */
  later(run: () => void, ms: number): () => void;
}

/** What a fetcher is made with. */
export interface FetcherOptions {
  /** Names us to the servers that are asked. */
  userAgent: string;
  /** Whether http on this machine may be asked: only where we are on it too. */
  allowLoopback: boolean;
  log: Log;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  caps?: FetchCaps;
  resolve?: Resolver;
  connect?: Connector;
  timing?: FetchTiming;
}

/**
 * A refusal is told no sooner than this after the request began: its timing
 * does not tell a name that does not exist from a closed port or a wrong document.
 */
export const FAILURE_AFTER_MS = 1_000;

/** The caps are of one second. */
const BUSY_RETRY_S = 1;

/** A request by any method of the port. */
interface Request {
  text: string;
  policy: Omit<FetchPolicy, "maxBytes"> & {
    /** Null: nothing but the status is looked at. */
    maxBytes: number | null;
  };
  /** Null: GET, and nothing but 200 will do. */
  body: string | null;
  headers?: Readonly<Record<string, string>>;
}

/**
 * A fetcher that does not reach our own network: the address is judged as
 * text, then everything its host resolves to, and the connection goes to the
 * very address that was judged. It follows no redirect and sends no cookie.
 * Decision 0051 says why.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const {
    caps = FETCH_CAPS,
    resolve = systemResolver,
    connect = systemConnector,
    timing = systemTiming,
  } = options;
  const partsOf = () => {
    const lookUp = fairLookups(resolve, timing);
    return { ...options, lookUp, connect, timing };
  };
  const parts = partsOf();
  const notifyParts = partsOf();
  const gate = fetchGate(caps, () => timing.nowMs());
  const notifyGate = fetchGate(NOTIFY_CAPS, () => timing.nowMs());
  return {
    getJson: (text, policy) =>
      guarded(parts, gate, { text, policy, body: null }),
    postJson: (text, body, policy) =>
      guarded(parts, gate, { text, policy, body: JSON.stringify(body) }),
    async notify(text, { body, headers, timeoutMs, asker = "" }) {
      const policy = { accept: "*/*", maxBytes: null, timeoutMs, asker };
      const request = { text, policy, body, headers };
      return (await guarded(notifyParts, notifyGate, request)).status;
    },
  };
}

interface Parts extends Required<Omit<FetcherOptions, "caps" | "resolve">> {
  lookUp: FairResolver;
}

async function guarded(
  parts: Parts,
  gate: FetchGate,
  request: Request,
): Promise<Fetched> {
  const { allowLoopback, log, timing } = parts;
  const url = readPublicUrl(request.text, { allowLoopback });
  if (url === null) throw new FetchRefused();
  const startedAtMs = timing.nowMs();
  const leave = gate.enter();
  try {
    if (leave === null) throw new FetchBusy(BUSY_RETRY_S);
    return await inTime(parts, request, url).finally(leave);
  } catch (error) {
    if (error instanceof FetchBusy) {
      log.info("fetch.refused", { host: url.host, reason: "busy" });
    }
    if (!(error instanceof FetchFailure)) throw error;
    log.info("fetch.refused", { host: url.host, reason: error.reason });
    const leftMs = startedAtMs + FAILURE_AFTER_MS - timing.nowMs();
    if (request.body === null && leftMs > 0) await pause(parts, leftMs);
    throw new FetchRefused();
  }
}

/** Sends the request; the lookup counts towards its policy's time limit. */
async function inTime(
  { timing, stopping, ...parts }: Parts,
  request: Request,
  url: URL,
): Promise<Fetched> {
  const over = new AbortController();
  const cancel = timing.later(() => over.abort(), request.policy.timeoutMs);
  const signal = AbortSignal.any([over.signal, stopping]);
  try {
    const { policy, body } = request;
    const looking = parts.lookUp(policy.asker ?? "", nameOf(url));
    const address = judge(url, await unlessAborted(looking, signal));
    const answer = await exchange(parts.connect, {
      url,
      address,
      method: body === null ? "GET" : "POST",
      headers: headersOf(parts.userAgent, request),
      body,
      maxBytes: policy.maxBytes,
      signal,
    });
    if (policy.maxBytes === null) return headOnly(answer);
    return judgeAnswer(answer, body === null ? "200" : "any status");
  } finally {
    cancel();
  }
}

function headersOf(
  userAgent: string,
  { policy, body, headers = {} }: Request,
): Record<string, string> {
  return {
    ...headers,
    "accept": policy.accept,
    "accept-encoding": "identity",
    "user-agent": userAgent,
    ...body === null ? {} : {
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(body).length),
    },
  };
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The address to connect to; all addresses of the host must be allowed. */
function judge(url: URL, addresses: readonly HostAddress[]): HostAddress {
  const isAllowed = url.protocol === "http:"
    ? ({ address }: HostAddress) => isLoopbackAddress(address)
    : ({ address }: HostAddress) => !isSpecialAddress(address);
  if (!addresses.every(isAllowed)) throw new FetchFailure("special_address");
  // IPv4 first: not every machine has a way out over IPv6.
  const [first] = addresses.toSorted((a, b) => a.family - b.family);
  if (first === undefined) throw new FetchFailure("lookup");
  return first;
}

function unlessAborted(
  looking: Promise<readonly HostAddress[]>,
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<
    readonly HostAddress[]
  >();
  const onAbort = () => reject(new FetchFailure("timeout"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  looking.then(
    resolve,
    (error) =>
      reject(error instanceof FetchBusy ? error : new FetchFailure("lookup")),
  );
  return promise.finally(() => signal.removeEventListener("abort", onAbort));
}

/** Waits, unless the service stops. */
function pause({ timing, stopping }: Parts, ms: number): Promise<void> {
  if (stopping.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onStop = () => resolve();
  const cancel = timing.later(onStop, ms);
  stopping.addEventListener("abort", onStop, { once: true });
  return promise.finally(() => {
    cancel();
    stopping.removeEventListener("abort", onStop);
  });
}

const systemTiming: FetchTiming = {
  nowMs: monotonicMs,
  later: startTimer,
};

const JSON_TYPE = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;

/** The status, and nothing that the server says besides. */
function headOnly({ status }: RawAnswer): Fetched {
  return { status, contentType: "", body: "", maxAgeS: null };
}

/**
 * Checks that an answer is what was asked for: JSON from the address itself,
 * without redirect or compression.
 *
 * @throws {FetchFailure} otherwise
 */
function judgeAnswer(
  { status, headers, bytes }: RawAnswer,
  wants: "200" | "any status",
): Fetched {
  if (status >= 300 && status < 400) throw new FetchFailure("redirect");
  if (wants === "200" && status !== 200) throw new FetchFailure("status");
  const contentType = (headers["content-type"] ?? "").toLowerCase();
  const [mediaType = ""] = contentType.split(";", 1);
  if (!JSON_TYPE.test(mediaType.trim())) throw new FetchFailure("type");
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw new FetchFailure("encoding");
  return {
    status,
    contentType,
    body: textOf(bytes),
    maxAgeS: maxAgeOf(headers["cache-control"]),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FetchFailure("text");
  }
}

/** Seconds of freshness by Cache-Control; 0 where it forbids to keep. */
function maxAgeOf(header: string | undefined): number | null {
  const directives = (header ?? "").toLowerCase().split(",")
    .map((directive) => directive.trim());
  if (directives.some((each) => /^no-(?:store|cache)\b/.test(each))) return 0;
  for (const directive of directives) {
    const seconds = /^max-age="?(\d{1,9})"?$/.exec(directive)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}
