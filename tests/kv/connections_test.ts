import { assertEquals } from "@std/assert";
import { spreadOver } from "../../kv/connections.ts";
import { asKvLike, type KvLike } from "../../kv/kv_like.ts";

/** One store over so many connections, with a note of which each call took. */
async function openSpread(connections: number) {
  const real = await Deno.openKv(":memory:");
  const store = asKvLike(real);
  const took: number[] = [];
  let closed = 0;
  const answers: PromiseWithResolvers<void>[] = [];
  const connection = (nth: number): KvLike => ({
    ...store,
    async get(key) {
      took.push(nth);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
      return await store.get(key);
    },
    atomic() {
      took.push(nth);
      return store.atomic();
    },
    close: () => closed++,
  });
  const [first, ...more] = Array.from(
    { length: connections },
    (_, nth) => connection(nth),
  );
  const kv = spreadOver(first as KvLike, more);
  return {
    kv,
    took,
    answers,
    closed: () => closed,
    [Symbol.dispose]: () => real.close(),
  };
}

Deno.test("calls that are under way at once have a connection each, and share the first where there is no other", async () => {
  using spread = await openSpread(3);
  const { kv, took, answers } = spread;
  const asked = [1, 2, 3, 4].map((n) => kv.get([n]));
  assertEquals(took, [1, 2, 0, 0]);
  answers[1]?.resolve();
  await asked[1];
  asked.push(kv.get([5]), kv.get([6]));
  assertEquals(took, [1, 2, 0, 0, 2, 0]);
  answers.forEach(({ resolve }) => resolve());
  await Promise.all(asked);
  asked.push(kv.get([7]));
  assertEquals(took.at(-1), 1);
  answers.at(-1)?.resolve();
  await Promise.all(asked);
});

Deno.test("a connection whose call failed is idle again", async () => {
  using spread = await openSpread(2);
  const { kv, took, answers } = spread;
  const failing = kv.get([1]).catch(() => "failed");
  answers[0]?.reject(new Error("The line is cut"));
  assertEquals(await failing, "failed");
  const asked = kv.get([2]);
  answers[1]?.resolve();
  await asked;
  assertEquals(took, [1, 1]);
});

Deno.test("a commit takes the connection that is idle when it is sent, with all that it checks and writes", async () => {
  using spread = await openSpread(3);
  const { kv, took, answers } = spread;
  const before = kv.atomic();
  before.set(["kept"], 1);
  before.set(["gone"], 1);
  assertEquals(took, []);
  const asked = kv.get(["other"]);
  assertEquals((await before.commit()).ok, true);
  assertEquals(took, [1, 2]);
  const refused = kv.atomic();
  refused.check({ key: ["kept"], versionstamp: null });
  refused.set(["kept"], 2);
  assertEquals(await refused.commit(), { ok: false });
  const after = kv.atomic();
  after.delete(["gone"]);
  after.sum(["count"], 2n);
  assertEquals((await after.commit()).ok, true);
  answers[0]?.resolve();
  await asked;
  const stored = await kv.getMany([["kept"], ["gone"], ["count"]]);
  assertEquals(stored.map(({ value }) => value), [
    1,
    null,
    new Deno.KvU64(2n),
  ]);
});

Deno.test("all connections are closed together", async () => {
  using spread = await openSpread(3);
  spread.kv.close();
  assertEquals(spread.closed(), 3);
});
