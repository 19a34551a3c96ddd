import { startTimer } from "../../adapters/time/system_time.ts";
/**
 * What the limiter alone sustains over an embedded store in a file:
 *
 * ```sh
 * deno run -A tests/bench/rate_limit.bench.ts [seconds a round]
 * ```
 *
 * Prints the median of three rounds, and their range.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import {
  BUCKET_POLICIES,
  type BucketPolicies,
} from "../../domain/rate_limit/policy.ts";
import { openKv } from "../../kv/open.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";

const ROUNDS = 3;
const CONCURRENCY = 64;
const ADDRESSES = 10_000;

let stoppedAtMs = 0;
const clock = { now: () => stoppedAtMs || Date.now() };
const roundMs = Number(Deno.args[0] ?? 2) * 1_000;
const vast = { capacity: 1_000_000_000, refillPerS: 2 };
const neverEmpty: BucketPolicies = { ...BUCKET_POLICIES, public: vast };

/** Runs the clients for one round and answers takes a second. */
async function round(
  limiter: RateLimiter,
  idOf: (n: number) => string,
): Promise<number> {
  let taken = 0;
  const startMs = performance.now();
  const untilMs = startMs + roundMs;
  const client = async () => {
    while (performance.now() < untilMs) {
      await limiter.take("public", idOf(taken++));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  return taken / (performance.now() - startMs) * 1_000;
}

/**
 * Denials are answered in the same turn, so nothing is awaited, and the clock
 * stands still lest a token comes due.
 */
function denialRound(limiter: RateLimiter): number {
  let taken = 0;
  stoppedAtMs = Date.now();
  const startMs = performance.now();
  const untilMs = startMs + roundMs;
  while (performance.now() < untilMs) {
    for (let n = 0; n < 1_000; n++) limiter.take("public", "hot");
    taken += 1_000;
  }
  stoppedAtMs = 0;
  return taken / (performance.now() - startMs) * 1_000;
}

async function measure(
  name: string,
  policies: BucketPolicies,
  run: (limiter: RateLimiter) => Promise<number> | number,
  isolates = 1,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const kv = await openKv(`${folder}/kv.sqlite`);
  const secret = crypto.randomUUID();
  const make = () =>
    createRateLimiter({
      rows: rateBuckets(kv, { lanes: EMBEDDED_LANES, nowMs: clock.now }),
      clock,
      startTimer,
      policies,
      hashId: (text) =>
        createHmac("sha256", secret).update(text).digest("base64url")
          .slice(0, 22),
    });
  const limiters = Array.from({ length: isolates }, make);
  const rates: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const parts = await Promise.all(limiters.map(run));
    rates.push(parts.reduce((sum, part) => sum + part, 0));
  }
  await Promise.all(limiters.map((limiter) => limiter.close()));
  kv.close();
  await Deno.remove(folder, { recursive: true });
  report(name, rates);
}

function report(name: string, rates: number[]): void {
  const text = rates.toSorted((a, b) => a - b)
    .map((rate) => Math.round(rate).toLocaleString("en"));
  // deno-lint-ignore no-console
  console.log(`${name.padEnd(44)} ${text[1]}/s (${text[0]}-${text[2]})`);
}

const random = () => `10.0.${Math.floor(Math.random() * ADDRESSES)}`;
const fresh = () => `2001:${Math.random()}`;

await measure(
  "one hot address, never empty",
  neverEmpty,
  (limiter) => round(limiter, () => "hot"),
);
await measure(
  "10,000 addresses, never empty",
  neverEmpty,
  (limiter) => round(limiter, random),
);
await measure(
  "addresses never seen before",
  neverEmpty,
  (limiter) => round(limiter, fresh),
);
await measure(
  "10,000 addresses, two isolates",
  neverEmpty,
  (limiter) => round(limiter, random),
  2,
);
await measure(
  "one hot address, two isolates",
  neverEmpty,
  (limiter) => round(limiter, () => "hot"),
  2,
);
await measure("one hot address, 120 and 2/s, mostly denied", BUCKET_POLICIES, (
  limiter,
) => round(limiter, () => "hot"));
await measure("denials, same turn", BUCKET_POLICIES, async (limiter) => {
  for (let n = 0; n < 130; n++) await limiter.take("public", "hot");
  return denialRound(limiter);
});
