import { assert, assertEquals } from "@std/assert";
import { Bucket } from "../../../domain/rate_limit/bucket.ts";
import { TOKEN } from "../../../domain/rate_limit/bucket_level.ts";
import {
  BucketPump,
  fromMemory,
} from "../../../domain/rate_limit/bucket_pump.ts";
import type { Waiter } from "../../../domain/rate_limit/bucket.ts";
import { NO_LEASE } from "../../../domain/rate_limit/lease.ts";
import { Line } from "../../../domain/rate_limit/line.ts";
import { ManualClock } from "../../support/clock.ts";
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
  const line = new Line<Waiter>();
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
