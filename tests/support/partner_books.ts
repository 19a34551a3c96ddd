import { assert } from "@std/assert";
import type { Commission } from "../../domain/partners/commission.ts";
import { commissionState } from "./commission_state.ts";
import {
  emptyBalance,
  type PartnerBalance,
  presentMonth,
  withCommission,
  withStatement,
} from "../../domain/partners/partner_balance.ts";
import type { Payout } from "../../domain/partners/payout.ts";

export const JANUARY = Date.parse("2026-01-15T12:00:00.000Z");
export const MARCH_3 = Date.parse("2026-03-03T00:00:00.000Z");

/** A partner's balance with commissions, by their numbers. */
export class Books {
  balance = emptyBalance("acc_p");
  readonly commissions: Commission[] = [];

  earn(nth: number, amountCents: number, atMs: number): void {
    const before = this.commissions[nth] ??
      newCommission(nth, this.balance, atMs);
    const after = withCommission(this.balance, before, amountCents, atMs);
    this.balance = after.balance;
    this.commissions[nth] = after.commission;
  }

  release(atMs: number) {
    const made = withStatement(this.balance, atMs, 0);
    this.balance = made?.balance ?? this.balance;
    return made?.statement ?? null;
  }

  states(): string[] {
    return this.commissions.map((each) => commissionState(each, this.balance));
  }
}

export function newCommission(
  nth: number,
  balance: PartnerBalance,
  atMs: number,
): Commission {
  return {
    invoiceId: `in_${nth}`,
    partnerId: "acc_p",
    accountId: "acc_a",
    paymentId: `pi_${nth}`,
    amountCents: 0,
    month: presentMonth(balance, atMs),
    countedIn: null,
    createdAtMs: atMs,
    changes: 0,
  };
}

export function payoutOf(balance: PartnerBalance, amountCents: number): Payout {
  assert(balance.releasedThrough !== null);
  return {
    id: "po_1",
    partnerId: "acc_p",
    state: "requested",
    amountCents,
    throughMonth: balance.releasedThrough,
    afterMonth: balance.paidThrough,
    requestedAtMs: MARCH_3,
    destination: "acct_1",
    transferId: null,
    paidAtMs: null,
    returnedCents: 0,
    dueAtMs: MARCH_3,
    attempts: 0,
    refusals: 0,
    trouble: null,
  };
}

export function released(amounts: readonly number[]): Books {
  const books = new Books();
  amounts.forEach((cents, nth) => books.earn(nth, cents, JANUARY));
  assert(books.release(MARCH_3) !== null);
  return books;
}
