import { assert, assertEquals, assertRejects } from "@std/assert";
import { asKvLike, type KvLike } from "../../kv/kv_like.ts";
import { openKv } from "../../kv/open.ts";
import {
  EMBEDDED_READS,
  REMOTE_READS,
  sharedReads,
} from "../../kv/shared_reads.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";

/** A store whose reads come when the test says so. */
async function openStepped(limits = EMBEDDED_READS) {
  const real = await openKv(":memory:");
  const calls: { keys: number; go: () => void; fail: () => void }[] = [];
  const stepped: KvLike = {
    ...real,
    getMany: (keys) =>
      new Promise((resolve, reject) => {
        calls.push({
          keys: keys.length,
          go: () => real.getMany(keys).then(resolve, reject),
          fail: () => reject(new Error("lost")),
        });
      }),
  };
  return { real, calls, kv: sharedReads(stepped, limits) };
}

const key = (n: number) => ["job_runs", `job-${n}`];

/** Until what was asked for in this turn has begun. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

Deno.test("sharedReads() puts those of one turn into one, each with its own answer", async () => {
  const { real, calls, kv } = await openStepped();
  await commitOne(real, 2);
  const reads = [1, 2, 3].map((n) => kv.getMany([key(n)]));
  await turn();
  assertEquals(calls.map(({ keys }) => keys), [3]);
  calls[0]?.go();
  const values = (await Promise.all(reads)).map(([entry]) => entry?.value);
  assertEquals(values, [null, 2, null]);
  real.close();
});

Deno.test("sharedReads() lets three be under way", async () => {
  const { real, calls, kv } = await openStepped();
  const reads: Promise<unknown>[] = [];
  for (const n of [1, 2]) {
    reads.push(kv.getMany([key(n)]));
    await turn();
  }
  assertEquals(calls.map(({ keys }) => keys), [1, 1]);
  calls.forEach(({ go }) => go());
  await Promise.all(reads);
  real.close();
});

Deno.test("sharedReads() puts what waits into reads of ten keys, each with its own answer", async () => {
  const { real, calls, kv } = await openStepped();
  const atomic = real.atomic();
  for (let n = 0; n < 20; n++) atomic.set(key(n), n);
  await atomic.commit();
  const reads: ReturnType<KvLike["getMany"]>[] = [];
  for (let n = 0; n < 10; n++) {
    reads.push(kv.getMany([key(2 * n), key(2 * n + 1)]));
    if (n < 3) await turn();
  }
  await turn();
  assertEquals(calls.map(({ keys }) => keys), [2, 2, 2]);
  for (let at = 0; at < 5; at++) {
    calls[at]?.go();
    await reads[Math.min(at, 2)];
  }
  const values = (await Promise.all(reads))
    .map((entries) => entries.map(({ value }) => value));
  assertEquals(values.flat(), Array.from({ length: 20 }, (_, n) => n));
  assertEquals(calls.map(({ keys }) => keys), [2, 2, 2, 10, 4]);
  real.close();
});

Deno.test("sharedReads() asks once for a key that several of one turn read", async () => {
  const { real, calls, kv } = await openStepped();
  await commitOne(real, 1);
  const reads = [[1], [0, 1], [1, 2]].map((ns) => kv.getMany(ns.map(key)));
  await turn();
  assertEquals(calls.map(({ keys }) => keys), [3]);
  calls[0]?.go();
  const values = (await Promise.all(reads))
    .map((entries) => entries.map(({ value }) => value));
  assertEquals(values, [[1], [null, 1], [1, null]]);
  real.close();
});

Deno.test("sharedReads() over a network lets any number be under way, none of over 1,024 bytes but what is longer alone", async () => {
  await using server = startKvConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  const remote = asKvLike(await Deno.openKv(server.url));
  const kv = sharedReads(remote, REMOTE_READS);
  const account = (n: number) => ["accounts", `${n}`.padStart(40, "0")];
  const long = ["accounts", "0".repeat(600)];
  const asked = [...Array(40).keys()].map((n) => [account(n)]);
  await Promise.all([...asked, [long]].map((keys) => kv.getMany(keys)));
  const calls = server.trace.filter(({ method }) => method === "snapshot_read");
  const bytes = calls.map((call) => call.bytes);
  const over = bytes.filter((each) => each > 1_024);
  assertEquals(over.length, 1, `calls of ${bytes} bytes`);
  assert(calls.length < 10, `${calls.length} calls for 41 reads`);
  kv.close();
});

Deno.test("sharedReads() fails those that travelled together, and goes on", async () => {
  const { real, calls, kv } = await openStepped();
  const reads: Promise<unknown>[] = [];
  for (let n = 0; n < 5; n++) {
    reads.push(kv.getMany([key(n)]));
    if (n < 3) await turn();
  }
  const failed = assertRejects(() => reads[0] ?? Promise.resolve(), Error);
  calls[0]?.fail();
  await failed;
  assertEquals(calls.map(({ keys }) => keys), [1, 1, 1, 2]);
  calls.slice(1).forEach(({ go }) => go());
  await Promise.all(reads.slice(1));
  real.close();
});

Deno.test("sharedReads() sees every write that was confirmed before it was asked", async () => {
  const kv = await openKv(":memory:");
  const seen = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      await commitOne(kv, n);
      const [entry] = await kv.getMany([key(n)]);
      return entry?.value;
    }),
  );
  assertEquals(seen, Array.from({ length: 200 }, (_, n) => n));
  kv.close();
});

async function commitOne(kv: KvLike, n: number): Promise<void> {
  const atomic = kv.atomic();
  atomic.set(key(n), n);
  await atomic.commit();
}
