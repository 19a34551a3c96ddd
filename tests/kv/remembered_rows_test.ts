import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { RememberedRows } from "../../kv/remembered_rows.ts";
import { openTestStore, type TestProcess } from "../support/store.ts";
import { grant } from "./records.ts";

const GRANT = grant("g", "a");

/** Lets the grant be used, and tells the times that were found on the way. */
async function use(test: Pick<TestProcess, "store">, atMs: number) {
  const found: (number | null)[] = [];
  await test.store.transact(async (tx) => {
    const before = await tx.grants.find(GRANT.id);
    found.push(before?.lastUsedAtMs ?? null);
    tx.grants.save({ ...GRANT, lastUsedAtMs: atMs });
  });
  return found;
}

Deno.test("transact() does not read again what it has written last", async () => {
  await using test = await openTestStore();
  await use(test, 1);
  // A read would fail.
  const fault = { kind: "fail_before" } as const;
  test.kv.inject({ on: "read", fault });
  assertEquals(await use(test, 2), [1]);
});

Deno.test("transact() reads what another process wrote since, and counts no lost race", async () => {
  const retries: string[] = [];
  await using test = await openTestStore({
    onRetry: (why) => retries.push(why),
  });
  const other = test.another();
  await use(test, 1);
  await use(other, 2);
  assertEquals(await use(test, 3), [1, 2]);
  assertEquals(retries, []);
  assertEquals((await test.store.grants.find(GRANT.id))?.lastUsedAtMs, 3);
});

Deno.test("transact() refuses nothing, and answers nothing, on what it only remembers", async () => {
  await using test = await openTestStore();
  const other = test.another();
  await use(test, 1);
  await use(other, 2);
  const seen: (number | null | undefined)[] = [];
  const look = () =>
    test.store.transact(async (tx) => {
      const found = await tx.grants.find(GRANT.id);
      seen.push(found?.lastUsedAtMs);
      return found?.lastUsedAtMs;
    });
  assertEquals([await look(), seen], [2, [1, 2]]);
  await use(test, 3);
  await use(other, 4);
  seen.length = 0;
  const refusing = () =>
    test.store.transact(async (tx) => {
      seen.push((await tx.grants.find(GRANT.id))?.lastUsedAtMs);
      throw new Error("no");
    });
  await assertRejects(refusing, Error, "no");
  assertEquals(seen, [3, 4]);
});

const MAX = 8;

/** A row written, or taken away, under one of a dozen keys. */
const write = fc.record({
  kind: fc.constantFrom("set" as const, "set" as const, "delete" as const),
  id: fc.integer({ min: 1, max: 12 }),
});

Deno.test("RememberedRows keeps the rows that were first written last, each as it was written last", () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
      const rows = new RememberedRows(["a"], MAX);
      const versions = new Map<number, string>();
      writes.forEach(({ kind, id }, at) => {
        const key = ["a", id];
        const version = `v${at}`;
        rows.note(
          [kind === "set" ? { kind, key, value: at } : { kind, key }],
          version,
        );
        if (kind === "set") versions.set(id, version);
        else versions.delete(id);
        const [oldest = 0] = versions.keys();
        if (versions.size > MAX) versions.delete(oldest);
      });
      for (let id = 1; id <= 12; id++) {
        const [row] = rows.all([["a", id]]) ?? [];
        assertEquals(row?.versionstamp, versions.get(id));
      }
    }),
  );
});

Deno.test("RememberedRows keeps nothing of other families", () => {
  const rows = new RememberedRows(["a"], MAX);
  rows.note([{ kind: "set", key: ["b", 1], value: 1 }], "v1");
  assertEquals(rows.all([["b", 1]]), null);
});
