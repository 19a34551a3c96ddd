import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { openLimiter, takeMany } from "./fixture.ts";

const A = "192.0.2.1";

/** A limiter over a store that does not answer while `line.isCut`. */
async function openCut() {
  const line = { isCut: false, isKnown: false };
  const store = await openLimiter({ isDown: () => line.isKnown });
  for (const on of ["read", "commit"] as const) {
    const fault = { kind: "fail_before" } as const;
    store.kv.inject({ on, fault, key: () => line.isCut, times: Infinity });
  }
  return { store, line };
}

Deno.test("public requests draw on buckets of the process while the store does not answer, and on everybody's once it does", async () => {
  const { store, line } = await openCut();
  await using fixture = store;
  const { limiter, clock } = fixture;
  assertEquals((await takeMany(limiter, 100)).remaining.length, 100);
  clock.advance(1_000);
  line.isCut = line.isKnown = true;
  // Two were held. The others' is full at first, whatever is left in the store.
  const cut = await takeMany(limiter, 202);
  assertEquals(cut, {
    remaining: [21, 20, ...Array.from({ length: 120 }, (_, n) => 119 - n)],
    denied: 80,
    failed: 0,
  });
  clock.advance(1_000);
  assertEquals((await takeMany(limiter, 5)).remaining, [1, 0]);
  line.isCut = line.isKnown = false;
  clock.advance(1_000);
  // 18 were left in the store, 6 came back; of them one is taken, two are held.
  assertEquals((await takeMany(limiter, 1)).remaining.length, 1);
  await limiter.close();
  const another = fixture.another();
  assertEquals((await takeMany(another.limiter, 40)).remaining.length, 21);
});

Deno.test("while the store is known not to answer no public request waits for it or tries it", async () => {
  const { store, line } = await openCut();
  await using fixture = store;
  const { limiter, kv } = fixture;
  line.isKnown = true;
  const before = [kv.readCount, kv.commits.length];
  for (let n = 0; n < 50; n++) {
    const verdict = limiter.take("public", `192.0.2.${n}`);
    assert(!(verdict instanceof Promise), "it does not wait");
    assert(verdict.admitted);
    await null;
  }
  assertEquals([kv.readCount, kv.commits.length], before);
});

Deno.test("what is no public request fails while the store does not answer", async () => {
  const { store, line } = await openCut();
  await using fixture = store;
  const { limiter } = fixture;
  line.isCut = true;
  await takeMany(limiter, 1);
  for (const kind of ["grant", "address", "click", "change"] as const) {
    await assertRejects(
      async () => await limiter.take(kind, A),
      StoreUnavailable,
    );
  }
  const charges = [{ id: "x", policy: { capacity: 1, refillPerS: 1 } }];
  await assertRejects(() => limiter.takeAll(charges, "a"), StoreUnavailable);
});

Deno.test("public requests that wait when the store stops answering wait no longer", async () => {
  const { store, line } = await openCut();
  await using fixture = store;
  const { limiter } = fixture;
  line.isCut = true;
  // The first is in a commit, the others wait for the next.
  const first = limiter.take("public", A);
  await null;
  await null;
  const others = Array.from(
    { length: 150 },
    (_, n) => limiter.take("public", `192.0.2.${n}`),
  );
  const verdicts = await Promise.all([first, ...others]);
  assert(verdicts.every(({ admitted }) => admitted));
});
