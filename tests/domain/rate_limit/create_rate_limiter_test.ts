import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { NO_LEASE } from "../../../domain/rate_limit/lease.ts";
import { BUCKET_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { openLimiter, takeMany } from "./fixture.ts";
import { openStepped } from "./scripts.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";

Deno.test("take() admits exactly 120 of 1,000 at once, in at most two commits", async () => {
  await using store = await openLimiter();
  const answers = await takeMany(store.limiter, 1_000);
  assertEquals(
    answers.remaining,
    Array.from({ length: 120 }, (_, n) => 119 - n),
  );
  assertEquals(answers.denied, 880);
  assert(store.kv.commits.length <= 2);
});

Deno.test("take() admits 120 over two isolates asked 1,000 times each", async () => {
  await using store = await openLimiter();
  const second = store.another();
  const answers = await Promise.all([
    takeMany(store.limiter, 1_000),
    takeMany(second.limiter, 1_000),
  ]);
  const admitted = answers.flatMap(({ remaining }) => remaining);
  assertEquals(
    admitted.toSorted((a, b) => b - a),
    Array.from({ length: 120 }, (_, n) => 119 - n),
  );
});

Deno.test("take() puts the buckets of one turn into one commit", async () => {
  await using store = await openLimiter({ hashId: (text) => text });
  const asked = Array.from(
    { length: 100 },
    async (_, n) => await store.limiter.take("public", `192.0.2.${n}`),
  );
  for (const verdict of await Promise.all(asked)) {
    assertEquals(verdict, { admitted: true, remaining: 119 });
  }
  assertEquals(store.kv.commits.length, 1);
  assertEquals(store.kv.commits[0]?.checks.length, 100);
});

Deno.test("take() reads a bucket once and then only commits", async () => {
  await using store = await openLimiter({ lease: NO_LEASE });
  for (let n = 0; n < 10; n++) await store.limiter.take("public", A);
  assertEquals(store.kv.readCount, 1);
  assertEquals(store.kv.commits.length, 10);
});

Deno.test("take() denies in the same turn and asks no store", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 120);
  const { readCount, commits: { length: commits } } = store.kv;
  for (let n = 0; n < 100; n++) {
    assertEquals(store.limiter.take("public", A), {
      admitted: false,
      retryAfterS: 1,
    });
  }
  assertEquals(store.kv.readCount, readCount);
  assertEquals(store.kv.commits.length, commits);
});

Deno.test("isEmpty() says what is known, asks no store and takes nothing", async () => {
  await using store = await openLimiter();
  const { limiter, clock, kv } = store;
  await takeMany(limiter, 120);
  const { readCount, commits: { length: commits } } = kv;
  const isEmpty = (id: string) => limiter.isEmpty("public", id);
  assertEquals([A, B].map(isEmpty), [true, false]);
  clock.advance(499);
  assertEquals(isEmpty(A), true);
  clock.advance(1);
  assertEquals([isEmpty(A), isEmpty(A)], [false, false]);
  assertEquals([kv.readCount, kv.commits.length], [readCount, commits]);
  assertEquals((await limiter.take("public", A)).admitted, true);
});

Deno.test("isKnown() says which buckets were asked here, and remembers none by itself", async () => {
  await using store = await openLimiter();
  const { limiter } = store;
  const isKnown = (id: string) => limiter.isKnown("public", id);
  await limiter.take("public", A);
  assertEquals([A, B, B].map(isKnown), [true, false, false]);
  assertEquals(limiter.isKnown("grant", A), false);
});

Deno.test("take() denies until the millisecond the next token is due", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 120);
  store.clock.advance(499);
  assertEquals((await store.limiter.take("public", A)).admitted, false);
  store.clock.advance(1);
  assertEquals(await store.limiter.take("public", A), {
    admitted: true,
    remaining: 0,
  });
  assertEquals((await store.limiter.take("public", A)).admitted, false);
});

Deno.test("take() refills two tokens a second and no more than 120", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 120);
  store.clock.advance(10_000);
  assertEquals((await takeMany(store.limiter, 50)).remaining.length, 20);
  store.clock.advance(3_600_000);
  assertEquals((await takeMany(store.limiter, 200)).remaining.length, 120);
});

Deno.test("take() keeps the kinds and the clients apart", async () => {
  await using store = await openLimiter({ hashId: (text) => text });
  assertEquals((await takeMany(store.limiter, 200, A)).denied, 80);
  assertEquals((await takeMany(store.limiter, 1, B)).remaining, [119]);
  const grant = await store.limiter.take("grant", A);
  assertEquals(grant, { admitted: true, remaining: 119 });
  const address = await store.limiter.take("address", A);
  assertEquals(address, { admitted: true, remaining: 59 });
});

Deno.test("take() says after how many seconds to come again", async () => {
  const slow = { capacity: 1, refillPerS: 1 };
  const policies = { ...BUCKET_POLICIES, public: slow };
  await using store = await openLimiter({ policies });
  await store.limiter.take("public", A);
  assertEquals(await store.limiter.take("public", A), {
    admitted: false,
    retryAfterS: 1,
  });
});

Deno.test("take() stores a hash, never the client's address", async () => {
  await using store = await openLimiter();
  await store.limiter.take("public", A);
  const stored = JSON.stringify(store.kv.commits);
  assert(stored.includes("hash("));
  assert(!stored.includes("192.0"));
});

Deno.test("take() lets a row go a minute after it is full", async () => {
  await using store = await openLimiter({ lease: NO_LEASE });
  await takeMany(store.limiter, 30);
  const expiries = store.kv.commits.flatMap(({ writes }) =>
    writes.map(({ options }) => options?.expireIn)
  );
  assertEquals(expiries, [15_000 + 60_000]); // 30 tokens at two a second
});

Deno.test("take() stays exact when buckets are forgotten all the time", async () => {
  await using store = await openLimiter({ maxBuckets: 1, lease: NO_LEASE });
  let admitted = 0;
  for (let n = 0; n < 250; n++) {
    const verdict = await store.limiter.take("public", n % 2 ? A : B);
    if (verdict.admitted) admitted++;
  }
  assertEquals(admitted, 240);
});

Deno.test("take() refuses a request that would make too many wait", async () => {
  await using store = await openLimiter({ maxWaiters: 10 });
  const answers = await takeMany(store.limiter, 25);
  assertEquals(answers.remaining.length, 10);
  assertEquals(answers.failed, 15);
  assertEquals((await takeMany(store.limiter, 10)).failed, 0);
});

Deno.test("take() has what too many waiting costs logged as load, not as a fault", async () => {
  await using store = await openLimiter({ maxWaiters: 1 });
  const first = store.limiter.take("public", A);
  const refused = await assertRejects(
    async () => await store.limiter.take("public", B),
    TooManyWaiting,
  );
  assertEquals(refused.isOrdinary, true);
  await first;
});

Deno.test("take() reads no row for clients that are new to everyone", async () => {
  await using store = await openLimiter({ hashId: (text) => text });
  for (let n = 0; n < 100; n++) await store.limiter.take("public", `${n}`);
  assertEquals(store.kv.readCount, 32);
});

Deno.test("take() stops guessing once a client was not new to everyone", async () => {
  await using store = await openLimiter({
    hashId: (text) => text,
    lease: NO_LEASE,
  });
  await store.limiter.take("public", A);
  const { limiter, kv } = store.another({ hashId: (text) => text });
  for (let n = 0; n < 32; n++) await limiter.take("public", `${n}`);
  assertEquals(await limiter.take("public", A), {
    admitted: true,
    remaining: 118,
  });
  assertEquals(kv.readCount, 33); // the guess was lost, so it was read
  for (let n = 32; n < 64; n++) await limiter.take("public", `${n}`);
  assertEquals(kv.readCount, 65);
});

Deno.test("take() reads a client whose first commit it does not know the end of", async () => {
  await using store = await openLimiter({
    hashId: (text) => text,
    lease: NO_LEASE,
  });
  for (let n = 0; n < 32; n++) await store.limiter.take("public", `${n}`);
  store.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  assertEquals((await takeMany(store.limiter, 1, A)).failed, 1);
  assertEquals((await takeMany(store.limiter, 1, A)).remaining, [118]);
  assertEquals(store.kv.commits.filter(({ applied }) => !applied), []);
});

Deno.test("close() waits for the commits under way and refuses what comes after", async () => {
  await using store = await openLimiter({ lease: NO_LEASE });
  const asked = store.limiter.take("public", A);
  let answered = false;
  void Promise.resolve(asked).then(() => answered = true);
  await store.limiter.close();
  assert(answered);
  await assertRejects(
    async () => await store.limiter.take("public", A),
    StoreUnavailable,
    "the service is stopping",
  );
});

Deno.test("close() lets held tokens be given, and takes no more of them ahead", async () => {
  await using store = await openLimiter();
  const { limiter, kv } = store;
  await limiter.take("public", A);
  await limiter.close();
  assertEquals(kv.commits.length, 1);
  for (let left = 118; left >= 112; left--) {
    assertEquals(limiter.take("public", A), {
      admitted: true,
      remaining: left,
    });
  }
  await limiter.close();
  assertEquals(kv.commits.length, 1);
});

Deno.test("take() refuses who waits longer than the limiter lets anybody wait", async () => {
  const { clock, rows, limiter } = openStepped({ maxWaitMs: 300 });
  const first = limiter.take("public", A);
  await rows.step(); // it has read, and its commit waits
  const late = Promise.resolve(limiter.take("public", B));
  clock.advance(301);
  const refused = assertRejects(() => late, StoreUnavailable, "too slow");
  await rows.drain();
  assertEquals((await first).admitted, true);
  await refused;
});

Deno.test("lists of an account run one at a time on an embedded store, two of all, and retries of each account beside them", async () => {
  await using store = await openLimiter();
  const { inTurn } = store.limiter;
  const running: string[] = [];
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => () => {
    running.push(name);
    return end;
  };
  const asked = [
    inTurn("list", "a", work("a1")),
    inTurn("list", "a", work("a2")),
    inTurn("list", "b", work("b1")),
    inTurn("list", "c", work("c1")),
    ...["a", "b", "c"].map((of) =>
      inTurn("bid retry", of, work(`${of} again`))
    ),
    inTurn("bid retry", "a", work("a again and again")),
  ];
  assertEquals(running, ["a1", "b1", "a again", "b again", "c again"]);
  resolve();
  await Promise.all(asked);
  assertEquals(running.length, 8);
});

Deno.test("pages of an account are shown four at a time, others beside them, and what a browser never asks for is refused", async () => {
  await using store = await openLimiter();
  const { inTurn } = store.limiter;
  const running = new Map<string, number>();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const show = (of: string) =>
    inTurn("page", of, async () => {
      running.set(of, (running.get(of) ?? 0) + 1);
      await end;
    });
  const flood = Array.from({ length: 600 }, () => show("eve"));
  const refused = Promise.allSettled(flood);
  const others = [show("ada"), show("ada"), show("bob")];
  assertEquals(Object.fromEntries(running), { eve: 4, ada: 2, bob: 1 });
  resolve();
  await Promise.all(others);
  const shown = (await refused).filter(({ status }) => status === "fulfilled");
  assertEquals([shown.length, running.get("eve")], [36, 36]);
});
