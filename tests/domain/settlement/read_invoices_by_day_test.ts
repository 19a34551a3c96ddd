import { assertEquals } from "@std/assert";
import { addDays, type Day } from "../../../domain/day.ts";
import { readInvoicesByDay } from "../../../domain/settlement/read_invoices_by_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";
import { candidateOf, saveTried } from "../../support/tried_day.ts";

/** The day of the tests' clock. */
const TODAY = AUCTION_DAY;
const dayAt = (nth: number) => addDays(TODAY, nth);

/** A store that launched so many days ago, with a paid invoice on each of these. */
async function openDays(
  launchedAgo: number,
  days: readonly number[],
): Promise<TestStore> {
  const test = await openTestStore();
  await test.store.transact((tx) => {
    tx.calendar.save({
      launchDay: dayAt(-launchedAgo),
      settledThroughDay: null,
    });
    for (const nth of days) {
      const day = dayAt(nth);
      const invoice = invoiceOf("acc_ada", `S${day}`, { day });
      tx.invoices.save(invoice);
      const candidate = candidateOf(invoice);
      // Its second candidate's invoice is not there.
      const candidates = [candidate, { ...candidate, invoiceId: "in_none" }];
      saveTried(tx, { day, state: "settled", candidates });
    }
    return Promise.resolve();
  });
  return test;
}

/** The days of a page's invoices, and the day that the next one begins with. */
async function page(
  test: TestStore,
  { from = null, until = null }: { from?: Day | null; until?: Day | null } = {},
  limit = 9,
): Promise<[days: Day[], next: Day | null]> {
  const filter = { from, until, isWanted: () => true };
  const { invoices, next } = await readInvoicesByDay(test, filter, limit);
  return [invoices.map(({ day }) => day), next];
}

Deno.test("invoices of 62 days are read for a page, and the next begins with the day before", async () => {
  await using test = await openDays(62, [0, -61, -62]);
  assertEquals(await page(test), [[dayAt(0), dayAt(-61)], dayAt(-62)]);
  const rest = { until: dayAt(-62) };
  assertEquals(await page(test, rest), [[dayAt(-62)], null]);
  const before = { until: dayAt(-63) };
  assertEquals(await page(test, before), [[], null]);
});

Deno.test("a page of invoices ends with the day that fills it, and the last one with the launch", async () => {
  await using test = await openDays(3, [0, -1, -3]);
  assertEquals(await page(test, {}, 1), [[dayAt(0)], dayAt(-1)]);
  assertEquals(await page(test, {}, 2), [[dayAt(0), dayAt(-1)], dayAt(-2)]);
  const all = [dayAt(0), dayAt(-1), dayAt(-3)];
  assertEquals(await page(test, {}, 3), [all, null]);
  assertEquals(await page(test, {}, 4), [all, null]);
});

Deno.test("invoices are read between the launch and today, whatever days are asked for", async () => {
  await using test = await openDays(2, [1, 0, -1, -2, -3]);
  const days = [dayAt(0), dayAt(-1), dayAt(-2)];
  const wide = { from: dayAt(-9), until: dayAt(9) };
  assertEquals(await page(test, wide), [days, null]);
  const one = { from: dayAt(-1), until: dayAt(-1) };
  assertEquals(await page(test, one), [[dayAt(-1)], null]);
});
