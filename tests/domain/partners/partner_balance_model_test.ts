/**
 * Whatever is earned, taken back and paid out in any order, a partner's balance
 * adds up, no commission leaves its way, and no payout sends what went back. A
 * failure prints its seed.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS } from "../../../domain/day.ts";
import { linesOf } from "../../../domain/ledger/book_entry.ts";
import {
  commissionMovement,
  payoutMovement,
} from "../../../domain/ledger/commission.ts";
import type { Movement } from "../../../domain/ledger/entry.ts";
import type { Commission } from "../../../domain/partners/commission.ts";
import {
  COMMISSION_STATES,
  commissionState,
} from "../../support/commission_state.ts";
import {
  CARRIED_MONTHS_MAX,
  PAYOUT_MIN_CENTS,
  PENDING_MS,
  STATEMENT_INVOICES_MIN,
  STATEMENT_STEP_CENTS,
} from "../../../domain/partners/limits.ts";
import {
  earnedCents,
  emptyBalance,
  maturesAtMs,
  type OpenMonth,
  presentMonth,
  withCommission,
  withheldCents,
  withStatement,
} from "../../../domain/partners/partner_balance.ts";
import { addMonths } from "../../../domain/month.ts";
import {
  beginPayout,
  payoutCents,
  unsent,
  withoutPayout,
  withPaidPayout,
  withPayout,
  withReturnedPayout,
} from "../../../domain/partners/payout_balance.ts";
import type { Payout } from "../../../domain/partners/payout.ts";

type Deed =
  | { do: "count"; nth: number; cents: number }
  | { do: "release"; cover: number }
  | { do: "ask" | "begin" | "wait" | "pay" | "fail" }
  | { do: "return"; share: number };

interface Step {
  deed: Deed;
  thenDays: number;
}

const cents = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("count" as const),
      nth: fc.nat({ max: 11 }),
      cents,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("release" as const),
      cover: fc.nat({ max: STATEMENT_STEP_CENTS - 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...["ask", "begin", "wait", "pay", "fail"] as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("return" as const),
      share: fc.constantFrom(0.5, 1),
    }),
  },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ deed, thenDays: fc.constantFrom(0, 1, 12, 40) }),
  { minLength: 1, maxLength: 120, size: "max" },
);

class Model {
  balance = emptyBalance("acc_p");
  nowMs = Date.parse("2026-01-01T00:00:00.000Z");
  readonly commissions = new Map<number, Commission>();
  readonly payouts: Payout[] = [];
  /** What the ledger says that we owe: credits are negative. */
  payableCents = 0;

  run({ deed, thenDays }: Step): void {
    const before = this.#states();
    this.#do(deed);
    this.#check(before);
    this.nowMs += thenDays * DAY_MS;
  }

  #do(deed: Deed): void {
    const open = this.payouts.find(({ id }) =>
      id === this.balance.openPayoutId
    );
    switch (deed.do) {
      case "count":
        return this.#count(deed.nth, deed.cents);
      case "release":
        return this.#release(deed.cover);
      case "ask":
        return this.#ask();
      case "begin":
        if (open?.state === "requested") {
          const { balance } = this;
          const able = balance.payableCents + open.amountCents -
            withheldCents(balance);
          const sent = this.#put(beginPayout({ balance, payout: open }));
          if (sent.state === "sending") assert(sent.amountCents <= able);
        }
        return;
      case "wait":
        if (open?.state !== "sending") return;
        this.#put({ balance: this.balance, payout: unsent(open) });
        return;
      case "pay":
        if (open?.state !== "sending") return;
        this.#put(withPaidPayout({ balance: this.balance, payout: open }));
        return this.#book(payoutMovement(open.amountCents));
      case "fail":
        if (open?.state !== "sending") return;
        this.#put(
          withoutPayout({ balance: this.balance, payout: open }, "failed"),
        );
        return;
      case "return":
        return this.#return(deed.share);
    }
  }

  #count(nth: number, amountCents: number): void {
    const { balance, nowMs } = this;
    const before = this.commissions.get(nth) ?? {
      invoiceId: `in_${nth}`,
      partnerId: "acc_p",
      accountId: "acc_a",
      paymentId: null,
      amountCents: 0,
      month: presentMonth(balance, nowMs),
      countedIn: null,
      createdAtMs: nowMs,
      changes: 0,
    };
    const change = amountCents - before.amountCents;
    if (change === 0) return;
    const after = withCommission(balance, before, amountCents, nowMs);
    this.balance = after.balance;
    this.commissions.set(nth, after.commission);
    this.#book(commissionMovement(change));
  }

  #release(cover: number): void {
    const { months } = this.balance;
    const made = withStatement(this.balance, this.nowMs, cover);
    if (made === null) return;
    const { statement } = made;
    const told = months.filter(({ month }) => month <= statement.throughMonth);
    for (const { month } of told) {
      assert(maturesAtMs(month) <= this.nowMs, "30 days after the month");
    }
    for (const { month, createdAtMs } of this.commissions.values()) {
      if (told.some((each) => each.month === month)) {
        assert(this.nowMs - createdAtMs >= PENDING_MS);
      }
    }
    const late = addMonths(statement.fromMonth, CARRIED_MONTHS_MAX);
    assert(
      statement.invoices >= STATEMENT_INVOICES_MIN ||
        this.nowMs >= maturesAtMs(late),
      "a total tells nothing of one invoice",
    );
    assertEquals(Math.abs(statement.amountCents % STATEMENT_STEP_CENTS), 0);
    const { restCents = 0 } = made.balance;
    assert(restCents >= 0 && restCents < 2 * STATEMENT_STEP_CENTS, "a rest");
    this.balance = made.balance;
  }

  #ask(): void {
    const { balance } = this;
    const amountCents = payoutCents(balance);
    if (balance.openPayoutId !== null || amountCents < PAYOUT_MIN_CENTS) return;
    assert(balance.releasedThrough !== null);
    const payout: Payout = {
      id: `po_${this.payouts.length}`,
      partnerId: "acc_p",
      state: "requested",
      amountCents,
      throughMonth: balance.releasedThrough,
      afterMonth: balance.paidThrough,
      requestedAtMs: this.nowMs,
      destination: "acct_1",
      transferId: null,
      paidAtMs: null,
      returnedCents: 0,
      dueAtMs: this.nowMs,
      attempts: 0,
      refusals: 0,
      trouble: null,
    };
    this.payouts.push(payout);
    this.balance = withPayout(balance, payout);
  }

  #return(share: number): void {
    const payout = this.payouts.findLast(({ state }) => state === "paid");
    if (payout === undefined) return;
    const cents = Math.max(
      payout.returnedCents,
      Math.floor(payout.amountCents * share),
    );
    const more = cents - payout.returnedCents;
    this.#put(withReturnedPayout({ balance: this.balance, payout }, cents));
    this.#book(payoutMovement(-more));
  }

  #put({ balance, payout }: { balance: Model["balance"]; payout: Payout }) {
    this.balance = balance;
    const at = this.payouts.findIndex(({ id }) => id === payout.id);
    this.payouts[at] = payout;
    return payout;
  }

  #book(movement: Movement): void {
    const lines = linesOf(movement);
    assertEquals(lines.reduce((sum, line) => sum + line.amountCents, 0), 0);
    this.payableCents += movement.partner_payable ?? 0;
  }

  #states(): Map<number, string> {
    return new Map(
      [...this.commissions].map((
        [nth, each],
      ) => [nth, commissionState(each, this.balance)]),
    );
  }

  #check(before: ReadonlyMap<number, string>): void {
    const { balance, commissions, payouts } = this;
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
    const earned = sum([...commissions.values()].map((c) => c.amountCents));
    assertEquals(earnedCents(balance), earned, "earned");
    assertEquals(this.payableCents + earned, balance.paidCents, "owed");
    const paid = payouts.filter(({ state }) => /paid|returned/.test(state));
    assertEquals(
      balance.paidCents,
      sum(paid.map((each) => each.amountCents - each.returnedCents)),
    );
    const open = payouts.filter(({ state }) => /requested|sending/.test(state));
    assertEquals(balance.requestedCents, sum(open.map((c) => c.amountCents)));
    assert(open.length <= 1);
    assertEquals(open[0]?.id ?? null, balance.openPayoutId);
    if (open.length === 0) {
      assertEquals(balance.requestedThrough, balance.paidThrough);
    }
    checkMonths(balance.months, balance.releasedThrough);
    for (const [nth, to] of this.#states()) {
      const from = before.get(nth) ?? "pending";
      if (from === to) continue;
      const next: readonly string[] = COMMISSION_STATES[from as "pending"];
      assert(next.includes(to), `in_${nth}: ${from} to ${to}`);
    }
  }
}

function checkMonths(
  months: readonly OpenMonth[],
  releasedThrough: string | null,
): void {
  const names = months.map(({ month }) => month as string);
  assertEquals(names, [...new Set(names)].sort());
  assert(releasedThrough === null || names.every((m) => m > releasedThrough));
  for (const { invoices, takenBackCents } of months) {
    assert(invoices >= 0 && takenBackCents >= 0);
  }
}

Deno.test("a partner's balance adds up whatever is earned, taken back, paid, refused and returned", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const model = new Model();
      all.forEach((step) => model.run(step));
    }),
    { numRuns: 400 },
  );
});
