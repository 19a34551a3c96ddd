/** How much of the books is read for a month, to the entry and the millisecond. */
import { assertEquals } from "@std/assert";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import type { Month } from "../../../domain/month.ts";
import type { Store } from "../../../domain/ports.ts";
import {
  readMonthBooks,
  readMonthEntries,
  readMonthPage,
} from "../../../domain/reconciliation/read_month_books.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const MONTH = "2026-11" as Month;
const IN_MONTH_MS = Date.parse("2026-11-10T00:00:00.000Z");

/** An entry without lines: what is read of it is counted only. */
function entry(nth: number): LedgerEntry {
  return {
    id: `e${nth}`,
    atMs: IN_MONTH_MS,
    reason: "",
    kind: "sale",
    paymentId: null,
    lines: [],
  };
}

/** A store with so many entries in November, of which it is noted how many are read. */
function crowded({ store, clock }: TestStore, total: number) {
  const limits: number[] = [];
  const listLedgerBetween: Store["listLedgerBetween"] = (
    _fromMs,
    untilMs,
    { limit, before },
  ) => {
    if (untilMs < IN_MONTH_MS) return Promise.resolve([]);
    limits.push(limit);
    const from = before ? Number(before.id.slice(1)) + 1 : 0;
    const length = Math.min(limit, total - from);
    return Promise.resolve(
      Array.from({ length }, (_, nth) => entry(from + nth)),
    );
  };
  return { clock, store: { ...store, listLedgerBetween }, limits };
}

async function book(
  { store }: TestStore,
  at: string,
  cents: number,
): Promise<void> {
  await store.transact((tx) =>
    bookEntry(tx, {
      id: at,
      atMs: Date.parse(at),
      kind: "sale",
      paymentId: `pi_${at}`,
      movement: { processor_clearing: cents, spotlight_revenue: -cents },
    })
  );
}

Deno.test("a month is added up to 499,999 entries, a thousand at once, and of more its books are refused", async () => {
  await using test = await openTestStore();
  const most = crowded(test, 499_999);
  await readMonthBooks(most, MONTH);
  assertEquals(most.limits, Array(500).fill(1_000));
  const more = crowded(test, 500_000);
  await assertRefused(() => readMonthBooks(more, MONTH), "invalid_input");
});

Deno.test("a month's entries are read at once where there are fewer than 20,000", async () => {
  await using test = await openTestStore();
  const read = await readMonthEntries(crowded(test, 19_999), MONTH);
  assertEquals(read.length, 19_999);
  await assertRefused(
    () => readMonthEntries(crowded(test, 20_000), MONTH),
    "invalid_input",
  );
});

Deno.test("a page of a month reads one entry more than it has, and of one kind two thousand", async () => {
  await using test = await openTestStore();
  const page = async (total: number, kind: "refund" | "sale" | null) => {
    const given = crowded(test, total);
    const asked = { kind, before: null, limit: 3 };
    const { entries, next } = await readMonthPage(given, MONTH, asked);
    return [entries.length, next?.id, ...given.limits];
  };
  assertEquals(await page(3, null), [3, undefined, 4]);
  assertEquals(await page(4, null), [3, "e2", 4]);
  assertEquals(await page(2_000, "sale"), [3, "e2", 2_000]);
  assertEquals(await page(2_000, "refund"), [0, "e1999", 2_000]);
  assertEquals(await page(1_999, "refund"), [0, undefined, 2_000]);
});

Deno.test("books begin at most ten years before a month", async () => {
  for (
    const [at, isRead] of [
      ["2016-11-01T00:00:00.000Z", true],
      ["2016-10-31T23:59:59.999Z", false],
    ] as const
  ) {
    await using test = await openTestStore();
    await book(test, at, 1);
    const read = () => readMonthBooks(test, MONTH);
    if (!isRead) await assertRefused(read, "invalid_input");
    else assertEquals((await read()).opening.processor_clearing, 1);
  }
});

Deno.test("a month's end is kept from the eighth day after it on, and read from then on", async () => {
  await using test = await openTestStore();
  const { store, clock } = test;
  await book(test, "2026-10-31T23:59:59.999Z", 1);
  const month = "2026-10" as Month;
  clock.set("2026-11-07T23:59:59.999Z");
  await readMonthBooks(test, MONTH);
  assertEquals(await store.monthBalances.find(month), null);
  clock.advance(1);
  const keptAtMs = clock.now();
  await readMonthBooks(test, MONTH);
  const closing = { processor_clearing: 1, spotlight_revenue: -1 };
  const kept = { month, closing, keptAtMs };
  assertEquals(await store.monthBalances.find(month), kept);
  const otherwise = { processor_clearing: 2, spotlight_revenue: -2 };
  await store.transact((tx) =>
    tx.monthBalances.save({ ...kept, closing: otherwise })
  );
  assertEquals((await readMonthBooks(test, MONTH)).opening, otherwise);
});

Deno.test("a month has books from its first millisecond on", async () => {
  await using test = await openTestStore();
  const month = "2026-12" as Month;
  test.clock.set("2026-12-01T00:00:00.000Z");
  assertEquals((await readMonthBooks(test, month)).closing, {});
  for (const first of ["1970-01", "1970-02"]) {
    const { closing } = await readMonthBooks(test, first as Month);
    assertEquals(closing, {}, first);
  }
});
