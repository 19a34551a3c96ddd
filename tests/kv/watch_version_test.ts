import { assert, assertEquals } from "@std/assert";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  type VersionWatch,
  watchSpotlightsVersion,
} from "../../kv/watch_version.ts";
import type { FaultRule } from "../support/faults.ts";
import {
  openTestStore,
  testPatience,
  type TestStore,
} from "../support/store.ts";
import { ManualTimer } from "../support/timer.ts";

const silentWatch: FaultRule = {
  on: "watch",
  times: Infinity,
  fault: { kind: "hang" },
};

Deno.test("watchSpotlightsVersion() tells of the first version, also of none", async () => {
  await using test = await openTestStore();
  await using seen = watch(test);
  await until(() => seen.told.length === 1);
  assertEquals(seen.told, [""]);
});

Deno.test("watchSpotlightsVersion() tells of a change without a look", async () => {
  await using test = await openTestStore();
  await using seen = watch(test);
  await until(() => seen.told.length === 1);
  await touch(test);
  await until(() => seen.told.length === 2);
  assertEquals(seen.told[1], await test.store.spotlightsVersion());
});

Deno.test("watchSpotlightsVersion() sees by looking what the watch does not", async () => {
  await using test = await openTestStore({ faults: [silentWatch] });
  await using seen = watch(test);
  await until(() => seen.told.length === 1 && seen.timer.waiting.length === 1);
  assertEquals(seen.timer.waiting, [2_000]);
  await touch(test);
  seen.timer.fire();
  await until(() => seen.told.length === 2);
  assertEquals(seen.told[1], await test.store.spotlightsVersion());
});

Deno.test("watchSpotlightsVersion() does not go back to what a slow look has read", async () => {
  await using test = await openTestStore();
  const arrived = Promise.withResolvers<void>();
  await using seen = watch(test, () => {}, {
    watch: (keys) => test.kv.watch(keys),
    async get<T>(key: Deno.KvKey) {
      const entry = await test.kv.get<T>(key);
      await arrived.promise;
      return entry;
    },
  });
  await until(() => seen.told.length === 1);
  await touch(test);
  await until(() => seen.told.length === 2);
  arrived.resolve();
  await until(() => seen.timer.waiting.length === 1);
  assertEquals(seen.told, ["", await test.store.spotlightsVersion()]);
});

Deno.test("watchSpotlightsVersion() tells of a version once", async () => {
  await using test = await openTestStore();
  await touch(test);
  await using seen = watch(test);
  for (let n = 0; n < 5; n++) {
    await until(() => seen.timer.waiting.length === 1);
    const reads = test.kv.readCount;
    seen.timer.fire();
    await until(() => test.kv.readCount > reads);
  }
  await until(() => seen.timer.waiting.length === 1);
  assertEquals(seen.told.length, 1);
});

Deno.test("watchSpotlightsVersion() goes on after its watch and its look failed", async () => {
  await using test = await openTestStore({
    faults: [
      { on: "watch", times: 2, fault: { kind: "fail_before" } },
      { on: "read", times: 2, fault: { kind: "fail_before" } },
    ],
  });
  await using seen = watch(test);
  await until(() =>
    seen.errors.length === 2 && seen.timer.waiting.length === 2
  );
  seen.timer.fire();
  await until(() =>
    seen.errors.length === 4 && seen.timer.waiting.length === 2
  );
  assertEquals(seen.told, []);
  seen.timer.fire();
  await until(() => seen.told.length === 1);
  await touch(test);
  const version = await test.store.spotlightsVersion();
  await until(() => {
    // By a look at the latest, should the new watch have failed as well. What a
    // late watch tells first may be older than what a look has told by then.
    seen.timer.fire();
    return seen.told.at(-1) === version;
  });
});

Deno.test("watchSpotlightsVersion() tells again at the next look what was not taken", async () => {
  for (const how of ["rejects", "throws"] as const) {
    await using test = await openTestStore({ faults: [silentWatch] });
    let failing = true;
    await using seen = watch(test, () => {
      if (!failing) return Promise.resolve();
      if (how === "throws") throw new RangeError("no");
      return Promise.reject(new RangeError("no"));
    });
    await until(() =>
      seen.errors.length === 1 && seen.timer.waiting.length === 1
    );
    failing = false;
    seen.timer.fire();
    await until(() => seen.told.length === 2);
    assertEquals(seen.told, ["", ""]);
  }
});

Deno.test("watchSpotlightsVersion() tells one at a time and the newest last", async () => {
  await using test = await openTestStore();
  let under = 0;
  const gate = Promise.withResolvers<void>();
  await using seen = watch(test, async () => {
    under += 1;
    assertEquals(under, 1);
    await gate.promise;
    under -= 1;
  });
  await until(() => seen.told.length === 1);
  for (let n = 0; n < 5; n++) await touch(test);
  await until(() => seen.timer.waiting.length === 1);
  seen.timer.fire();
  await until(() => seen.timer.waiting.length === 1);
  gate.resolve();
  const newest = await test.store.spotlightsVersion();
  await until(() => seen.told.at(-1) === newest);
});

Deno.test("stop() ends the watch, its pauses and its callbacks", async () => {
  await using test = await openTestStore();
  const seen = watch(test);
  await until(() => seen.told.length === 1 && seen.timer.waiting.length === 1);
  await seen.stop();
  assertEquals(seen.timer.waiting, []);
  await touch(test);
  await test.realKv.get(["any"]);
  assertEquals(seen.told.length, 1);
  assertEquals(seen.errors, []);
  await seen.stop();
});

Deno.test("stop() at once leaves nothing behind", async () => {
  await using test = await openTestStore();
  const seen = watch(test);
  await seen.stop();
  assertEquals(seen.timer.waiting, []);
  assertEquals(seen.errors, []);
});

Deno.test("stop() waits for the callback under way", async () => {
  await using test = await openTestStore();
  const gate = Promise.withResolvers<void>();
  let done = false;
  const seen = watch(test, async () => {
    await gate.promise;
    done = true;
  });
  await until(() => seen.told.length === 1);
  const stopped = seen.stop();
  gate.resolve();
  await stopped;
  assert(done);
});

Deno.test("watchSpotlightsVersion() outlives the closing of its store", async () => {
  const test = await openTestStore();
  const seen = watch(test);
  await until(() => seen.told.length === 1 && seen.timer.waiting.length === 1);
  await test.close();
  await until(() => seen.timer.waiting.length === 2);
  seen.timer.fire();
  await until(() => seen.errors.length >= 2);
  await seen.stop();
});

interface Watched extends VersionWatch, AsyncDisposable {
  told: string[];
  errors: unknown[];
  timer: ManualTimer;
}

function watch(
  test: TestStore,
  onChange: () => Promise<void> | void = () => {},
  kv: Pick<KvLike, "get" | "watch"> = test.kv,
): Watched {
  const told: string[] = [];
  const errors: unknown[] = [];
  const timer = new ManualTimer();
  const { stop } = watchSpotlightsVersion(kv, (version) => {
    told.push(version);
    return onChange();
  }, {
    timer: timer.start,
    patience: testPatience(),
    onError: (error) => errors.push(error),
  });
  return { stop, told, errors, timer, [Symbol.asyncDispose]: stop };
}

async function touch({ store }: TestStore): Promise<void> {
  await store.transact((tx) => tx.touchSpotlights());
}

/** Lets everything else run until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  // A store over a network tells of a change when its line is free.
  const untilMs = performance.now() + 20_000;
  while (performance.now() < untilMs) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error(`Never came true: ${condition}`);
}
