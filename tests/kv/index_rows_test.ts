import { assert, assertEquals } from "@std/assert";
import { openTestStore } from "../support/store.ts";
import { account, day, settlement } from "./records.ts";

const today = day("2026-11-20");

Deno.test("saving a record writes its index rows, removing it removes them", async () => {
  await using test = await openTestStore();
  const { store } = test;
  await store.transact((tx) => tx.accounts.save(account("acc", "a@x.example")));
  assertEquals(await store.accountEmails.find("a@x.example"), {
    email: "a@x.example",
    accountId: "acc",
  });
  await store.transact(async (tx) => {
    const found = await tx.accounts.find("acc");
    if (found) tx.accounts.remove(found);
  });
  assertEquals(await store.accountEmails.find("a@x.example"), null);
  assertEquals(await store.accounts.find("acc"), null);
});

Deno.test("an account that changes its address is not found under the old one", async () => {
  await using test = await openTestStore();
  const { store } = test;
  await store.transact((tx) =>
    tx.accounts.save(account("acc", "old@x.example"))
  );
  await store.transact(async (tx) => {
    await tx.accounts.find("acc");
    tx.accounts.save(account("acc", "typo@x.example"));
    tx.accounts.save(account("acc", "new@x.example"));
  });
  assertEquals(await store.accountEmails.find("old@x.example"), null);
  assertEquals(await store.accountEmails.find("typo@x.example"), null);
  assert(await store.accountEmails.find("new@x.example"));
  await store.transact(async (tx) => {
    await tx.accounts.find("acc");
    tx.accounts.save({ ...account("acc", "new@x.example"), partner: true });
  });
  assert(await store.accountEmails.find("new@x.example"));
});

Deno.test("a settlement is listed as open until it is settled", async () => {
  await using test = await openTestStore();
  const { store, realKv } = test;
  await store.transact((tx) => tx.settlements.save(settlement(today)));
  const open = await store.listOpenSettlements({ limit: 10 });
  assertEquals(open, [settlement(today)]);
  await store.transact((tx) =>
    tx.settlements.save(settlement(today, "settled"))
  );
  assertEquals(await store.listOpenSettlements({ limit: 10 }), []);
  const row = await realKv.get(["open_settlements", today]);
  assertEquals(row.versionstamp, null);
});

Deno.test("save() does not write an index row again that has not changed", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  const bid = {
    id: "bid_1",
    day: day("2026-11-20"),
    accountId: "acc_1",
    adId: "ad_1",
    amountCents: 100,
    status: "active" as const,
    placedAtMs: 1,
    paymentMethodId: "pm_1",
    grantId: null,
  };
  await store.transact((tx) => tx.bids.save(bid));
  await store.transact(async (tx) => {
    await tx.bids.find(bid.day, bid.accountId);
    tx.bids.save({ ...bid, amountCents: 200 });
  });
  const families = kv.commits.map(({ writes }) => writes.map((w) => w.key[0]));
  assertEquals(families, [["bids", "bid_places"], ["bids"]]);
  assertEquals((await store.bidPlaces.find("bid_1"))?.accountId, "acc_1");
});
