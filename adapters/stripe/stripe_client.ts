import Stripe from "stripe";
import { boundedBytes } from "./bounded_bytes.ts";

/** How to reach the processor. */
export interface StripeClientOptions {
  secretKey: string;
  /** Another server than Stripe's own, such as the simulator's address. */
  apiBase: string | null;
  /** Longest one call may take, ms; 10 s unless given. */
  timeoutMs?: number;
  /** Longest one download may take, ms; 10 s unless given. */
  downloadTimeoutMs?: number;
  /** How requests travel; over the network unless given. */
  travel?: Travel;
}

/** Takes a request to whom it is for, and brings back the answer. */
export type Travel = (url: string, init?: RequestInit) => Promise<Response>;

/** A call that takes longer is uncertain; the lease of a saga outlives it. */
const PROCESSOR_TIMEOUT_MS = 10_000;

/** Many times a page of a hundred objects; what is longer is not read on. */
export const ANSWER_MAX_BYTES = 4 * 1_048_576;

/** The SDK's client, which also knows what files of its own may be asked. */
export class StripeClient extends Stripe {
  /** Longest one download may take, ms. */
  readonly downloadTimeoutMs: number;
  /** Where it talks to when not to Stripe itself, such as the simulator. */
  readonly ownOrigin: string | null;
  /** How requests travel. */
  readonly travel: Travel;

  /**
   * It never retries by itself: a retry is the saga's decision, made with the
   * same idempotency key.
   */
  constructor({ secretKey, apiBase, ...limits }: StripeClientOptions) {
    const travel = limits.travel ?? ((url, init) => fetch(url, init));
    super(secretKey, {
      httpClient: Stripe.createFetchHttpClient(checkedFetch(travel)),
      maxNetworkRetries: 0,
      timeout: limits.timeoutMs ?? PROCESSOR_TIMEOUT_MS,
      telemetry: false,
      ...addressOf(apiBase),
    });
    this.downloadTimeoutMs = limits.downloadTimeoutMs ?? PROCESSOR_TIMEOUT_MS;
    this.ownOrigin = apiBase === null ? null : new URL(apiBase).origin;
    this.travel = travel;
  }
}

/** A client for the processor at this address. */
export function createStripeClient(options: StripeClientOptions): StripeClient {
  return new StripeClient(options);
}

function addressOf(apiBase: string | null): Stripe.StripeConfig {
  if (apiBase === null) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const scheme = protocol === "https:" ? "https" : "http";
  return {
    protocol: scheme,
    host: hostname,
    port: port || (scheme === "https" ? 443 : 80),
  };
}

/**
 * A `fetch` for the SDK that lets through only what the processor itself can
 * have said. The SDK takes any JSON object without a member `error` for a
 * success, whatever its status: the 502 of a gateway would void an invoice that
 * was never voided. And of JSON that is no object it throws where nobody
 * catches it, which ends the process.
 *
 * What it answers throws a TypeError for any other answer: then the outcome is
 * open.
 */
function checkedFetch(travel: Travel): typeof fetch {
  return async (input, init) => {
    // The SDK gives its addresses as text.
    const response = await travel(String(input), init);
    const { status, headers, body } = response;
    const bytes = body && await boundedBytes(body, ANSWER_MAX_BYTES);
    const text = bytes && new TextDecoder().decode(bytes);
    if (text === null || !isOwnAnswer(status, text)) {
      throw new TypeError(
        `Cannot take an answer ${status} for the processor's`,
      );
    }
    return new Response(text, { status, headers });
  };
}

/** Successes are objects that say what they are, errors have a member `error`. */
function isOwnAnswer(status: number, text: string): boolean {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null) return false;
  const { object, error } = answer as { object?: unknown; error?: unknown };
  return status >= 200 && status < 300
    ? typeof object === "string" && error === undefined
    : status >= 400 && typeof error === "object" && error !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
