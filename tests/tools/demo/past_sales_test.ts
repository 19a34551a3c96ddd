import { assert, assertEquals } from "@std/assert";
import { addDays, type Day, DAY_MS, dayOf } from "../../../domain/day.ts";
import { invoiceStatus } from "../../../domain/invoices/invoice_status.ts";
import { listOwnInvoices } from "../../../domain/invoices/list_own_invoices.ts";
import type { Services } from "../../../domain/ports.ts";
import { compareDay } from "../../../domain/reconciliation/compare_day.ts";
import { listReports } from "../../../domain/reports/read_reports.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import type { AtMoment } from "../../../tools/demo/past_sales.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { isCrash } from "../../support/faults.ts";

const LIMIT = { limit: 1_000 };
/** As far back as the bid whose card is refused. */
const INPUT = { days: 19, seed: 1 };

/** The simulator's time is that of the world. */
function atOf({ clock }: AuctionWorld): AtMoment {
  return async (atMs, run) => {
    const nowMs = clock.now();
    clock.set(atMs);
    try {
      return await run();
    } finally {
      clock.set(nowMs);
    }
  };
}

/** Every invoice of everybody. */
async function invoicesOf(services: Services) {
  const accounts = await services.store.listAccounts(LIMIT);
  const lists = accounts.map(({ id: accountId }) =>
    listOwnInvoices(services, { accountId, limit: 1_000, before: null })
  );
  return (await Promise.all(lists)).flat();
}

Deno.test("fillStore() charges the winners of past days at the processor, each on its day", async () => {
  await using world = await openAuctionWorld();
  const { services, simulator } = world;
  const { store } = services;
  await fillStore(services, INPUT, atOf(world));
  const invoices = await invoicesOf(services);
  const theirs = simulator.control.objects("invoice");
  assertEquals(invoices.length, theirs.length);
  const days = await store.listSpotlights(null, LIMIT);
  const paidDays = days.filter(({ accountId }) => accountId !== null);
  const byStatus = Object.groupBy(invoices, invoiceStatus);
  assertEquals(Object.keys(byStatus).toSorted(), ["paid", "refunded", "void"]);
  assertEquals(
    [byStatus.paid?.length, byStatus.refunded?.length, byStatus.void?.length],
    [paidDays.length - 1, 1, 1],
  );
  for (const { number, day, finalizedAtMs } of invoices) {
    assertEquals(dayOf(finalizedAtMs), day);
    assertEquals((await store.archiveTasks.find(number))?.state, "stored");
  }
  const numbers = invoices.toSorted((a, b) => a.finalizedAtMs - b.finalizedAtMs)
    .map(({ number }) => number);
  assertEquals(numbers, numbers.toSorted());
});

Deno.test("fillStore() leaves reports whose spend is on invoices, and clicks by hour and country", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await fillStore(services, INPUT, atOf(world));
  let lines = 0;
  for (const { id: accountId } of await services.store.listAccounts(LIMIT)) {
    const reports = await listReports(services, {
      accountId,
      from: addDays(AUCTION_DAY, -30),
      to: AUCTION_DAY,
      limit: 100,
      before: null,
    });
    for (const { day, spend, humanClicks, countries, removedAtMs } of reports) {
      lines += 1;
      assert(spend.invoiceNumber !== null, day);
      const back = removedAtMs === null ? 0 : spend.totalCents;
      assertEquals(spend.refundedCents, back);
      assert(humanClicks > 0 && countries > 0, day);
    }
  }
  assert(lines > 10, `${lines}`);
});

Deno.test("the books of a filled store agree with the processor's, every night", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await fillStore(services, INPUT, atOf(world));
  const differences = async (day: Day) =>
    (await compareDay(services, day)).differences;
  for (let ago = INPUT.days + 1; ago > 0; ago--) {
    assertEquals(await differences(addDays(AUCTION_DAY, -ago)), []);
  }
  clock.advance(DAY_MS);
  assertEquals(await differences(AUCTION_DAY), []);
});

Deno.test("fillStore() charges nobody twice for a day when it takes up again after a crash", async () => {
  for (const crash of [2, 3, 4]) {
    await using world = await openAuctionWorld();
    const { services, testStore, simulator } = world;
    testStore.kv.crashAt({ commit: crash, when: "before" });
    const crashed = await fillStore(services, INPUT, atOf(world))
      .then(() => false, (error) => {
        if (!isCrash(error)) throw error;
        return true;
      });
    assert(crashed, `commit ${crash}`);
    const again = world.another().services;
    await fillStore(again, INPUT, atOf(world));
    const bids = simulator.control.objects("invoice")
      .map(({ metadata }) => metadata["bid_id"]);
    assertEquals(new Set(bids).size, bids.length);
    assertEquals((await invoicesOf(again)).length, bids.length);
    const yesterday = addDays(AUCTION_DAY, -1);
    assertEquals((await compareDay(again, yesterday)).differences, []);
  }
});
