import Stripe from "stripe";
import { checkedFetch } from "./checked_fetch.ts";

/** How to reach the processor. */
export interface StripeClientOptions {
  secretKey: string;
  /** Another server than Stripe's own, such as the simulator's address. */
  apiBase: string | null;
  /** Longest one call may take, ms. */
  timeoutMs?: number;
}

/** A call that takes longer is uncertain; the lease of a saga outlives it. */
export const PROCESSOR_TIMEOUT_MS = 10_000;

/**
 * The SDK's client. It never retries by itself: a retry is the saga's decision,
 * made with the same idempotency key.
 */
export function createStripeClient(options: StripeClientOptions): Stripe {
  return new Stripe(options.secretKey, {
    httpClient: Stripe.createFetchHttpClient(checkedFetch),
    maxNetworkRetries: 0,
    timeout: options.timeoutMs ?? PROCESSOR_TIMEOUT_MS,
    telemetry: false,
    ...addressOf(options.apiBase),
  });
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
