import { assertEquals, assertRejects } from "@std/assert";
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

Deno.test("RememberedRows keeps the rows of its families that were written last", () => {
  const rows = new RememberedRows(["a"], 2);
  const set = (family: string, id: number) => ({
    kind: "set" as const,
    key: [family, id],
    value: id,
  });
  rows.note([set("a", 1), set("b", 1), set("a", 2), set("a", 1)], "v1");
  assertEquals(rows.all([["b", 1]]), null);
  rows.note([set("a", 3)], "v2");
  assertEquals(rows.all([["a", 2]]), null);
  const found = rows.all([["a", 1], ["a", 3]]);
  assertEquals(found?.map(({ versionstamp }) => versionstamp), ["v1", "v2"]);
  rows.note([{ kind: "delete", key: ["a", 1] }], "v3");
  assertEquals(rows.all([["a", 1]]), null);
});
