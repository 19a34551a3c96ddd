import { assertEquals, assertRejects } from "@std/assert";
import { addDays } from "../../domain/day.ts";
import { InvariantBroken } from "../../domain/invariant.ts";
import type { Store } from "../../domain/ports.ts";
import { PAGE } from "../../kv/pages.ts";
import { keyOf } from "../support/faults.ts";
import { openTestStore } from "../support/store.ts";
import {
  account,
  bid,
  bidEvent,
  day,
  grant,
  settlement,
  spotlight,
} from "./records.ts";

const first = day("2026-01-01");

Deno.test("a list answers in key order, at most its limit, from either end", async () => {
  await using test = await openTestStore();
  const { store } = test;
  await store.transact((tx) => {
    for (const id of ["c", "a", "d", "b"]) {
      tx.accounts.save(account(id, `${id}@x.example`));
    }
  });
  const ids = async (options: Parameters<Store["listAccounts"]>[0]) =>
    (await store.listAccounts(options)).map(({ id }) => id).join("");
  assertEquals(await ids({ limit: 10 }), "abcd");
  assertEquals(await ids({ limit: 4 }), "abcd");
  assertEquals(await ids({ limit: 3 }), "abc");
  assertEquals(await ids({ limit: 3, reverse: true }), "dcb");
});

Deno.test("a list refuses a limit that is no positive whole number", async () => {
  await using test = await openTestStore();
  for (const limit of [0, -1, 1.5, NaN, Infinity]) {
    await assertRejects(
      () => test.store.listAccounts({ limit }),
      InvariantBroken,
    );
  }
});

Deno.test("a list longer than a page is read page by page", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  const total = 2 * PAGE + 1;
  for (let from = 0; from < total; from += 400) {
    await store.transact((tx) => {
      for (let n = from; n < Math.min(from + 400, total); n++) {
        tx.bids.save(bid(first, String(n).padStart(5, "0")));
      }
    });
  }
  const read = async (limit: number, reverse = false) => {
    const before = kv.readCount;
    const bids = await store.listBids(first, { limit, reverse });
    return [
      bids.length,
      kv.readCount - before,
      bids.at(0)?.accountId,
      bids.at(-1)?.accountId,
    ];
  };
  assertEquals(await read(PAGE), [500, 1, "00000", "00499"]);
  assertEquals(await read(PAGE + 1), [501, 2, "00000", "00500"]);
  assertEquals(await read(10_000), [1_001, 3, "00000", "01000"]);
  assertEquals(await read(10_000, true), [1_001, 3, "01000", "00000"]);
});

Deno.test("a list does not leave its day, bid or account", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const second = addDays(first, 1);
  await store.transact((tx) => {
    tx.bids.save(bid(first, "a"));
    tx.bids.save(bid(second, "a"));
    tx.bidEvents.save(bidEvent("bid_1", 100));
    tx.bidEvents.save(bidEvent("bid_10", 100));
    tx.grants.save(grant("g1", "acc"));
    tx.grants.save(grant("g2", "acc2"));
  });
  assertEquals(await store.listBids(first, { limit: 9 }), [bid(first, "a")]);
  assertEquals((await store.listBidEvents("bid_1", { limit: 9 })).length, 1);
  assertEquals(await store.listGrants("acc", { limit: 9 }), [
    grant("g1", "acc"),
  ]);
});

Deno.test("listBidEvents() orders amounts as numbers", async () => {
  await using test = await openTestStore();
  const { store } = test;
  await store.transact((tx) => {
    for (const cents of [1_000, 200, 99_999_999, 900]) {
      tx.bidEvents.save(bidEvent("bid_1", cents));
    }
  });
  const events = await store.listBidEvents("bid_1", { limit: 9 });
  assertEquals(
    events.map(({ amountCents }) => amountCents),
    [200, 900, 1_000, 99_999_999],
  );
});

Deno.test("listSpotlights() begins after the day it is given", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const days = [0, 1, 2, 3].map((n) => addDays(first, n));
  await store.transact((tx) =>
    days.forEach((each) => tx.spotlights.save(spotlight(each)))
  );
  const list = async (
    ...[after, options]: Parameters<Store["listSpotlights"]>
  ) => (await store.listSpotlights(after, options)).map((found) => found.day);
  assertEquals(await list(null, { limit: 9 }), days);
  assertEquals(await list(first, { limit: 9 }), days.slice(1));
  assertEquals(await list(first, { limit: 2 }), days.slice(1, 3));
  assertEquals(await list(addDays(first, -1), { limit: 9 }), days);
  assertEquals(await list(addDays(first, 3), { limit: 9 }), []);
  assertEquals(await list(first, { limit: 1, reverse: true }), days.slice(3));
  assertEquals(await list(day("9999-12-31"), { limit: 9 }), []);
});

Deno.test("listOpenSettlements() follows its index ten at a time, oldest first", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  const days = Array.from({ length: 23 }, (_, n) => addDays(first, n));
  await store.transact((tx) =>
    days.toReversed().forEach((each) => tx.settlements.save(settlement(each)))
  );
  const before = kv.readCount;
  const open = await store.listOpenSettlements({ limit: 100 });
  assertEquals(open.map((each) => each.day), days);
  assertEquals(kv.readCount - before, 1 + 3);
});

Deno.test("listOpenSettlements() leaves out one that is settled meanwhile", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => tx.settlements.save(settlement(first)));
  const gate = Promise.withResolvers<void>();
  const { store, kv } = test.another([{
    on: "read",
    key: keyOf("settlements"),
    fault: { kind: "hold", until: gate.promise },
  }]);
  const listed = store.listOpenSettlements({ limit: 10 });
  while (kv.readCount < 2) {
    await Promise.resolve().then(() => test.store.spotlightsVersion());
  }
  await test.store.transact((tx) =>
    tx.settlements.save(settlement(first, "settled"))
  );
  gate.resolve();
  assertEquals(await listed, []);
});

Deno.test("a page that meets a lock is read again, and no entry twice", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  await store.transact((tx) => tx.accounts.save(account("a", "a@x.example")));
  kv.inject({ on: "read", times: 3, fault: { kind: "locked" } });
  assertEquals((await store.listAccounts({ limit: 10 })).length, 1);
});
