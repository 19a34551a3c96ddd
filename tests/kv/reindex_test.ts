/**
 * Whatever became of the rows of indexes, reindexing brings them back to what
 * the records say, and touches nothing else.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { KvAtomic, KvLike } from "../../kv/kv_like.ts";
import { reindex, type Reindexed } from "../../kv/reindex.ts";
import { tables } from "../../kv/tables.ts";
import { openPaidDay, type PaidDay } from "../support/paid_day.ts";
import { openTestStore } from "../support/store.ts";
import { account, bid, day, grant, settlement } from "./records.ts";

const INDEX_FAMILIES = Object.values(tables).flatMap((table) =>
  table.indexFamilies ?? []
);

Deno.test("every index of docs/kv_schema.md is one that can be rebuilt", async () => {
  const page = await Deno.readTextFile(
    new URL("../../docs/kv_schema.md", import.meta.url),
  );
  const documented = page.split("\n").filter((line) =>
    line.startsWith("| `") && line.includes("| Index:")
  ).map((line) => line.split("`")[1] ?? "");
  assertEquals(INDEX_FAMILIES.toSorted(), documented.toSorted());
});

Deno.test("reindex() changes nothing where every row is as it should be", async () => {
  await using paid = await openPaidDay();
  await giveOwnVatId(paid);
  const { realKv, clock } = paid.world.testStore;
  const before = await rowsOf(realKv);
  const done = await reindexed({ kv: realKv, clock });
  assertEquals(totals(done), { written: 0, removed: 0, contested: 0 });
  assertEquals(await rowsOf(realKv), before);
});

Deno.test("reindex() brings back any rows of indexes that were lost, and removes what is stray", async () => {
  await using paid = await openPaidDay();
  await giveOwnVatId(paid);
  const { realKv, clock } = paid.world.testStore;
  const whole = await rowsOf(realKv);
  const indexRows = [...whole.values()].filter(({ key }) =>
    INDEX_FAMILIES.includes(String(key[0]))
  );
  assert(new Set(indexRows.map(({ key }) => key[0])).size > 10);
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(indexRows, { minLength: 1 }),
      fc.subarray(indexRows),
      async (lost, doubled) => {
        for (const { key } of lost) await remove(realKv, key);
        for (const { key, value } of doubled) {
          await put(realKv, [...key.slice(0, -1), "elsewhere"], value);
        }
        await reindexed({ kv: realKv, clock, pageRows: 7 });
        assertEquals(await rowsOf(realKv), whole);
      },
    ),
    { numRuns: 15 },
  );
});

Deno.test("reindex() removes rows that name nothing, or no record at all", async () => {
  await using test = await openTestStore();
  const { realKv, clock } = test;
  for (const [nth, family] of INDEX_FAMILIES.entries()) {
    const value = nth % 2 === 0 ? {} : { accountId: "gone", number: "gone" };
    await put(realKv, [family, "x"], value);
  }
  const done = await reindexed({ kv: realKv, clock });
  assertEquals(totals(done).removed, INDEX_FAMILIES.length);
  assertEquals((await rowsOf(realKv)).size, 0);
});

Deno.test("reindex() leaves a row alone that two records lay claim to, and tells of it", async () => {
  await using test = await openTestStore();
  const { realKv, clock, store } = test;
  await store.transact((tx) => tx.accounts.save(account("a", "x@x.example")));
  // Two accounts of one address: no verb makes them, a bad hand might.
  await put(realKv, ["accounts", "b"], account("b", "x@x.example"));
  const done = await reindexed({ kv: realKv, clock });
  assertEquals(totals(done).contested, 1);
  assertEquals((await store.accountEmails.find("x@x.example"))?.accountId, "a");
});

Deno.test("reindex() loses a race to who changes the record, and looks again", async () => {
  await using test = await openTestStore();
  const { realKv, clock, store } = test;
  await store.transact((tx) => tx.accounts.save(account("a", "x@x.example")));
  await remove(realKv, ["account_emails", "x@x.example"]);
  let changes = 0;
  const kv = beforeCommits(realKv, async () => {
    if (changes++ > 0) return;
    await store.transact(async (tx) => {
      const before = await tx.accounts.find("a");
      assert(before);
      tx.accounts.save({ ...before, email: "y@x.example" });
    });
  });
  await reindexed({ kv, clock });
  assert(changes > 0);
  assertEquals(await store.accountEmails.find("x@x.example"), null);
  assertEquals((await store.accountEmails.find("y@x.example"))?.accountId, "a");
});

Deno.test("reindex() does not bring back the row of a record that was just removed or finished", async () => {
  await using test = await openTestStore();
  const { realKv, clock, store } = test;
  const on = day("2026-11-20");
  await store.transact((tx) => tx.settlements.save(settlement(on)));
  await remove(realKv, ["open_settlements", on]);
  let changes = 0;
  const kv = beforeCommits(realKv, async () => {
    if (changes++ > 0) return;
    const finished = { ...settlement(on), state: "settled" as const };
    await store.transact((tx) => tx.settlements.save(finished));
  });
  await reindexed({ kv, clock });
  assertEquals(await store.listOpenSettlements({ limit: 9 }), []);
  assertEquals((await rowsOf(realKv)).size, 1);
});

Deno.test("reindex() tells how far it is page by page, and pauses between them", async () => {
  await using test = await openTestStore();
  const { realKv, clock, store } = test;
  for (let n = 0; n < 25; n++) {
    await store.transact((tx) => {
      tx.bids.save(bid(day("2026-11-20"), `acc_${n}`));
      tx.grants.save(grant(`gr_${n}`, "acc"));
    });
  }
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    return Promise.resolve();
  };
  const told: Reindexed[] = [];
  for await (
    const each of reindex({ kv: realKv, clock, pause, pageRows: 10 })
  ) told.push(each);
  const ofBids = told.filter(({ family }) => family === "bids");
  assertEquals(ofBids.map(({ records }) => records), [0, 0, 0, 10, 20, 25, 25]);
  assertEquals(ofBids.map(({ done }) => done).indexOf(true), 6);
  assertEquals(pauses, told.filter(({ done }) => !done).length);
});

async function reindexed(
  options: Parameters<typeof reindex>[0],
): Promise<Reindexed[]> {
  const told: Reindexed[] = [];
  for await (const each of reindex(options)) if (each.done) told.push(each);
  return told;
}

function totals(done: readonly Reindexed[]) {
  const sum = (name: "contested" | "removed" | "written") =>
    done.reduce((total, each) => total + each[name], 0);
  return {
    written: sum("written"),
    removed: sum("removed"),
    contested: sum("contested"),
  };
}

/** Advertisers of a test have one VAT id between them. */
async function giveOwnVatId({ world, passedOver }: PaidDay): Promise<void> {
  await world.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(passedOver.account.id);
    assert(account?.company);
    const company = { ...account.company, vatId: "DE987654321" };
    tx.accounts.save({ ...account, company });
  });
  const { realKv, clock } = world.testStore;
  await reindexed({ kv: realKv, clock });
}

async function put(kv: KvLike, key: Deno.KvKey, value: unknown): Promise<void> {
  const atomic = kv.atomic();
  atomic.set(key, value);
  await atomic.commit();
}

async function remove(kv: KvLike, key: Deno.KvKey): Promise<void> {
  const atomic = kv.atomic();
  atomic.delete(key);
  await atomic.commit();
}

type Row = Pick<Deno.KvEntry<unknown>, "key" | "value">;

/** Every row by its key, without what a change of it alone changes. */
async function rowsOf(kv: KvLike): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const { key, value } of kv.list({ prefix: [] })) {
    rows.set(JSON.stringify(key), { key, value });
  }
  return rows;
}

/** A store where something happens right before each commit. */
function beforeCommits(kv: KvLike, happen: () => Promise<void>): KvLike {
  return {
    ...kv,
    atomic(): KvAtomic {
      const atomic = kv.atomic();
      const { commit } = atomic;
      return Object.assign(Object.create(atomic), {
        check: atomic.check.bind(atomic),
        set: atomic.set.bind(atomic),
        delete: atomic.delete.bind(atomic),
        commit: async () => {
          await happen();
          return await commit.call(atomic);
        },
      });
    },
  };
}
