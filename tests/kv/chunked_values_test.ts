import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { OutcomeUnknown, StoreUnavailable } from "../../domain/failure.ts";
import { InvariantBroken } from "../../domain/invariant.ts";
import {
  CHUNK_BYTES,
  CHUNKS_A_COMMIT,
  ChunksCorrupt,
  MAX_CHUNKED_BYTES,
} from "../../kv/chunk_manifest.ts";
import {
  type ChunkedValues,
  createChunkedValues,
} from "../../kv/chunked_values.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { everyCrashPoint } from "../support/faults.ts";
import {
  asPlanned,
  openTestStore,
  testPatience,
  type TestStore,
} from "../support/store.ts";

const SEVERAL_COMMITS = CHUNKS_A_COMMIT * CHUNK_BYTES + 5;

Deno.test("a chunked value is read as it was stored, at every size", async () => {
  await using test = await openTestStore();
  const values = over(test);
  const sizes = [
    0,
    1,
    65_536,
    CHUNK_BYTES - 1,
    CHUNK_BYTES,
    CHUNK_BYTES + 1,
    10 * CHUNK_BYTES,
    11 * CHUNK_BYTES,
    SEVERAL_COMMITS,
  ];
  for (const size of sizes) {
    const value = bytes(size, size);
    const { outcome, manifest } = await values.store(`v${size}`, value);
    assertEquals(outcome, "stored");
    assertEquals(manifest.chunkCount, Math.ceil(size / CHUNK_BYTES));
    assertEquals(await values.read(`v${size}`), value);
    assertEquals(await values.describe(`v${size}`), manifest);
  }
  assertEquals(await count(test.realKv, "chunk_attempts"), 0);
});

Deno.test("a chunked value of the greatest size fits the store's limits", async () => {
  await using test = await openTestStore();
  const value = bytes(MAX_CHUNKED_BYTES, 7);
  await over(test).store("greatest", value);
  const read = await over(test).read("greatest");
  assert(read !== null && Buffer.compare(read, value) === 0);
  for (const { writes } of test.kv.commits) {
    const sizes = writes.map((write) =>
      write.kind === "set" && write.value instanceof Uint8Array
        ? write.value.buffer.byteLength
        : 0
    );
    assert(Math.max(...sizes) <= CHUNK_BYTES);
    assert(sizes.reduce((sum, size) => sum + size, 0) <= 800 * 1_024);
  }
});

Deno.test("store() refuses a value over 20 MiB before it writes", async () => {
  await using test = await openTestStore();
  await assertRejects(
    () => over(test).store("v", new Uint8Array(MAX_CHUNKED_BYTES + 1)),
    InvariantBroken,
  );
  assertEquals(test.kv.commits.length, 0);
});

Deno.test("store() refuses a name that is no key", async () => {
  await using test = await openTestStore();
  for (const name of ["x".repeat(2_048), "\udc00"]) {
    await assertRejects(
      () => over(test).store(name, bytes(1)),
      InvariantBroken,
    );
    assertEquals(await over(test).read(name), null);
  }
});

Deno.test("store() skips what is already stored and says so", async () => {
  await using test = await openTestStore();
  const values = over(test);
  const first = await values.store("v", bytes(10, 1));
  const commits = test.kv.commits.length;
  const again = await values.store("v", bytes(10, 2));
  assertEquals(again, { outcome: "already_stored", manifest: first.manifest });
  assertEquals(test.kv.commits.length, commits);
  assertEquals(await values.read("v"), bytes(10, 1));
});

Deno.test("read() answers null for a name nothing is stored under", async () => {
  await using test = await openTestStore();
  assertEquals(await over(test).read("v"), null);
  assertEquals(await over(test).describe("v"), null);
});

Deno.test("of two writers at once exactly one stores", async () => {
  await using test = await openTestStore();
  const writers = [1, 2, 3].map((seed) =>
    over(test).store("v", bytes(SEVERAL_COMMITS, seed))
  );
  const outcomes = await Promise.all(writers);
  const winner = outcomes.findIndex(({ outcome }) => outcome === "stored");
  assertEquals(
    outcomes.filter(({ outcome }) => outcome === "stored").length,
    1,
  );
  for (const { manifest } of outcomes) {
    assertEquals(manifest, outcomes[winner]?.manifest);
  }
  assertEquals(await over(test).read("v"), bytes(SEVERAL_COMMITS, winner + 1));
});

Deno.test("a writer that dies leaves a whole value or none, and a repeat mends it", async () => {
  const value = bytes(2 * SEVERAL_COMMITS, 3);
  const points = await everyCrashPoint(async (point) => {
    await using test = await openTestStore();
    test.kv.crashAt(point);
    await over(test).store("v", value).catch(() => {});
    const values = over(test, test.realKv);
    const left = await values.read("v");
    const whole = !test.kv.wentWrong ||
      point.when === "after" && point.commit === 5;
    assertEquals(left, whole ? value : null);
    const { outcome } = await values.store("v", value);
    assertEquals(outcome, whole ? "already_stored" : "stored");
    assertEquals(await values.read("v"), value);
    await values.purge(test.clock.now() + 1, 100);
    assertEquals(await values.read("v"), value);
    await assertNoLeftovers(test, value);
    return test.kv.dead;
  });
  assertEquals(points, 2 * 5);
});

Deno.test("a purge that dies is ended by the next", async () => {
  const value = bytes(4 * SEVERAL_COMMITS, 3);
  const points = await everyCrashPoint(async (point) => {
    await using test = await openTestStore();
    test.kv.crashAt({ commit: 5, when: "after" });
    await over(test).store("v", value).catch(() => {});
    const purger = test.another().kv;
    purger.crashAt(point);
    await over(test, asPlanned(purger)).purge(Infinity, 9).catch(() => {});
    await over(test, test.realKv).purge(Infinity, 9);
    assertEquals(await count(test.realKv, "chunks"), 0);
    assertEquals(await count(test.realKv, "chunk_attempts"), 0);
    return purger.dead;
  });
  assertEquals(points, 2 * 4);
});

Deno.test("a purge at any moment fails a writer or leaves its value whole", async () => {
  const value = bytes(SEVERAL_COMMITS, 3);
  for (let commit = 1; commit <= 4; commit++) {
    await using test = await openTestStore();
    const gate = Promise.withResolvers<void>();
    test.kv.inject({
      on: "commit",
      nth: commit,
      fault: { kind: "hold", until: gate.promise },
    });
    const stored = over(test).store("v", value).then(
      () => "stored",
      (error) => {
        assert(error instanceof StoreUnavailable, String(error));
        return "failed";
      },
    );
    while (test.kv.commits.length < commit) {
      await test.realKv.get(["any"]);
    }
    const purged = await over(test, test.realKv).purge(Infinity, 9);
    gate.resolve();
    const under = commit >= 2;
    assertEquals(purged, under ? 1 : 0);
    assertEquals(await stored, under ? "failed" : "stored");
    const read = await over(test).read("v");
    assertEquals(read, under ? null : value);
    if (under) await assertNoLeftovers(test, bytes(0));
  }
});

Deno.test("purge() leaves what is younger, and at most its limit", async () => {
  await using test = await openTestStore();
  for (const name of ["a", "b", "c"]) {
    const { kv } = test.another([
      { on: "commit", nth: 2, fault: { kind: "fail_before" } },
    ]);
    await assertRejects(
      () => over(test, kv).store(name, bytes(9)),
      OutcomeUnknown,
    );
    test.clock.advance(1_000);
  }
  const values = over(test);
  assertEquals(await values.purge(test.clock.now() - 3_000, 9), 0);
  assertEquals(await values.purge(test.clock.now() - 2_999, 9), 1);
  assertEquals(await values.purge(Infinity, 1), 1);
  assertEquals(await values.purge(Infinity, 9), 1);
  assertEquals(await values.purge(Infinity, 9), 0);
});

Deno.test("store() whose last answer was lost is found stored by its repeat", async () => {
  await using test = await openTestStore({
    faults: [{ on: "commit", nth: 3, fault: { kind: "fail_after" } }],
  });
  const values = over(test);
  await assertRejects(() => values.store("v", bytes(9)), OutcomeUnknown);
  assertEquals((await values.store("v", bytes(9))).outcome, "already_stored");
});

Deno.test("read() refuses a chunk that is missing, changed, or of another length", async () => {
  const size = 3 * CHUNK_BYTES;
  const spoilt: [unknown, string][] = [
    [null, "no chunk 1"],
    ["text", "no chunk 1"],
    [bytes(CHUNK_BYTES, 99), "SHA-256"],
    [bytes(CHUNK_BYTES - 1, 0), "bytes"],
    [bytes(CHUNK_BYTES + 1, 0), "too long"],
  ];
  for (const [chunk, why] of spoilt) {
    await using test = await openTestStore();
    const { manifest } = await over(test).store("v", bytes(size));
    await put(test.realKv, ["chunks", "v", manifest.attemptId, 1], chunk);
    await assertRejects(() => over(test).read("v"), ChunksCorrupt, why);
  }
});

Deno.test("read() refuses a manifest that cannot be", async () => {
  await using test = await openTestStore();
  const { manifest } = await over(test).store("v", bytes(9));
  const spoilt = [{ bytes: 2 ** 50 }, { bytes: -1 }, { chunkCount: 1e9 }];
  for (const part of spoilt) {
    await put(test.realKv, ["chunk_manifests", "v"], { ...manifest, ...part });
    await assertRejects(() => over(test).read("v"), ChunksCorrupt, "manifest");
  }
});

Deno.test("a chunked value of any bytes and alignment is read as stored", async () => {
  await using test = await openTestStore();
  let n = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 50 }),
      fc.nat({ max: 2 * CHUNK_BYTES }),
      async (some, offset) => {
        const around = new Uint8Array(offset + some.byteLength + 3);
        const view = around.subarray(offset, offset + some.byteLength);
        view.set(some);
        const name = `v${n++}`;
        await over(test).store(name, view);
        assertEquals([...await over(test).read(name) ?? []], [...some]);
      },
    ),
    { numRuns: 50 },
  );
});

function over(
  test: TestStore,
  kv: KvLike = asPlanned(test.kv),
): ChunkedValues {
  const { clock, ids } = test;
  return createChunkedValues({ kv, clock, ids, patience: testPatience() });
}

function bytes(size: number, seed = 0): Uint8Array<ArrayBuffer> {
  const value = new Uint8Array(size);
  for (let at = 0; at < size; at += 97) value[at] = (at + seed) % 251;
  return value;
}

async function count(kv: KvLike, family: string): Promise<number> {
  let rows = 0;
  for await (const _ of kv.list({ prefix: [family] })) rows += 1;
  return rows;
}

async function assertNoLeftovers(
  test: TestStore,
  value: Uint8Array,
): Promise<void> {
  const chunks = Math.ceil(value.byteLength / CHUNK_BYTES);
  assertEquals(await count(test.realKv, "chunks"), chunks);
  assertEquals(await count(test.realKv, "chunk_attempts"), 0);
}

async function put(
  kv: KvLike,
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = kv.atomic();
  if (value === null) atomic.delete(key);
  else atomic.set(key, value);
  await atomic.commit();
}
