import { startTimer } from "../../adapters/time/system_time.ts";
import { assert, assertEquals } from "@std/assert";
import { keyedHash } from "../../adapters/crypto/keyed_hash.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import { networksOf } from "../../domain/rate_limit/network.ts";
import { newBrowserCharges } from "../../domain/sign_in/mail_charges.ts";
import { openKv } from "../../kv/open.ts";
import { rateBuckets, REMOTE_LANES } from "../../kv/rate_buckets.ts";
import { ManualClock } from "../support/clock.ts";
import {
  type KvConnect,
  startKvConnect,
  TEST_TOKEN,
} from "../support/kv_connect/server.ts";
import type { Call } from "../support/kv_connect/trace.ts";

/** What Deno's client sends in one piece. */
const PIECE_BYTES = 1_024;

/** A limiter as the service has it over a network, and the calls it makes. */
async function openNetworked(server: KvConnect) {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  const kv = await openKv(server.url);
  const clock = new ManualClock();
  const limiter = createRateLimiter({
    rows: rateBuckets(kv, { lanes: REMOTE_LANES, nowMs: () => clock.now() }),
    clock,
    startTimer,
    hashId: keyedHash(new Uint8Array(32)),
  });
  /** One token each of so many clients at once. */
  const takeOfEach = (clients: number, first = 0) =>
    Promise.all(
      Array.from(
        { length: clients },
        async (_, n) => await limiter.take("public", `2001:db8::${first + n}`),
      ),
    );
  return {
    limiter,
    clock,
    takeOfEach,
    async [Symbol.asyncDispose]() {
      await limiter.close();
      kv.close();
    },
  };
}

function bucketsOf(call: Call): string[] {
  return call.keys.filter((key) => key.includes("rate_buckets"));
}

Deno.test("no call for buckets leaves in two pieces, however many a request draws on", async () => {
  await using server = startKvConnect();
  await using service = await openNetworked(server);
  const { limiter, clock, takeOfEach } = service;
  await takeOfEach(80);
  for (let n = 0; n < 10; n++) {
    clock.advance(500);
    await takeOfEach(80);
  }
  const networks = networksOf("2001:db8:1:2::/64");
  const most = newBrowserCharges(`${"a".repeat(60)}@example.com`, networks);
  for (let n = 0; n < 2; n++) await limiter.takeAll(most, "all");
  await limiter.close();
  const calls = server.trace.filter((call) => bucketsOf(call).length > 0);
  const commits = calls.filter(({ method }) => method === "atomic_write");
  // Seven buckets and the commit's mark.
  assertEquals(Math.max(...commits.map(({ checks }) => checks)), 8);
  for (const { method, bytes } of calls) {
    assert(bytes <= PIECE_BYTES, `a ${method} of ${bytes} bytes`);
  }
});

Deno.test("over a network a bucket is in one call at a time, and never contends with itself", async () => {
  await using server = startKvConnect({ writeMs: 20, readMs: 20, jitter: 0.5 });
  await using service = await openNetworked(server);
  const { limiter, takeOfEach } = service;
  const rounds: Promise<unknown>[] = [];
  for (let n = 0; n < 12; n++) {
    rounds.push(takeOfEach(30));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(rounds);
  await limiter.close();
  const calls = server.trace.filter((call) => bucketsOf(call).length > 0);
  assert(calls.length > 0);
  assertEquals(calls.filter(({ outcome }) => outcome !== "ok"), []);
  for (const call of calls) {
    const beside = calls.filter((other) =>
      other.id > call.id && other.fromMs < call.toMs
    );
    const shared = new Set(beside.flatMap(bucketsOf));
    assertEquals(bucketsOf(call).filter((key) => shared.has(key)), []);
  }
});

Deno.test("over a network a client whom nobody knows costs one call, and four of them one together", async () => {
  await using server = startKvConnect();
  await using service = await openNetworked(server);
  await service.takeOfEach(40);
  const before = server.trace.length;
  await service.takeOfEach(4, 100);
  const calls = server.trace.slice(before).map(({ method }) => method);
  assertEquals(calls, ["atomic_write"]);
});
