import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { NO_LEASE } from "../../../domain/rate_limit/lease.ts";
import type { Fault } from "../../support/faults.ts";
import { openLimiter, takeMany } from "./fixture.ts";
import { settle } from "./stepped_rows.ts";

const A = "192.0.2.1";

/** Faults after which nobody knows, and what the next request leaves. */
const LOST: [fault: Fault["kind"], remainingNext: number][] = [
  ["fail_before", 118],
  ["fail_after", 108],
  ["hang", 118],
  ["hang_after", 108],
];

for (const [kind, remainingNext] of LOST) {
  Deno.test(`take() admits nobody on a commit that meets ${kind}, and goes on`, async () => {
    await using store = await openLimiter({ lease: NO_LEASE });
    await store.limiter.take("public", A);
    store.kv.inject({ on: "commit", fault: { kind } as Fault });
    store.patience.callMs = 5;
    const answers = await takeMany(store.limiter, 10);
    assertEquals(answers, { remaining: [], denied: 0, failed: 10 });
    store.patience.callMs = 2_000;
    const next = await store.limiter.take("public", A);
    assertEquals(next, { admitted: true, remaining: remainingNext });
    assertEquals(store.kv.readCount, 2); // memory was dropped
  });
}

for (const kind of ["fail_before", "hang"] as const) {
  Deno.test(`take() admits nobody on a read that meets ${kind}, and goes on`, async () => {
    const rule = { on: "read" as const, fault: { kind } };
    await using store = await openLimiter({}, [rule]);
    store.patience.callMs = 5;
    await assertRejects(
      async () => await store.limiter.take("public", A),
      StoreUnavailable,
      "the store did not answer",
    );
    store.patience.callMs = 2_000;
    assertEquals(await store.limiter.take("public", A), {
      admitted: true,
      remaining: 119,
    });
  });
}

for (const kind of ["conflict", "locked"] as const) {
  Deno.test(`take() answers everybody though commits meet ${kind}`, async () => {
    const rule = { on: "commit" as const, fault: { kind }, times: 5 };
    await using store = await openLimiter({}, [rule]);
    const answers = await takeMany(store.limiter, 200);
    assertEquals(answers.remaining.length, 120);
    assertEquals(answers.denied, 80);
    // A conflict means another wrote, so it is read again; a lock does not.
    assertEquals(store.kv.readCount, kind === "conflict" ? 6 : 1);
  });
}

Deno.test("take() answers what came during a slow commit in the next one", async () => {
  const fault: Fault = { kind: "delay", ms: 2 };
  await using store = await openLimiter({}, [{ on: "commit", fault }]);
  const first = store.limiter.take("public", A);
  await settle();
  const answers = await takeMany(store.limiter, 50);
  assertEquals(await first, { admitted: true, remaining: 119 });
  assertEquals(answers.remaining[0], 118);
  assertEquals(answers.remaining.length, 50);
  assert(store.kv.commits.length <= 2);
});

Deno.test("take() goes on after a store that was down for many commits", async () => {
  const fault: Fault = { kind: "fail_before" };
  await using store = await openLimiter({}, [
    { on: "commit", fault, times: 20 },
  ]);
  for (let n = 0; n < 20; n++) {
    assertEquals((await takeMany(store.limiter, 3)).failed, 3);
  }
  assertEquals((await takeMany(store.limiter, 200)).remaining.length, 120);
});
