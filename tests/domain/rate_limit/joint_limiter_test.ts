import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import {
  JointLimiter,
  type JointLimiterOptions,
} from "../../../domain/rate_limit/joint_limiter.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { ManualClock } from "../../support/clock.ts";
import { SteppedRows } from "./stepped_rows.ts";

/** Limiters of several isolates, whose store does nothing until it is let. */
function openJoint() {
  const clock = new ManualClock();
  const rows = new SteppedRows(clock);
  const isolate = (options: Partial<JointLimiterOptions> = {}) =>
    new JointLimiter({
      rows: rows.isolate(),
      clock,
      hashId: (text) => text,
      ...options,
    });
  return { clock, rows, isolate };
}

/** A token of a bucket with so many. */
function of(id: string, capacity = 100) {
  return [{ id, policy: { capacity, refillPerS: 1 } }];
}

Deno.test("an asker is remembered until the last of its requests is answered, and no longer", async () => {
  const { rows, isolate } = openJoint();
  const limiter = isolate();
  const first = limiter.takeAll(of("x"), "a");
  await rows.step(); // it has read, and its commit waits
  const second = limiter.takeAll(of("y"), "a");
  const other = limiter.takeAll(of("z"), "b");
  await rows.step();
  assertEquals((await first).admitted, true);
  assertEquals(limiter.askers, 2);
  await rows.drain();
  await Promise.all([second, other]);
  assertEquals(limiter.askers, 0);
});

Deno.test("an asker whose request is refused, or fails, is not remembered for it", async () => {
  const { rows, isolate } = openJoint();
  const limiter = isolate({ maxWaiters: 1 });
  const first = limiter.takeAll(of("x"), "a");
  await assertRejects(() => limiter.takeAll(of("y"), "b"), TooManyWaiting);
  assertEquals(limiter.askers, 1);
  const failed = assertRejects(() => first, StoreUnavailable);
  await rows.step(0, "fail_before");
  await failed;
  assertEquals(limiter.askers, 0);
});

Deno.test("of what is drawn on together nothing is taken ahead, however often one asks", async () => {
  const { rows, isolate } = openJoint();
  const [one, other] = [isolate(), isolate()];
  for (let taken = 0; taken < 3; taken++) {
    const asked = one.takeAll(of("x"), "a");
    await rows.drain();
    assertEquals(await asked, { admitted: true, remaining: 99 - taken });
  }
  const asked = other.takeAll(of("x"), "a");
  await rows.drain();
  assertEquals(await asked, { admitted: true, remaining: 96 });
});

Deno.test("who finds in the store that another isolate has emptied a bucket is told which", async () => {
  const { rows, isolate } = openJoint();
  const [one, other] = [isolate(), isolate()];
  const taken = one.takeAll(of("x", 1), "a");
  await rows.drain();
  await taken;
  const asked = other.takeAll([...of("y"), ...of("x", 1)], "a");
  await rows.drain();
  assertEquals(await asked, {
    admitted: false,
    retryAfterS: 1,
    emptied: "x",
  });
});

Deno.test("an empty bucket for which there is no room in the memory is read again", async () => {
  const { rows, isolate } = openJoint();
  for (const maxBuckets of [1, 2]) {
    const limiter = isolate({ maxBuckets });
    for (const id of [`x${maxBuckets}`, `y${maxBuckets}`]) {
      const asked = limiter.takeAll(of(id, 1), "a");
      await rows.drain();
      assertEquals((await asked).admitted, true);
    }
    const calls = rows.calls.length;
    const asked = limiter.takeAll(of(`x${maxBuckets}`, 1), "a");
    await rows.drain();
    assertEquals((await asked).admitted, false);
    assertEquals(
      rows.calls.slice(calls),
      maxBuckets === 1 ? ["read x1"] : [],
    );
  }
});

Deno.test("who waits longer than the limiter lets anybody wait is refused", async () => {
  const { clock, rows, isolate } = openJoint();
  const limiter = isolate({ maxWaitMs: 300 });
  const first = limiter.takeAll(of("x"), "a");
  await rows.step();
  const late = limiter.takeAll(of("y"), "a");
  clock.advance(301);
  const refused = assertRejects(() => late, StoreUnavailable, "too slow");
  await rows.drain();
  assertEquals((await first).admitted, true);
  await refused;
});
