import { startTimer } from "../../../adapters/time/system_time.ts";
import { assert, assertEquals } from "@std/assert";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { ManualClock } from "../../support/clock.ts";
import { openLimiter, takeMany } from "./fixture.ts";
import { settle, SteppedRows } from "./stepped_rows.ts";

const A = "192.0.2.1";

/** A process whose store does nothing until the test lets it. */
function openStepped() {
  const clock = new ManualClock();
  const rows = new SteppedRows(clock);
  const another = () =>
    createRateLimiter({
      rows: rows.isolate(),
      clock,
      startTimer,
      hashId: (text) => text,
    });
  return { clock, rows, another, limiter: another() };
}

/** What each of so many requests, one after the other, is told is left. */
async function takeInTurn(
  limiter: RateLimiter,
  times: number,
): Promise<number[]> {
  const remaining: number[] = [];
  for (let n = 0; n < times; n++) {
    const verdict = await limiter.take("public", A);
    if (verdict.admitted) remaining.push(verdict.remaining);
  }
  return remaining;
}

Deno.test("a client's burst waits for the store once in ten requests while much is left, and counts down exactly", async () => {
  const { limiter, rows } = openStepped();
  const remaining: number[] = [];
  const waits: number[] = [];
  for (let n = 0; n < 200; n++) {
    const asked = limiter.take("public", A);
    if (asked instanceof Promise) {
      waits.push(n);
      await rows.drain();
    }
    const verdict = await asked;
    if (verdict.admitted) remaining.push(verdict.remaining);
  }
  assertEquals(remaining, Array.from({ length: 120 }, (_, n) => 119 - n));
  assertEquals(waits.slice(0, 7), [0, 8, 22, 32, 41, 50, 57]);
});

Deno.test("a client who goes on reading waits for the store once, and counts down exactly", async () => {
  for (const everyMs of [20, 100, 500, 1_000, 3_000]) {
    const { clock, limiter, rows } = openStepped();
    const first = limiter.take("public", A);
    await rows.drain();
    assertEquals(await first, { admitted: true, remaining: 119 });
    let milliTokens = 119_000;
    for (let n = 0; n < 100; n++) {
      clock.advance(everyMs);
      milliTokens = Math.min(120_000, milliTokens + 2 * everyMs) - 1_000;
      const remaining = Math.floor(milliTokens / 1_000);
      // Near its end a bucket has few to be held, and a request may wait.
      if (remaining < 16) break;
      const verdict = limiter.take("public", A);
      assertEquals(verdict, { admitted: true, remaining });
      await rows.drain();
    }
  }
});

Deno.test("what is held shrinks as the bucket fills, so that both are never more than a full one", async () => {
  const { clock, limiter, rows } = openStepped();
  const first = limiter.take("public", A);
  await rows.drain();
  await first;
  // The row has 112 of 120, and 4 come back in it; of the 7 held 4 are left.
  clock.advance(2_000);
  for (const remaining of [119, 118, 117, 116]) {
    const verdict = limiter.take("public", A);
    assertEquals(verdict, { admitted: true, remaining });
  }
  const behind = limiter.take("public", A);
  assert(behind instanceof Promise, "no more is held");
  await rows.drain();
  assertEquals(await behind, { admitted: true, remaining: 115 });
});

Deno.test("while more is taken ahead, what is held is given, and none of it twice", async () => {
  const { limiter, rows } = openStepped();
  const first = limiter.take("public", A);
  await rows.drain();
  await first;
  for (let n = 0; n < 7; n++) {
    const verdict = limiter.take("public", A);
    assertEquals(verdict, { admitted: true, remaining: 118 - n });
  }
  await settle();
  assertEquals(rows.pending, 1, "the commit for more is under way");
  const behind = limiter.take("public", A);
  assert(behind instanceof Promise, "no more is held");
  await rows.drain();
  assertEquals(await behind, { admitted: true, remaining: 111 });
  assertEquals(rows.commits, 2);
});

Deno.test("what was given while more was taken ahead is not given again, whatever becomes of that commit", async () => {
  for (const fate of ["apply", "fail_before", "fail_after"] as const) {
    const { limiter, rows } = openStepped();
    const first = limiter.take("public", A);
    await rows.drain();
    await first;
    let admitted = 1;
    for (let n = 0; n < 7; n++) {
      if ((await limiter.take("public", A)).admitted) admitted++;
      await settle();
    }
    await rows.step(0, fate);
    const rest = takeMany(limiter, 200);
    await rows.drain();
    admitted += (await rest).remaining.length;
    // A commit whose end nobody knows has taken thirteen for nothing.
    assertEquals(admitted, fate === "fail_after" ? 107 : 120);
  }
});

Deno.test("a lone process loses no token that it held and nobody wanted", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 60);
  for (let n = 1; n <= 40; n++) {
    // A token and a half come back in between, and one is taken.
    store.clock.advance(750);
    const verdict = await store.limiter.take("public", A);
    const remaining = 60 + Math.floor(n / 2);
    assertEquals(verdict, { admitted: true, remaining });
  }
  store.clock.advance(3_600_000);
  assertEquals(await takeInTurn(store.limiter, 3), [119, 118, 117]);
});

Deno.test("what is held is given for ten seconds, and no longer than until the bucket would be full", async () => {
  // The row lacks 8 tokens and 10 of 120, and in the end one.
  for (
    const [used, heldMs] of [[1, 3_501], [3, 4_501], [60, 10_000]] as const
  ) {
    for (const lateMs of [-1, 0]) {
      await using store = await openLimiter();
      await takeMany(store.limiter, used);
      store.clock.advance(heldMs + lateMs);
      const verdict = store.limiter.take("public", A);
      assertEquals(verdict instanceof Promise, lateMs === 0);
      await verdict;
    }
  }
});

Deno.test("a process whose clock runs backwards gives nothing of what it holds", async () => {
  await using store = await openLimiter();
  await store.limiter.take("public", A);
  store.clock.advance(-1);
  assert(store.limiter.take("public", A) instanceof Promise);
});

Deno.test("a process that ends leaves seven tokens of a bucket ungiven, fifteen at most, and time brings them back in eight seconds", async () => {
  const { clock, limiter, rows, another } = openStepped();
  const served = async (who: RateLimiter, times: number) => {
    const asked = takeMany(who, times);
    await rows.drain();
    return (await asked).remaining.length;
  };
  assertEquals(await served(limiter, 1), 1);
  assertEquals(await served(another(), 200), 112);
  clock.advance(3_600_000);
  const steady = another();
  let given = 0;
  for (let n = 0; n < 40; n++) given += await served(steady, 1);
  const left = await served(another(), 200);
  assert(left >= 120 - given - 15, `${left} after ${given}`);
  assert(left < 120 - given, "some are held");
  clock.advance(7_500);
  const back = await served(another(), 200);
  assert(back >= 15, `${back} came back`);
});

Deno.test("a bucket that is nearly empty is held by nobody", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 113);
  const next = store.another();
  assertEquals((await takeMany(next.limiter, 200)).remaining.length, 7);
});

Deno.test("a client that two processes serve in turns loses what they hold once, and no more", async () => {
  await using store = await openLimiter();
  const both = [store.limiter, store.another().limiter];
  for (let n = 0; n < 600; n++) {
    const verdict = await both[n % 2]?.take("public", A);
    assert(verdict?.admitted, `request ${n} of two a second was refused`);
    assert(verdict.remaining >= 119 - 2 * 15, `${verdict.remaining} left`);
    store.clock.advance(500);
  }
});

Deno.test("a commit whose end is unknown gives nobody what it took ahead", async () => {
  await using store = await openLimiter();
  store.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  assertEquals((await takeMany(store.limiter, 1)).failed, 1);
  const verdict = store.limiter.take("public", A);
  assert(verdict instanceof Promise, "nothing of it is held");
  assertEquals(await verdict, { admitted: true, remaining: 111 });
});

Deno.test("what is held is given to those who wait before more is taken", async () => {
  const { limiter, rows } = openStepped();
  const first = limiter.take("public", A);
  await rows.step(); // it is read, and its commit is under way
  const waiting = Array.from({ length: 9 }, () => limiter.take("public", A));
  await rows.step();
  assertEquals(await first, { admitted: true, remaining: 119 });
  // Seven were held, and a commit takes two more, and some to be held.
  await rows.drain();
  const verdicts = await Promise.all(waiting);
  assertEquals(
    verdicts.map((each) => each.admitted && each.remaining),
    Array.from({ length: 9 }, (_, n) => 118 - n),
  );
  assertEquals(rows.commits, 2);
});
