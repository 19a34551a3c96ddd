import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { monthOf } from "../../../domain/month.ts";
import {
  earnedCents,
  presentMonth,
  statementDueAtMs,
  withStatement,
} from "../../../domain/partners/partner_balance.ts";
import {
  beginPayout,
  payoutCents,
  withPaidPayout,
  withPayout,
} from "../../../domain/partners/payout_balance.ts";
import {
  Books,
  JANUARY,
  MARCH_3,
  payoutOf,
  released,
} from "../../support/partner_books.ts";

Deno.test("a statement is made once the last commission of its month has been pending for 30 days", () => {
  const books = new Books();
  for (const nth of [0, 1, 2]) books.earn(nth, 1_000, JANUARY);
  const dueAtMs = Date.parse("2026-03-03T00:00:00.000Z");
  assertEquals(statementDueAtMs(books.balance), dueAtMs);
  assertEquals(books.release(dueAtMs - 1), null);
  assertEquals(books.states(), ["pending", "pending", "pending"]);
  assertEquals(books.release(dueAtMs), {
    partnerId: "acc_p",
    number: 1,
    fromMonth: monthOf(JANUARY),
    throughMonth: monthOf(JANUARY),
    amountCents: 3_000,
    takenBackCents: 0,
    invoices: 3,
    releasedAtMs: dueAtMs,
  });
  assertEquals(books.states(), ["payable", "payable", "payable"]);
  assertEquals(books.balance.payableCents, 3_000);
  assertEquals(books.release(dueAtMs), null);
});

Deno.test("a month of fewer than three invoices is carried into the next statement", () => {
  const books = new Books();
  books.earn(0, 1_000, JANUARY);
  books.earn(1, 500, JANUARY + 31 * DAY_MS);
  assertEquals(books.release(JANUARY + 300 * DAY_MS), null);
  books.earn(2, 30, JANUARY + 305 * DAY_MS);
  const statement = books.release(JANUARY + 360 * DAY_MS);
  assertEquals(statement?.fromMonth, "2026-01");
  assertEquals(statement?.throughMonth, "2026-11");
  assertEquals(statement?.amountCents, 1_000);
  assertEquals(books.balance.restCents, 530);
});

Deno.test("what was carried for 12 months is told and payable, however few invoices it is of", () => {
  const books = new Books();
  books.earn(0, 1_000, JANUARY);
  const dueAtMs = Date.parse("2027-03-03T00:00:00.000Z");
  assertEquals(statementDueAtMs(books.balance), dueAtMs);
  assertEquals(books.release(dueAtMs - 1), null);
  assertEquals(books.release(dueAtMs)?.amountCents, 1_000);
});

Deno.test("with what was carried for 12 months goes what else was carried, in one statement", () => {
  const books = new Books();
  books.earn(0, 1_000, JANUARY);
  books.earn(1, 1_000, JANUARY + 90 * DAY_MS);
  const statement = books.release(Date.parse("2027-03-03T00:00:00.000Z"));
  assertEquals(statement?.fromMonth, "2026-01");
  assertEquals(statement?.throughMonth, "2026-04");
  assertEquals([statement?.amountCents, statement?.invoices], [2_000, 2]);
  assertEquals(books.balance.months, []);
});

Deno.test("what was carried for 12 months does not take a month along that is pending", () => {
  const books = new Books();
  books.earn(0, 1_000, JANUARY);
  books.earn(1, 500, JANUARY + 390 * DAY_MS);
  const statement = books.release(Date.parse("2027-03-03T00:00:00.000Z"));
  assertEquals(statement?.amountCents, 1_000);
  assertEquals(books.balance.months.map(({ month }) => month), ["2027-02"]);
});

Deno.test("each month of three invoices has a statement of its own, however late they are made", () => {
  const books = new Books();
  for (let nth = 0; nth < 6; nth++) {
    books.earn(nth, 1_000, nth < 3 ? JANUARY : JANUARY + 31 * DAY_MS);
  }
  for (const month of ["2026-01", "2026-02"]) {
    const statement = books.release(JANUARY + 300 * DAY_MS);
    assertEquals([statement?.fromMonth, statement?.throughMonth], [
      month,
      month,
    ]);
  }
  assertEquals(books.release(JANUARY + 300 * DAY_MS), null);
});

Deno.test("a commission that is reversed before its statement is in none", () => {
  const books = new Books();
  for (const nth of [0, 1, 2, 3]) books.earn(nth, 1_000, JANUARY);
  books.earn(0, 0, JANUARY + 20 * DAY_MS);
  assertEquals(books.states()[0], "reversed");
  assertEquals(books.release(MARCH_3)?.amountCents, 3_000);
  assertEquals(books.balance.payableCents, 3_000);
});

Deno.test("a month whose reversed commissions leave fewer than three is carried", () => {
  const books = new Books();
  for (const nth of [0, 1, 2]) books.earn(nth, 1_000, JANUARY);
  books.earn(0, 0, JANUARY + 20 * DAY_MS);
  assertEquals(books.release(MARCH_3), null);
});

Deno.test("a commission that is reversed when it is payable is not paid, and no total tells it before the next statement", () => {
  const books = released([10_000, 20_000, 30_000]);
  assertEquals(payoutCents(books.balance), 60_000);
  books.earn(0, 0, MARCH_3);
  assertEquals(books.states(), ["reversed", "payable", "payable"]);
  assertEquals(books.balance.payableCents, 60_000);
  assertEquals(payoutCents(books.balance), 50_000);
  assertEquals(books.release(MARCH_3 + 90 * DAY_MS), null);
});

Deno.test("a commission that is reversed after it was paid leaves a debt that later ones pay back", () => {
  const books = released([10_000, 20_000, 30_000]);
  const asked = payoutOf(books.balance, 60_000);
  const balance = withPayout(books.balance, asked);
  const paid = withPaidPayout(beginPayout({ balance, payout: asked }));
  books.balance = paid.balance;
  assertEquals(books.states(), ["paid", "paid", "paid"]);
  books.earn(2, 0, MARCH_3);
  assertEquals(books.states()[2], "reversed");
  assert(payoutCents(books.balance) < 0);
  for (const nth of [3, 4, 5]) books.earn(nth, 12_000, MARCH_3);
  assertEquals(books.release(MARCH_3 + 90 * DAY_MS)?.amountCents, 6_000);
  assertEquals(payoutCents(books.balance), 6_000);
  assertEquals(earnedCents(books.balance), 66_000);
});

Deno.test("a won dispute brings a commission back, pending for another 30 days", () => {
  const books = released([10_000, 20_000, 30_000]);
  books.earn(0, 0, MARCH_3);
  books.earn(0, 10_000, MARCH_3 + DAY_MS);
  assertEquals(books.states()[0], "pending");
  assertEquals(payoutCents(books.balance), 50_000);
  for (const nth of [3, 4]) books.earn(nth, 100, MARCH_3);
  const statement = books.release(MARCH_3 + 90 * DAY_MS);
  // What is left of 10,200 less the 10,000 that were taken back.
  assertEquals(statement?.amountCents, 0);
  assertEquals(books.balance.restCents, 200);
  assertEquals(payoutCents(books.balance), 60_000);
});

Deno.test("a commission whose month is in no statement changes that month, though others are told and time has passed", () => {
  const books = released([10_000, 20_000, 30_000]);
  const [march, april] = [MARCH_3, MARCH_3 + 35 * DAY_MS];
  books.earn(3, 1_000, march);
  books.earn(4, 1, march);
  books.earn(3, 400, april);
  const month = {
    month: monthOf(march),
    earnedCents: 401,
    takenBackCents: 0,
    invoices: 2,
  };
  assertEquals(books.balance.months, [month]);
  books.earn(3, 0, april);
  assertEquals(books.balance.months, [
    { ...month, earnedCents: 1, invoices: 1 },
  ]);
  books.earn(3, 1_000, april);
  assertEquals(books.commissions[3]?.month, month.month);
  assertEquals(books.commissions[3]?.changes, 4);
  assertEquals(books.balance.months, [{ ...month, earnedCents: 1_001 }]);
});

Deno.test("what is taken back of a commission that is told counts as an invoice of the present month, once", () => {
  const books = released([10_000, 20_000, 30_000]);
  const month = {
    month: monthOf(MARCH_3),
    earnedCents: 0,
    takenBackCents: 4_000,
    invoices: 1,
  };
  books.earn(0, 6_000, MARCH_3);
  assertEquals(books.balance.months, [month]);
  books.earn(0, 0, MARCH_3);
  assertEquals(books.balance.months, [{ ...month, takenBackCents: 10_000 }]);
  assertEquals(books.states()[0], "reversed");
  for (const nth of [3, 4]) books.earn(nth, 1_000, MARCH_3);
  const { amountCents, takenBackCents, invoices } =
    books.release(MARCH_3 + 90 * DAY_MS) ?? {};
  assertEquals([amountCents, takenBackCents, invoices], [-8_000, 10_000, 3]);
});

Deno.test("a new commission is of no month that is told, on a clock that runs behind either", () => {
  const { balance } = released([10_000, 20_000, 30_000]);
  assertEquals(presentMonth(balance, JANUARY), "2026-02");
  assertEquals(presentMonth(balance, MARCH_3), "2026-03");
});

Deno.test("a month stays while anything was taken back in it, though no invoice counts there, and goes when nothing is left", () => {
  const books = released([10_000, 20_000, 30_000]);
  for (const cents of [0, 10_000, 0]) books.earn(0, cents, MARCH_3);
  assertEquals(books.balance.months, [{
    month: monthOf(MARCH_3),
    earnedCents: 0,
    takenBackCents: 10_000,
    invoices: 0,
  }]);
  assertEquals(payoutCents(books.balance), 50_000);
  const fresh = new Books();
  for (const cents of [10, 0]) fresh.earn(0, cents, JANUARY);
  assertEquals(fresh.balance.months, []);
});

Deno.test("a statement tells whole steps of the total less its cover, and nothing of a total of nothing", () => {
  const books = new Books();
  for (const nth of [0, 1, 2]) books.earn(nth, 1_000, JANUARY);
  for (const [coverCents, told] of [[0, 3_000], [1, 2_000], [999, 2_000]]) {
    const made = withStatement(books.balance, MARCH_3, coverCents ?? 0);
    assertEquals(made?.statement.amountCents, told);
  }
  const even = released([10_000, 20_000, 30_000]);
  for (const [nth, cents] of [0, 0, 0, 5_000, 5_000].entries()) {
    if (nth !== 1 && nth !== 2) even.earn(nth, cents, MARCH_3);
  }
  const late = MARCH_3 + 90 * DAY_MS;
  for (const coverCents of [0, 999]) {
    const made = withStatement(even.balance, late, coverCents);
    assertEquals(made?.statement.amountCents, 0);
  }
});
