import { assert, assertEquals } from "@std/assert";
import { AskerLine, Bucket } from "../../../domain/rate_limit/bucket.ts";
import { TOKEN } from "../../../domain/rate_limit/bucket_level.ts";
import {
  BucketPump,
  fromMemory,
} from "../../../domain/rate_limit/bucket_pump.ts";
import { NO_LEASE } from "../../../domain/rate_limit/lease.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { MAX_LINES_OF_ONE } from "../../../domain/rate_limit/limits.ts";
import { BUCKET_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { ManualClock } from "../../support/clock.ts";
import { openStepped } from "./scripts.ts";
import { settle, SteppedRows } from "./stepped_rows.ts";

const POLICY = { capacity: 2, refillPerS: 1 };
const LOCAL = { admitted: true, remaining: 7 } as const;

/** A pump with room for several commits at a time, on a store that is stepped. */
function openPump({ maxWaiters = 10, maxBatch = 10 } = {}) {
  const clock = new ManualClock();
  const rows = new SteppedRows(clock);
  let down = false;
  const pump = new BucketPump({
    rows: rows.isolate(maxBatch, 3),
    clock,
    maxBatch,
    maxWaiters,
    maxWaitMs: 5_000,
    lease: NO_LEASE,
    isDown: () => down,
  });
  return {
    clock,
    rows,
    pump,
    setDown: (is: boolean) => down = is,
    bucket: (id: string) => new Bucket(id, id, POLICY),
  };
}

function alone(bucket: Bucket) {
  return { buckets: [bucket], isJoint: false };
}

Deno.test("who comes while a commit of the same bucket is under way waits for its end", async () => {
  const { rows, pump, bucket } = openPump();
  const a = bucket("a");
  const first = pump.join(a, alone(a));
  await settle();
  const second = pump.join(a, alone(a));
  await settle();
  assertEquals(rows.calls, ["read a"]);
  await rows.drain();
  assertEquals([await first, await second], [
    { admitted: true, remaining: 1 },
    { admitted: true, remaining: 0 },
  ]);
  assertEquals(rows.lost, 0);
});

Deno.test("a line of which some want more goes on with its next commit, and is never in two", async () => {
  const { rows, pump, bucket } = openPump({ maxBatch: 1 });
  const [a, b, c] = [bucket("a"), bucket("b"), bucket("c")];
  const line = new AskerLine("a");
  const asked = [[a], [a, b], [a, c]].map((buckets) =>
    pump.join(line, { buckets, isJoint: true })
  );
  await settle();
  assertEquals(rows.calls, ["read a"]);
  await rows.drain();
  const [first, second, third] = await Promise.all(asked);
  assertEquals([first?.admitted, second?.admitted], [true, true]);
  assertEquals(third, { admitted: false, retryAfterS: 1, emptied: "a" });
  assertEquals([rows.lost, pump.waiting], [0, 0]);
});

Deno.test("who waits as the store goes down is answered locally", async () => {
  const { rows, pump, bucket, setDown } = openPump();
  const [a, b] = [bucket("a"), bucket("b")];
  const first = pump.join(a, alone(a));
  await settle();
  const waits = pump.join(a, { ...alone(a), locally: () => LOCAL });
  const other = pump.join(b, { ...alone(b), locally: () => LOCAL });
  setDown(true);
  await rows.drain();
  assertEquals(await waits, LOCAL);
  assert((await other).admitted);
  assert((await first).admitted);
});

Deno.test("a bucket that others have emptied costs a read and no commit", async () => {
  const { rows, clock, pump, bucket } = openPump();
  const mine = bucket("a");
  const taken = [mine, mine].map((one) => pump.join(one, alone(one)));
  await rows.drain();
  await Promise.all(taken);
  rows.calls.length = 0;
  const theirs = new Bucket("a", "a", POLICY);
  const denied = pump.join(theirs, alone(theirs));
  await rows.drain();
  assertEquals(await denied, { admitted: false, retryAfterS: 1 });
  assertEquals(rows.calls, ["read a"]);
  clock.advance(1_000);
});

Deno.test("tokens are taken ahead only where there is room to wait and a store that answers", async () => {
  const { rows, pump, bucket, setDown } = openPump({ maxWaiters: 1 });
  const [a, b] = [bucket("a"), bucket("b")];
  setDown(true);
  pump.renew(a);
  await settle();
  assertEquals(rows.calls, []);
  setDown(false);
  const waits = pump.join(a, alone(a));
  pump.renew(b);
  await settle();
  assertEquals(rows.calls, ["read a"]);
  await rows.drain();
  await waits;
  pump.renew(b);
  await rows.drain();
  assertEquals(rows.calls.at(-2), "read b");
  await pump.idle();
});

Deno.test("memory names the bucket that is empty to who asked for several, and to nobody else", () => {
  const clock = new ManualClock();
  const empty = new Bucket("a", "a", POLICY);
  empty.remember({ milliTokens: 0, atMs: clock.now() }, "v1");
  const full = new Bucket("b", "b", POLICY);
  full.remember({ milliTokens: 2 * TOKEN, atMs: clock.now() }, "v1");
  const buckets = [full, empty];
  const denied = { admitted: false, retryAfterS: 1 } as const;
  assertEquals(fromMemory({ buckets, isJoint: false }, clock.now()), denied);
  assertEquals(fromMemory({ buckets, isJoint: true }, clock.now()), {
    ...denied,
    emptied: "a",
  });
});

/** The /64 of one of the 65,536 links of a site. */
function linkOf(nth: number, prefix = ""): string {
  return `${prefix}2001:db8:1:${nth.toString(16)}::/64`;
}

/** Two thousand links of a site ask at once; how many were too many. */
function floodOf(limiter: RateLimiter, prefix = ""): Promise<number> {
  const asked = Array.from({ length: 2_000 }, async (_, nth) => {
    try {
      await limiter.take("address", linkOf(nth, prefix));
      return 0;
    } catch (error) {
      assert(error instanceof TooManyWaiting);
      return 1;
    }
  });
  return Promise.all(asked).then((all) => all.filter(Boolean).length);
}

const PREFIXES = {
  "asks": "",
  "is led to ask by others' pages": "others' pages ",
};

for (const [asks, prefix] of Object.entries(PREFIXES)) {
  Deno.test(`while each link of an IPv6 site ${asks}, grants, accounts and other networks take turns with it, and few of its links wait`, async () => {
    const { rows, limiter } = openStepped();
    const refused = floodOf(limiter, prefix);
    await settle();
    const others = [
      limiter.take("grant", "grant_1"),
      limiter.take("bid", "acc_1"),
      limiter.take("address", "192.0.2.1"),
      limiter.take("page", "2001:db8:2:1::/64"),
      limiter.take("page", `${prefix}2001:db8:2:1::/64`),
    ];
    // The commit that is under way, and theirs: a read and a write each.
    for (let steps = 0; steps < 4; steps++) await rows.step();
    const pending = Promise.all(others);
    const told = await Promise.race([pending, settle().then(() => null)]);
    assertEquals(told?.map(({ admitted }) => admitted), others.map(() => true));
    await rows.drain();
    assertEquals(await refused, 2_000 - MAX_LINES_OF_ONE);
    await limiter.close();
  });
}

Deno.test("any number waits for the bucket of one link, whatever others of its site wait for", async () => {
  const { rows, limiter } = openStepped();
  const crowd = floodOf(limiter);
  const more = Array.from(
    { length: 2_000 },
    () => limiter.take("address", linkOf(0)),
  );
  await rows.drain();
  const verdicts = await Promise.all(more);
  const { capacity } = BUCKET_POLICIES.address;
  const admitted = verdicts.filter((verdict) => verdict.admitted);
  assertEquals(admitted.length, capacity - 1);
  assertEquals(await crowd, 2_000 - MAX_LINES_OF_ONE);
  await limiter.close();
});

Deno.test("nothing is taken ahead for a link while too many of its site wait", async () => {
  const { rows, pump, bucket } = openPump({ maxWaiters: 2_000, maxBatch: 1 });
  const join = (nth: number) => {
    const line = bucket(linkOf(nth));
    return pump.join(line, alone(line));
  };
  const waits = [1, 2, 3].map(join);
  await settle();
  // Three commits are under way.
  for (let nth = 0; nth < MAX_LINES_OF_ONE; nth++) waits.push(join(4 + nth));
  const waiting = pump.waiting;
  pump.renew(bucket(linkOf(0xffff)));
  assertEquals(pump.waiting, waiting);
  pump.renew(bucket("192.0.2.1"));
  assertEquals(pump.waiting, waiting + 1);
  await rows.drain();
  await Promise.all(waits);
});
