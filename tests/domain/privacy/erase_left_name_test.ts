import { assert, assertEquals } from "@std/assert";
import { eraseLeftName } from "../../../domain/privacy/erase_left_name.ts";
import { readSchema, SCHEMA_VERSION, writeSchema } from "../../../kv/schema.ts";
import { spotlight } from "../../support/public_spotlights.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const SHOWN = {
  "2026-11-01": ["acc_erased", "Anna Quist"],
  "2026-11-02": ["acc_erased", "Quist Lamps GmbH"],
  "2026-11-03": ["acc_erased", "Anna Ek"],
  "2026-11-04": ["acc_here", "Anna Quist"],
  "2026-11-05": [null, "Spotlight"],
} as const;

/** Days as they were left by erasures that asked of the account's last name. */
async function openLeft(): Promise<TestStore> {
  const test = await openTestStore();
  await test.store.transact((tx) => {
    tx.erasedAccounts.save({ accountId: "acc_erased", erasedAtMs: 1 });
    for (const [day, [accountId, advertiser]] of Object.entries(SHOWN)) {
      tx.spotlights.save({ ...spotlight(day), accountId, advertiser });
    }
  });
  return test;
}

async function shownIn({ store }: TestStore): Promise<unknown[]> {
  const days = Object.keys(SHOWN).map((day) => spotlight(day).day);
  const found = await Promise.all(
    days.map((day) => store.spotlights.find(day)),
  );
  return found.map((each) => each?.advertiser);
}

const LEFT = [
  "Former advertiser",
  "Quist Lamps GmbH",
  "Former advertiser",
  "Anna Quist",
  "Spotlight",
];

Deno.test("a store of a version before loses the names of persons that erasures left on Spotlights, and no other", async () => {
  await using test = await openLeft();
  const read = await readSchema(test.realKv);
  const row = { version: 11, readableFrom: 1, migration: null };
  await writeSchema(test.realKv, { ...read, row });
  assertEquals(
    await test.store.migrate(Infinity),
    { version: SCHEMA_VERSION, state: "done" },
  );
  assertEquals(await shownIn(test), LEFT);
});

Deno.test("eraseLeftName() tells readers of a name that goes, and of nothing when all is done", async () => {
  await using test = await openLeft();
  const { store } = test;
  const { day } = spotlight("2026-11-01");
  const before = await store.spotlightsVersion();
  await eraseLeftName({ store }, { day });
  const after = await store.spotlightsVersion();
  assert(after !== before);
  await eraseLeftName({ store }, { day });
  await eraseLeftName({ store }, { day: spotlight("2026-10-01").day });
  assertEquals(await store.spotlightsVersion(), after);
});
