import {
  PUBLIC_BUCKET_CAPACITY,
  PUBLIC_BUCKET_REFILL_PER_S,
} from "../../domain/limits.ts";
import type { Verdict } from "../../domain/rate_limit/limiter.ts";

/** The value of `RateLimit-Policy`, a structured field (contract §13.1). */
export const RATE_LIMIT_POLICY =
  `"agent";q=${PUBLIC_BUCKET_CAPACITY};svc-refill=${PUBLIC_BUCKET_REFILL_PER_S}`;

/** Made once, since every public answer carries one of them. */
const headersByRemaining = Array.from(
  { length: PUBLIC_BUCKET_CAPACITY + 1 },
  (_, remaining) =>
    Object.freeze({
      "ratelimit-policy": RATE_LIMIT_POLICY,
      "ratelimit": `"agent";r=${remaining}`,
    }),
);

/** The headers of a public answer, by the verdict on its request. */
export function publicRateHeaders(
  verdict: Verdict,
): Readonly<Record<string, string>> {
  const remaining = verdict.admitted ? verdict.remaining : 0;
  const known = headersByRemaining[remaining];
  const headers = known ?? {
    "ratelimit-policy": RATE_LIMIT_POLICY,
    "ratelimit": `"agent";r=${remaining}`,
  };
  return verdict.admitted
    ? headers
    : { ...headers, ...retryHeaders(verdict.retryAfterS) };
}

/** `Retry-After` of a 429: whole seconds, at least 1 (contract §13.1). */
export function retryHeaders(retryAfterS: number): Record<string, string> {
  return { "retry-after": String(Math.max(1, Math.ceil(retryAfterS))) };
}
