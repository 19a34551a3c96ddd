import Stripe from "stripe";
import { checkedFetch } from "./checked_fetch.ts";

/** How to reach the processor. */
export interface StripeClientOptions {
  secretKey: string;
  /** Another server than Stripe's own, such as the simulator's address. */
  apiBase: string | null;
  /** Longest one call may take, ms; 10 s unless given. */
  timeoutMs?: number;
  /** Longest one download may take, ms; 10 s unless given. */
  downloadTimeoutMs?: number;
}

/** A call that takes longer is uncertain; the lease of a saga outlives it. */
export const PROCESSOR_TIMEOUT_MS = 10_000;

/** The SDK's client, which also knows what files of its own may be asked. */
export class StripeClient extends Stripe {
  /** Longest one download may take, ms. */
  readonly downloadTimeoutMs: number;
  /** Where it talks to when not to Stripe itself, such as the simulator. */
  readonly ownOrigin: string | null;

  /**
   * It never retries by itself: a retry is the saga's decision, made with the
   * same idempotency key.
   */
  constructor({ secretKey, apiBase, ...limits }: StripeClientOptions) {
    super(secretKey, {
      httpClient: Stripe.createFetchHttpClient(checkedFetch),
      maxNetworkRetries: 0,
      timeout: limits.timeoutMs ?? PROCESSOR_TIMEOUT_MS,
      telemetry: false,
      ...addressOf(apiBase),
    });
    this.downloadTimeoutMs = limits.downloadTimeoutMs ?? PROCESSOR_TIMEOUT_MS;
    this.ownOrigin = apiBase === null ? null : new URL(apiBase).origin;
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
