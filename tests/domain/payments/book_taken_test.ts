import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import {
  bookRefundFailure,
  bookRefunds,
  bookTaken,
  type Taken,
} from "../../../domain/payments/book_taken.ts";
import {
  NOTHING_RETURNED,
  type Returned,
} from "../../../domain/payments/returned.ts";
import type { Transaction } from "../../../domain/ports.ts";

const SOLD: Taken = {
  paymentId: "pi_1",
  grossCents: 12_100,
  vatCents: 2_100,
  revenue: "spotlight_revenue",
};
const UNEARNED: Taken = { ...SOLD, revenue: null };

/** Books of one payment. */
class Books {
  readonly entries: LedgerEntry[] = [];
  readonly tx = {
    ledger: { save: (entry: LedgerEntry) => void this.entries.push(entry) },
  } as unknown as Pick<Transaction, "ledger">;

  balances(): Record<string, number> {
    const accounts = this.entries.flatMap(({ lines }) =>
      lines.map(({ account }) => account)
    );
    return Object.fromEntries(
      [...new Set(accounts)].map((account) =>
        [account, balanceOf(this.entries, account)] as const
      ).filter(([, cents]) => cents !== 0),
    );
  }
}

Deno.test("bookTaken() books a sale without its VAT, and money that bought nothing as owed", () => {
  const sold = new Books();
  bookTaken(sold.tx, "sale:1", SOLD, 5);
  assertEquals(sold.entries, [{
    id: "sale:1",
    atMs: 5,
    kind: "sale",
    paymentId: "pi_1",
    reason: "sale:1",
    lines: [
      { account: "processor_clearing", amountCents: 12_100 },
      { account: "spotlight_revenue", amountCents: -10_000 },
      { account: "vat_payable", amountCents: -2_100 },
    ],
  }]);
  const late = new Books();
  bookTaken(late.tx, "late:1", UNEARNED, 5);
  assertEquals(late.entries[0]?.kind, "late_payment");
  assertEquals(late.balances(), {
    processor_clearing: 12_100,
    refunds_due: -12_100,
  });
});

Deno.test("bookRefunds() books each refund once, with its part of the VAT", () => {
  const books = new Books();
  bookTaken(books.tx, "sale:1", SOLD, 5);
  const first = { id: "re_1", amountCents: 6_050 };
  const some = bookRefunds(books.tx, SOLD, NOTHING_RETURNED, [first], 6);
  assertEquals(some.refunds, [first]);
  assertEquals(books.entries.at(-1), {
    id: "refund:re_1",
    atMs: 6,
    kind: "refund",
    paymentId: "pi_1",
    reason: "refund:re_1",
    lines: [
      { account: "processor_clearing", amountCents: -6_050 },
      { account: "spotlight_revenue", amountCents: 5_000 },
      { account: "vat_payable", amountCents: 1_050 },
    ],
  });
  const second = { id: "re_2", amountCents: 6_050 };
  const all = bookRefunds(books.tx, SOLD, some, [second, first], 7);
  assertEquals(all.refunds, [first, second]);
  assertEquals(books.entries.length, 3);
  assertEquals(books.balances(), {});
});

Deno.test("refunds of any parts take back the VAT of the whole, to the cent", () => {
  const amount = fc.integer({ min: 2, max: 1_000_000 });
  fc.assert(fc.property(
    amount,
    fc.double({ min: 0, max: 0.5, noNaN: true }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
    (grossCents, rate, cuts) => {
      const vatCents = Math.floor(grossCents * rate);
      const taken = { ...SOLD, grossCents, vatCents };
      const books = new Books();
      bookTaken(books.tx, "sale:1", taken, 5);
      const places = cuts.map((cut) => Math.round(cut * grossCents));
      const ends = [...places.toSorted((a, b) => a - b), grossCents];
      const parts = ends.map((end, nth) => end - (ends[nth - 1] ?? 0))
        .filter((cents) => cents > 0);
      const found = parts.map((amountCents, nth) => ({
        id: `re_${nth}`,
        amountCents,
      }));
      bookRefunds(books.tx, taken, NOTHING_RETURNED, found, 6);
      assertEquals(books.balances(), {});
    },
  ));
});

for (const taken of [SOLD, UNEARNED]) {
  const what = taken.revenue === null ? "of what bought nothing" : "of a sale";
  Deno.test(`bookRefundFailure() leaves the books as if the refund ${what} had never been made`, () => {
    const books = new Books();
    bookTaken(books.tx, "taken:1", taken, 5);
    const refunds = [
      { id: "re_1", amountCents: 33 },
      { id: "re_2", amountCents: 777 },
    ];
    const kept = bookRefunds(
      books.tx,
      taken,
      NOTHING_RETURNED,
      refunds.slice(0, 1),
      6,
    );
    const before = books.balances();
    const [, failed] = refunds;
    if (failed === undefined) throw new Error("there are two");
    const both = bookRefunds(books.tx, taken, kept, refunds, 7);
    const after = bookRefundFailure(books.tx, taken, both, failed, 8);
    assertEquals(books.balances(), before);
    assertEquals(after.refunds, kept.refunds);
    assertEquals(after.failedRefunds, ["re_2"]);
    const { length } = books.entries;
    // Told again, or found in an older list, it is known.
    assertEquals(bookRefundFailure(books.tx, taken, after, failed, 9), after);
    bookRefunds(books.tx, taken, after, refunds, 9);
    assertEquals(books.entries.length, length);
  });
}

Deno.test("bookRefundFailure() books a refund that nobody knew of both ways, under ids of their own", () => {
  const books = new Books();
  bookTaken(books.tx, "sale:1", SOLD, 5);
  const before = books.balances();
  const failed = { id: "re_1", amountCents: 12_100 };
  const after: Returned = bookRefundFailure(
    books.tx,
    SOLD,
    NOTHING_RETURNED,
    failed,
    6,
  );
  assertEquals(books.balances(), before);
  assertEquals([after.refunds, after.failedRefunds], [[], ["re_1"]]);
  const [, made, back] = books.entries;
  assertEquals([made?.kind, back?.kind], ["refund", "refund"]);
  assertEquals(made?.id !== back?.id, true);
  assertEquals([made?.paymentId, back?.paymentId], ["pi_1", "pi_1"]);
});
