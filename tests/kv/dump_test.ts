import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { Refused } from "../../domain/refusal.ts";
import { dump } from "../../kv/dump.ts";
import { EPHEMERAL_FAMILIES } from "../../kv/ephemeral.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { NotTaggedJson } from "../../kv/tagged_json.ts";
import { backupRows } from "../support/backup_rows.ts";
import { openTestStore, testPatience } from "../support/store.ts";
import { storable, storableKey } from "./storable.ts";

Deno.test("dump() then restore() then dump() gives the same rows", async () => {
  const rows = fc.array(
    fc.tuple(
      storableKey,
      fc.oneof(
        storable,
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
          .map((value) => new Deno.KvU64(value)),
      ),
    ),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.integer({ min: 1, max: 5 }),
      async (all, pageRows) => {
        await using from = await openTestStore();
        await using to = await openTestStore();
        for (const [key, value] of all) await put(from.realKv, key, value);
        const text = await textOf(dump(from.realKv, { pageRows, keys: null }));
        const { rows } = await restore(into(to, text));
        assertEquals(rows, (await entries(from.realKv)).length);
        const again = await textOf(dump(to.realKv, { keys: null }));
        assertEquals(backupRows(again), backupRows(text));
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("dump() writes a header, a line a row, and a trailer", async () => {
  await using test = await openTestStore();
  await put(test.realKv, ["bids", "2026-11-20", "acc"], { cents: 1 });
  await put(test.realKv, ["bid_counts", "2026-11-20"], new Deno.KvU64(3n));
  test.clock.set("2026-11-20T08:00:00.000Z");
  const { clock } = test;
  const lines = (await textOf(dump(test.realKv, { clock, keys: null }))).split(
    "\n",
  );
  assertEquals(lines.slice(0, 3), [
    '{"format":"spotlight-store","version":4,' +
    '"started_at":"2026-11-20T08:00:00.000Z","readable_from":1}',
    '[["bid_counts","2026-11-20"],{"$":"u64","v":"3"}]',
    '[["bids","2026-11-20","acc"],{"cents":1}]',
  ]);
  const { sha256, ...trailer } = JSON.parse(lines[3] ?? "");
  assertEquals(trailer, { rows: 2, consistent: true });
  assert(/^[0-9a-f]{64}$/.test(sha256));
  assertEquals(lines.slice(4), [""]);
});

Deno.test("dump() leaves out every family that is not for backups", async () => {
  await using test = await openTestStore();
  for (const family of EPHEMERAL_FAMILIES) {
    await put(test.realKv, [family, "x"], "not for long");
  }
  assert(
    !(await textOf(dump(test.realKv, { keys: null }))).includes("not for long"),
  );
});

Deno.test("dump() leaves out rate-limit rows and nothing beside them", async () => {
  await using test = await openTestStore();
  const kept = [
    [new Uint8Array()],
    ["rate_bucket", "x"],
    ["rate_buckets\x01", "x"],
    ["rate_buckets2", "x"],
    [0],
    [true],
  ];
  for (const key of kept) await put(test.realKv, key, 1);
  await put(test.realKv, ["rate_buckets", "hash"], new Uint8Array(16));
  const text = await textOf(dump(test.realKv, { keys: null }));
  assertEquals(text.split("\n").length, kept.length + 3);
  assert(!text.includes('"rate_buckets",'));
});

Deno.test("dump() says that it is consistent only if nothing changed meanwhile", async () => {
  const changes: [string, (kv: KvLike) => Promise<void>][] = [
    ["changed", (kv) => put(kv, ["a", 0], "new")],
    ["same value", (kv) => put(kv, ["a", 9], 9)],
    ["added", (kv) => put(kv, ["a", 10], 1)],
    ["removed", (kv) => put(kv, ["a", 5], REMOVED)],
    ["none of ours", (kv) => put(kv, ["rate_buckets", "x"], 1)],
  ];
  for (const [name, change] of changes) {
    for (const read of [3, 4, 5]) {
      await using test = await openTestStore();
      for (let n = 0; n < 10; n++) await put(test.realKv, ["a", n], n);
      const gate = Promise.withResolvers<void>();
      // Read 1 is for the header, 2–4 are pages of the rows, 5 and on of their
      // versions.
      test.kv.inject({
        on: "read",
        nth: read,
        fault: { kind: "hold", until: gate.promise },
      });
      const text = textOf(dump(test.kv, { pageRows: 4, keys: null }));
      while (test.kv.readCount < read) await test.realKv.get(["any"]);
      await change(test.realKv);
      gate.resolve();
      const trailer = JSON.parse((await text).split("\n").at(-2) ?? "");
      const unseen = name === "none of ours" ||
        (read <= 4 && ["same value", "added"].includes(name)) ||
        (read === 3 && name === "removed");
      assertEquals(trailer.consistent, unseen, `${name} at read ${read}`);
    }
  }
});

Deno.test("dump() reads a page only when the last one was taken", async () => {
  await using test = await openTestStore();
  const long = "x".repeat(60_000);
  for (let n = 0; n < 20; n++) await put(test.realKv, ["a", n], long);
  const reader = dump(test.kv, { pageRows: 2, keys: null }).getReader();
  await reader.read();
  assert(test.kv.readCount <= 4, `${test.kv.readCount} reads`);
  await reader.cancel();
  assert(test.kv.readCount <= 4, `${test.kv.readCount} reads`);
});

Deno.test("dump() reads pages of 500 rows", async () => {
  await using test = await openTestStore();
  for (let n = 0; n < 1_001; n++) await put(test.realKv, ["a", n], n);
  await textOf(dump(test.kv, { keys: null }));
  // For the header, and three pages and what lies after each family left out,
  // each of them twice.
  assertEquals(test.kv.readCount, 1 + 2 * (3 + EPHEMERAL_FAMILIES.length));
});

Deno.test("dump() fails when the store does, and leaves no whole backup", async () => {
  await using test = await openTestStore({
    faults: [{ on: "read", nth: 3, fault: { kind: "fail_before" } }],
  });
  for (let n = 0; n < 10; n++) await put(test.realKv, ["a", n], n);
  let text = "";
  const decoder = new TextDecoder();
  await assertRejects(async () => {
    for await (const chunk of dump(test.kv, { pageRows: 3, keys: null })) {
      text += decoder.decode(chunk);
    }
  });
  await using other = await openTestStore();
  await assertRejects(() => restore(into(other, text)), Refused);
});

Deno.test("dump() rides out a locked store", async () => {
  await using test = await openTestStore({
    faults: [{ on: "read", nth: 2, times: 5, fault: { kind: "locked" } }],
  });
  for (let n = 0; n < 10; n++) await put(test.realKv, ["a", n], n);
  const options = { pageRows: 3, keys: null, patience: testPatience() };
  const text = await textOf(dump(test.kv, options));
  assertEquals(text.split("\n").length, 13);
});

Deno.test("dump() fails at a value that a backup cannot hold", async () => {
  await using test = await openTestStore();
  await put(test.realKv, ["a"], new Map());
  await assertRejects(
    () => textOf(dump(test.realKv, { keys: null })),
    NotTaggedJson,
    "Map",
  );
});

const REMOVED = Symbol("removed");

function into(
  test: Awaited<ReturnType<typeof openTestStore>>,
  text: string,
): RestoreOptions {
  const open = () => new Blob([text]).stream();
  const { kv, clock } = test;
  return { kv, clock, open, keys: null, patience: testPatience() };
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();
}

async function entries(kv: KvLike): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    all.push([key, value]);
  }
  return all;
}

async function put(
  kv: KvLike,
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = kv.atomic();
  if (value === REMOVED) atomic.delete(key);
  else atomic.set(key, value);
  await atomic.commit();
}
