import { assert, assertEquals, assertRejects } from "@std/assert";
import { Contention } from "../../../domain/failure.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import type { Movement } from "../../../domain/ledger/entry.ts";
import type { Month } from "../../../domain/month.ts";
import type { Store } from "../../../domain/ports.ts";
import type { Candidate } from "../../../domain/settlement/settlement.ts";
import type { Balances } from "../../../domain/reconciliation/month_balances.ts";
import {
  readMonthBooks,
  readMonthEntries,
  readMonthPage,
} from "../../../domain/reconciliation/read_month_books.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { ManualClock } from "../../support/clock.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";
import { candidateOf, saveTried } from "../../support/tried_day.ts";

const month = (text: string) => text as Month;

const sumOf = (balances: Balances) =>
  Object.values(balances).reduce((sum, cents) => sum + cents, 0);

async function book(
  { store }: Pick<TestStore, "store">,
  id: string,
  at: string,
  movement: Movement,
): Promise<void> {
  await store.transact((tx) =>
    bookEntry(tx, {
      id,
      atMs: Date.parse(at),
      kind: "sale",
      paymentId: id.startsWith("sealed") ? "pi_sealed" : `pi_${id}`,
      movement,
    })
  );
}

/** Sales in September, October and November, on the edges of months too. */
async function openBooks(): Promise<TestStore> {
  const test = await openTestStore();
  const sale = (cents: number): Movement => ({
    processor_clearing: cents,
    spotlight_revenue: -cents,
  });
  await book(test, "a", "2026-09-15T10:00:00.000Z", sale(100));
  await book(test, "b", "2026-09-30T23:59:59.999Z", sale(20));
  await book(test, "c", "2026-10-01T00:00:00.000Z", {
    processor_clearing: -20,
    spotlight_revenue: 20,
  });
  await book(test, "d", "2026-11-19T10:00:00.000Z", sale(7));
  return test;
}

Deno.test("the books of a month begin where those of the month before end, and sum to zero", async () => {
  await using test = await openBooks();
  const months = ["2026-08", "2026-09", "2026-10", "2026-11"];
  const cleared: number[] = [];
  let before: Balances = {};
  for (const each of months) {
    const books = await readMonthBooks(test, month(each));
    assertEquals(books.opening, before, each);
    assertEquals([sumOf(books.opening), sumOf(books.closing)], [0, 0]);
    cleared.push(books.closing.processor_clearing ?? 0);
    before = books.closing;
  }
  assertEquals(cleared, [0, 120, 100, 107]);
});

Deno.test("a month has the entries of its first and of its last millisecond", async () => {
  await using test = await openBooks();
  const idsOf = async (of: string) =>
    (await readMonthEntries(test, month(of))).map(({ id }) => id);
  assertEquals(await idsOf("2026-09"), ["a", "b"]);
  assertEquals(await idsOf("2026-10"), ["c"]);
});

Deno.test("what a month that is over ended with is kept, and that of the present one is not", async () => {
  await using test = await openBooks();
  await readMonthBooks(test, month("2026-11"));
  const { store } = test;
  const kept = await store.monthBalances.find(month("2026-10"));
  assertEquals(kept?.closing, {
    processor_clearing: 100,
    spotlight_revenue: -100,
  });
  assertEquals(await store.monthBalances.find(month("2026-11")), null);
  await store.transact((tx) => tx.monthBalances.remove(kept ?? never()));
  const again = await readMonthBooks(test, month("2026-11"));
  assertEquals(again.opening, kept?.closing);
});

Deno.test("what a clock that was ahead saw of a month is not taken for its end", async () => {
  for (
    const ahead of ["2026-12-01T01:00:01.000Z", "2026-12-10T00:00:00.000Z"]
  ) {
    const clock = new ManualClock("2026-11-30T22:30:00.000Z");
    await using test = await openTestStore({ clock });
    const movement = { processor_clearing: 1, spotlight_revenue: -1 };
    await book(test, "a", "2026-11-30T22:30:00.000Z", movement);
    clock.set(ahead);
    await readMonthBooks(test, month("2026-12"));
    // It is right again, and what was sold that evening is booked.
    await book(test, "b", "2026-11-30T23:57:00.000Z", movement);
    clock.set("2026-12-05T00:00:00.000Z");
    const { opening } = await readMonthBooks(test, month("2026-12"));
    assertEquals(opening.processor_clearing, 2, ahead);
    clock.set("2027-01-05T00:00:00.000Z");
    const later = await readMonthBooks(test, month("2026-12"));
    assertEquals(later.opening, opening);
    const kept = await test.store.monthBalances.find(month("2026-11"));
    assertEquals(kept?.closing, opening);
  }
});

Deno.test("a month that has not begun has no books", async () => {
  await using test = await openBooks();
  await assertRefused(
    () => readMonthBooks(test, month("2026-12")),
    "invalid_input",
  );
});

function never(): never {
  throw new Error("it is kept");
}

Deno.test("a month's entries come in parts that join without a gap, also at one moment and of one kind", async () => {
  await using test = await openBooks();
  const at = "2026-11-20T10:00:00.000Z";
  const movement = { processor_clearing: 1, spotlight_revenue: -1 };
  for (let nth = 0; nth < 7; nth++) await book(test, `e${nth}`, at, movement);
  for (const kind of [null, "sale"] as const) {
    const seen: string[] = [];
    let before: { atMs: number; id: string } | null = null;
    do {
      const page: Awaited<ReturnType<typeof readMonthPage>> =
        await readMonthPage(test, month("2026-11"), { kind, before, limit: 3 });
      seen.push(...page.entries.map(({ id }) => id));
      before = page.next;
    } while (before !== null);
    const newestFirst = ["e6", "e5", "e4", "e3", "e2", "e1", "e0", "d"];
    assertEquals(seen, newestFirst, String(kind));
  }
  const none = { kind: "refund", before: null, limit: 3 } as const;
  assertEquals((await readMonthPage(test, month("2026-11"), none)).entries, []);
});

Deno.test("a month of more entries than are held at once is added up to the cent", async () => {
  await using test = await openBooks();
  for (let hundred = 0; hundred < 11; hundred++) {
    await test.store.transact((tx) => {
      for (let nth = 0; nth < 100; nth++) {
        bookEntry(tx, {
          id: `m${hundred * 100 + nth}`,
          atMs: Date.parse("2026-11-21T10:00:00.000Z"),
          kind: "sale",
          paymentId: null,
          movement: { demo_clearing: 1, spotlight_revenue: -1 },
        });
      }
      return Promise.resolve();
    });
  }
  const { closing } = await readMonthBooks(test, month("2026-11"));
  assertEquals(closing.demo_clearing, 1_100);
});

/**
 * Books beside a day whose settlement goes on.
 *
 * @param meanwhile what is booked before and after each look at the ledger
 */
async function openUnsettled(
  meanwhile: (test: TestStore, moment: number) => Promise<void>,
) {
  const test = await openBooks();
  const paid = invoiceOf("acc_ada", "S-1", { paymentId: "pi_sealed" });
  const candidate: Candidate = { ...candidateOf(paid), step: "paying" };
  await test.store.transact((tx) => {
    tx.invoices.save(paid);
    saveTried(tx, { day: paid.day, state: "running", candidates: [candidate] });
  });
  let moments = 0;
  const listLedgerBetween: Store["listLedgerBetween"] = async (...asked) => {
    await meanwhile(test, moments++);
    const found = await test.store.listLedgerBetween(...asked);
    await meanwhile(test, moments++);
    return found;
  };
  const store = { ...test.store, listLedgerBetween };
  return {
    clock: test.clock,
    store,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const SEALED: Movement = {
  processor_clearing: 5_000,
  spotlight_revenue: -5_000,
};

Deno.test("no payment under seal is told by a month's books, whenever while they are added up it is booked", async () => {
  for (let when = 0; when < 10; when++) {
    await using given = await openUnsettled((test, moment) =>
      moment === when
        ? book(test, "sealed", "2026-11-20T10:00:00.000Z", SEALED)
        : Promise.resolve()
    );
    const { closing } = await readMonthBooks(given, month("2026-11"));
    assertEquals(closing.processor_clearing, 107, String(when));
  }
});

Deno.test("while payments under seal are booked all the time, a month's books are to be asked for again", async () => {
  let booked = 0;
  await using given = await openUnsettled((test) =>
    book(test, `sealed${booked++}`, "2026-11-20T10:00:00.000Z", SEALED)
  );
  await assertRejects(
    () => readMonthBooks(given, month("2026-11")),
    Contention,
  );
});

Deno.test("what is booked under seal on the edges of a month is in none of its books", async () => {
  await using given = await openUnsettled(() => Promise.resolve());
  const edges = [
    "2026-09-30T23:59:59.999Z",
    "2026-10-01T00:00:00.000Z",
    "2026-10-31T23:59:59.999Z",
    "2026-11-01T00:00:00.000Z",
  ];
  for (const at of edges) await book(given, `sealed ${at}`, at, SEALED);
  const { opening, closing } = await readMonthBooks(given, month("2026-10"));
  assertEquals(opening.processor_clearing, 120);
  assertEquals(closing.processor_clearing, 100);
});

/** How often was looked for what is under seal, and whether there are books. */
async function looksAt(sealed: readonly (readonly string[])[]) {
  await using given = await openUnsettled(() => Promise.resolve());
  let looks = 0;
  const listLedgerOfPayment: Store["listLedgerOfPayment"] = () => {
    const ids = sealed[Math.min(looks++, sealed.length - 1)] ?? [];
    return Promise.resolve(ids.map((id) => ({
      id,
      atMs: 0,
      reason: "",
      kind: "sale" as const,
      paymentId: "pi_sealed",
      lines: [],
    })));
  };
  const store = { ...given.store, listLedgerOfPayment };
  const read = () => readMonthBooks({ ...given, store }, month("2026-11"));
  const isRead = await read().then(() => true, (error) => {
    assert(error instanceof Contention, String(error));
    return false;
  });
  return [looks, isRead];
}

Deno.test("a month is added up again, five times in all, until nothing under seal has come or gone meanwhile", async () => {
  assertEquals(await looksAt([["a"]]), [2, true]);
  assertEquals(await looksAt([["a"], ["b"]]), [3, true]);
  assertEquals(await looksAt([["a", "b"], ["a"]]), [3, true]);
  assertEquals(await looksAt([["a"], ["a", "b"]]), [3, true]);
  const [a, b] = [["a"], ["b"]];
  assertEquals(await looksAt([a, b, a, b, a]), [6, true]);
  assertEquals(await looksAt([a, b, a, b, a, b]), [6, false]);
});
