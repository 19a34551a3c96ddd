import { assertEquals, assertRejects } from "@std/assert";
import { asKvLike, type KvLike } from "../../kv/kv_like.ts";
import { sharedCommits } from "../../kv/shared_commits.ts";

/** A store whose commits begin when the test says so. */
async function openStepped() {
  const real = asKvLike(await Deno.openKv(":memory:"));
  const steps: { go: () => void; fail: (error: Error) => void }[] = [];
  const stepped: KvLike = {
    ...real,
    atomic() {
      const atomic = real.atomic();
      const commit = atomic.commit.bind(atomic);
      atomic.commit = () =>
        new Promise((resolve, reject) => {
          steps.push({
            go: () => void commit().then(resolve, reject),
            fail: reject,
          });
        });
      return atomic;
    },
  };
  return { real, steps, kv: sharedCommits(stepped) };
}

/** Until what was asked for in this turn has begun. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const key = (n: number) => ["job_runs", `job-${n}`];

function put(kv: KvLike, n: number, value: unknown, versionstamp?: null) {
  const atomic = kv.atomic();
  if (versionstamp === null) atomic.check({ key: key(n), versionstamp });
  atomic.set(key(n), value);
  return atomic.commit();
}

/** Lets every commit go as it comes, until all of these have ended. */
async function settled<T>(
  steps: { go: () => void }[],
  commits: readonly Promise<T>[],
): Promise<{ ended: PromiseSettledResult<T>[]; sent: number }> {
  let over = false;
  let sent = 0;
  const all = Promise.allSettled(commits).finally(() => over = true);
  while (!over) {
    for (; sent < steps.length; sent++) steps[sent]?.go();
    await turn();
  }
  return { ended: await all, sent };
}

const oks = (ended: PromiseSettledResult<{ ok: boolean }>[]) =>
  ended.map((each) => each.status === "fulfilled" ? each.value.ok : null);

Deno.test("sharedCommits() puts what waits while two are under way into one", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = [put(kv, 1, 1, null)];
  await turn();
  commits.push(put(kv, 2, 2, null));
  await turn();
  commits.push(...[3, 4, 5].map((n) => put(kv, n, n, null)));
  await turn();
  assertEquals(steps.length, 2);
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended), sent], [[true, true, true, true, true], 3]);
  const entries = await kv.getMany([1, 2, 3, 4, 5].map(key));
  assertEquals(entries.map(({ value }) => value), [1, 2, 3, 4, 5]);
  real.close();
});

Deno.test("sharedCommits() begins nothing that would tell what is under way, and keeps the order", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = [put(kv, 1, "a")];
  await turn();
  commits.push(put(kv, 1, "b"), put(kv, 2, "c"));
  await turn();
  assertEquals(steps.length, 1);
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended), sent], [[true, true, true], 2]);
  assertEquals((await kv.get(key(1))).value, "b");
  real.close();
});

Deno.test("sharedCommits() takes keys of whatever parts", async () => {
  const { real, steps, kv } = await openStepped();
  const parts = [1, 1n, "1", true, new Uint8Array([1]), NaN, -0, 0];
  const commits = parts.map((part) => {
    const atomic = kv.atomic();
    atomic.set(["job_runs", part], "x");
    return atomic.commit();
  });
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended).every((ok) => ok), sent], [true, 1]);
  real.close();
});

Deno.test("sharedCommits() sends eight together and more apart", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = Array.from({ length: 20 }, (_, n) => put(kv, n, n, null));
  await turn();
  assertEquals(steps.length, 2);
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended).every((ok) => ok), sent], [true, 3]);
  real.close();
});

Deno.test("sharedCommits() puts those of one turn into one", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = [1, 2, 3, 4].map((n) => put(kv, n, n, null));
  assertEquals(steps.length, 0);
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended), sent], [[true, true, true, true], 1]);
  real.close();
});

Deno.test("sharedCommits() keeps apart and in order what shares a key", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = [put(kv, 1, "a"), put(kv, 2, "b", null), put(kv, 2, "c")];
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended), sent], [[true, true, true], 2]);
  assertEquals((await kv.get(key(2))).value, "c");
  real.close();
});

Deno.test("sharedCommits() tells only those whose own check fails", async () => {
  const { real, steps, kv } = await openStepped();
  await put(real, 3, "before");
  const commits = [1, 2, 3, 4].map((n) => put(kv, n, n, null));
  const { ended } = await settled(steps, commits);
  assertEquals(oks(ended), [true, true, false, true]);
  assertEquals((await kv.get(key(3))).value, "before");
  real.close();
});

Deno.test("sharedCommits() fails only those that the store can't take", async () => {
  const { real, steps, kv } = await openStepped();
  const commits = [1, 2, 3, 4, 5].map((n) =>
    put(kv, n, n === 2 ? new Uint8Array(70_000) : n === 4 ? () => {} : n)
  );
  const { ended } = await settled(steps, commits);
  assertEquals(oks(ended), [true, null, true, null, true]);
  real.close();
});

Deno.test("sharedCommits() fails those that travelled together, never sends them again, and goes on", async () => {
  const { real, steps, kv } = await openStepped();
  const first = put(kv, 1, 1);
  await turn();
  const lost = [put(kv, 2, 2), put(kv, 3, 3)].map((each) =>
    assertRejects(() => each, Error, "lost")
  );
  steps[0]?.go();
  await first;
  await turn();
  steps[1]?.fail(new Error("lost"));
  await Promise.all(lost);
  const { sent } = await settled(steps.slice(2), []);
  assertEquals([sent, steps.length], [0, 2]);
  const last = put(kv, 4, 4);
  await turn();
  steps[2]?.go();
  assertEquals((await last).ok, true);
  real.close();
});

/** As a bid does: its own record, one check and one count shared by all. */
function bid(kv: KvLike, n: number, versionstamp: string | null) {
  const atomic = kv.atomic();
  atomic.check({ key: ["auction"], versionstamp });
  atomic.set(key(n), n);
  atomic.sum(["count"], 1n);
  return atomic.commit();
}

Deno.test("sharedCommits() lets those travel together that check and add to the same", async () => {
  const { real, steps, kv } = await openStepped();
  const { versionstamp } = await openAuctionRow(real);
  const commits = [1, 2, 3, 4].map((n) => bid(kv, n, versionstamp));
  const { ended, sent } = await settled(steps, commits);
  assertEquals([oks(ended), sent], [[true, true, true, true], 1]);
  assertEquals((await kv.get<Deno.KvU64>(["count"])).value?.value, 4n);
  real.close();
});

Deno.test("sharedCommits() sends what writes a key apart from what checks it, in order", async () => {
  const { real, steps, kv } = await openStepped();
  const { versionstamp } = await openAuctionRow(real);
  const close = kv.atomic();
  const early = [1, 2].map((n) => bid(kv, n, versionstamp));
  close.check({ key: ["auction"], versionstamp });
  close.set(["auction"], "CLOSED");
  const closing = close.commit();
  const late = [3, 4].map((n) => bid(kv, n, versionstamp));
  const { ended } = await settled(steps, [...early, closing, ...late]);
  assertEquals(oks(ended), [true, true, true, false, false]);
  assertEquals((await kv.get<Deno.KvU64>(["count"])).value?.value, 2n);
  real.close();
});

Deno.test("sharedCommits() keeps those apart that check one key for different versions", async () => {
  const { real, steps, kv } = await openStepped();
  const { versionstamp } = await openAuctionRow(real);
  const commits = [
    put(kv, 9, 9),
    bid(kv, 1, versionstamp),
    bid(kv, 2, null),
    bid(kv, 3, versionstamp),
  ];
  const { ended } = await settled(steps, commits);
  assertEquals(oks(ended), [true, true, false, true]);
  real.close();
});

async function openAuctionRow(
  kv: KvLike,
): Promise<{ versionstamp: string | null }> {
  const atomic = kv.atomic();
  atomic.set(["auction"], "OPEN");
  await atomic.commit();
  return await kv.get(["auction"]);
}
