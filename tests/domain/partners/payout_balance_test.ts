import { assert, assertEquals, assertThrows } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import type { Month } from "../../../domain/month.ts";
import {
  beginPayout,
  payoutCents,
  withoutPayout,
  withPaidPayout,
  withPayout,
  withReserved,
  withReturnedPayout,
  withTransfer,
} from "../../../domain/partners/payout_balance.ts";
import { MARCH_3, payoutOf, released } from "../../support/partner_books.ts";

Deno.test("while something is withheld a payout is in steps of EUR 50, so that it does not tell how much", () => {
  for (const taken of [1, 999, 4_999]) {
    const books = released([10_000, 20_000, 30_000]);
    books.earn(0, 10_000 - taken, MARCH_3);
    assertEquals(payoutCents(books.balance), 55_000);
  }
});

Deno.test("what was taken back after a payout was asked for is not sent", () => {
  const books = released([10_000, 20_000, 30_000]);
  const payout = payoutOf(books.balance, 60_000);
  books.balance = withPayout(books.balance, payout);
  assertEquals(books.states(), ["requested", "requested", "requested"]);
  books.earn(1, 0, MARCH_3);
  const sent = beginPayout({ balance: books.balance, payout });
  assertEquals(sent.payout.state, "sending");
  assertEquals(sent.payout.amountCents, 40_000);
  assertEquals(sent.balance.payableCents, 20_000);
  assertEquals(payoutCents(sent.balance), 0);
});

Deno.test("a payout of which less than EUR 50 is left is canceled", () => {
  const books = released([1_000, 2_000, 3_000]);
  const payout = payoutOf(books.balance, 6_000);
  books.balance = withPayout(books.balance, payout);
  books.earn(2, 0, MARCH_3);
  const sent = beginPayout({ balance: books.balance, payout });
  assertEquals(sent.payout.state, "canceled");
  assertEquals(sent.balance.requestedCents, 0);
  assertEquals(sent.balance.payableCents, 6_000);
  assertEquals(sent.balance.openPayoutId, null);
});

Deno.test("a payout of which EUR 50 is left is sent", () => {
  const books = released([1_000, 2_000, 3_000]);
  const payout = payoutOf(books.balance, 6_000);
  books.balance = withPayout(books.balance, payout);
  books.earn(0, 0, MARCH_3);
  const sent = beginPayout({ balance: books.balance, payout });
  assertEquals([sent.payout.state, sent.payout.amountCents], [
    "sending",
    5_000,
  ]);
});

Deno.test("a payout that fails, and one that comes back, are payable again", () => {
  const books = released([10_000, 20_000, 30_000]);
  const asked = payoutOf(books.balance, 60_000);
  const sending = beginPayout({
    balance: withPayout(books.balance, asked),
    payout: asked,
  });
  const failed = withoutPayout(sending, "failed");
  assertEquals(failed.balance, books.balance);
  const paid = withPaidPayout(sending);
  const part = withReturnedPayout(paid, 20_000);
  assertEquals(part.payout.state, "paid");
  assertEquals(part.balance.payableCents, 20_000);
  assertEquals(part.balance.paidThrough, paid.balance.paidThrough);
  const back = withReturnedPayout(part, 60_000);
  assertEquals(back.payout.state, "returned");
  assertEquals(back.balance, books.balance);
  // The same reversal, told twice.
  assertEquals(withReturnedPayout(back, 60_000), back);
});

Deno.test("a payout that comes back once a later one is open, or paid, leaves those months as they are", () => {
  const books = released([10_000, 20_000, 30_000]);
  const first = payoutOf(books.balance, 60_000);
  const paid = withPaidPayout(
    beginPayout({ balance: withPayout(books.balance, first), payout: first }),
  );
  books.balance = paid.balance;
  for (const nth of [3, 4, 5]) books.earn(nth, 12_000, MARCH_3);
  assert(books.release(MARCH_3 + 90 * DAY_MS) !== null);
  const second = { ...payoutOf(books.balance, 36_000), id: "po_2" };
  const open = withPayout(books.balance, second);
  const later = withPaidPayout(beginPayout({ balance: open, payout: second }));
  for (const before of [open, later.balance]) {
    const { balance, payout } = withReturnedPayout(
      { balance: before, payout: paid.payout },
      60_000,
    );
    assertEquals(payout.state, "returned");
    assertEquals(balance, {
      ...before,
      payableCents: 60_000,
      paidCents: before.paidCents - 60_000,
    });
  }
});

Deno.test("a second payout beside an open one, and one below EUR 50, are bugs", () => {
  const books = released([10_000, 20_000, 30_000]);
  const small = payoutOf(books.balance, 4_999);
  assertThrows(() => withPayout(books.balance, small), InvariantBroken);
  const first = payoutOf(books.balance, 10_000);
  const open = withPayout(books.balance, first);
  assertThrows(() => withPayout(open, first), InvariantBroken);
});

Deno.test("a transfer that is found begins a payout that was asked for, and one that is being sent takes its amount", () => {
  const books = released([10_000, 20_000, 30_000]);
  const asked = payoutOf(books.balance, 60_000);
  const balance = withPayout(books.balance, asked);
  for (const state of ["requested", "sending"] as const) {
    const found = withTransfer(
      { balance, payout: { ...asked, state } },
      50_000,
    );
    assertEquals(found.payout, {
      ...asked,
      state: "sending",
      amountCents: 50_000,
    });
    assertEquals(found.balance.payableCents, 10_000);
  }
});

Deno.test("payouts that are found in another order than they were made leave the later month, and the one that is open", () => {
  const books = released([10_000, 20_000, 30_000]);
  const open = { ...payoutOf(books.balance, 10_000), id: "po_open" };
  const standing = withPayout(books.balance, open);
  const earlier = {
    ...payoutOf(books.balance, 70_000),
    id: "po_earlier",
    throughMonth: "2025-12" as Month,
  };
  const reserved = withReserved(standing, earlier);
  assertEquals(reserved.requestedThrough, standing.requestedThrough);
  assertEquals(reserved.payableCents, -20_000);
  const { balance } = withPaidPayout({
    balance: { ...reserved, paidThrough: open.throughMonth },
    payout: { ...earlier, state: "sending" },
  });
  assertEquals(balance.paidThrough, open.throughMonth);
  assertEquals(balance.openPayoutId, "po_open");
  assertEquals(balance.requestedCents, 10_000);
});
