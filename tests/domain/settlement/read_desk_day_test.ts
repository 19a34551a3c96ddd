import { assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import {
  readDeskDay,
  readDeskDays,
} from "../../../domain/settlement/read_desk_day.ts";
import {
  AUCTION_DAY,
  openAuctionWorld,
  TEST_SETTINGS,
} from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { openTestStore } from "../../support/store.ts";
import { candidateOf, saveTried } from "../../support/tried_day.ts";

/** The day of the tests' clock. */
const TODAY = AUCTION_DAY;
const dayAt = (nth: number) => addDays(TODAY, nth);

Deno.test("a day that nobody has opened may be opened today and on 31 days more, and is over tomorrow", async () => {
  await using test = await openTestStore();
  const services = { ...test, settings: TEST_SETTINGS };
  const seen: [isOpenable: boolean, isOver: boolean][] = [];
  for (const nth of [-1, 0, 31, 32]) {
    const { isOpenable, isOver } = await readDeskDay(services, {
      day: dayAt(nth),
    });
    seen.push([isOpenable, isOver]);
  }
  assertEquals(seen, [
    [false, true],
    [true, false],
    [true, false],
    [false, false],
  ]);
});

Deno.test("a day that is open is not to be opened again", async () => {
  await using world = await openAuctionWorld();
  await openAuction(world.services, { day: TODAY });
  const { isOpenable } = await readDeskDay(world.services, { day: TODAY });
  assertEquals(isOpenable, false);
});

Deno.test("a page of days begins with the day before the one that is named, or with today", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => {
    tx.calendar.save({ launchDay: dayAt(-20), settledThroughDay: null });
    return Promise.resolve();
  });
  const page = async (before: Day | null) => {
    const { days, older } = await readDeskDays({
      ...test,
      settings: TEST_SETTINGS,
    }, { before });
    return [days[0]?.day, days.length, older];
  };
  const newest = [TODAY, 14, dayAt(-13)];
  assertEquals(await page(null), newest);
  assertEquals(await page(dayAt(9)), newest);
  assertEquals(await page(dayAt(1)), newest);
  assertEquals(await page(TODAY), [dayAt(-1), 14, dayAt(-14)]);
  assertEquals(await page(dayAt(-13)), [dayAt(-14), 7, null]);
  assertEquals(await page(dayAt(-20)), [undefined, 0, null]);
});

Deno.test("of a candidate's payment twenty entries are shown", async () => {
  await using test = await openTestStore();
  const paymentId = "pi_1";
  const invoice = invoiceOf("acc_ada", "S-1", { paymentId });
  await test.store.transact((tx) => {
    tx.invoices.save(invoice);
    saveTried(tx, {
      day: TODAY,
      state: "settled",
      candidates: [candidateOf(invoice)],
    });
    for (let nth = 0; nth < 21; nth++) {
      bookEntry(tx, {
        id: `e${nth}`,
        atMs: nth,
        kind: "sale",
        paymentId,
        movement: { processor_clearing: 1, spotlight_revenue: -1 },
      });
    }
    return Promise.resolve();
  });
  const { candidates } = await readDeskDay(
    { ...test, settings: TEST_SETTINGS },
    {
      day: TODAY,
    },
  );
  assertEquals(candidates.map(({ entries }) => entries.length), [20]);
});
