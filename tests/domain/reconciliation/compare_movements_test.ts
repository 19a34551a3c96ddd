import { assertEquals } from "@std/assert";
import type {
  BalanceMovement,
  BalanceTransaction,
} from "../../../domain/payments/processor_books.ts";
import { compareMovements } from "../../../domain/reconciliation/compare_movements.ts";

function movement(type: BalanceMovement): BalanceTransaction {
  return {
    id: `txn_${type}`,
    type,
    amountCents: -900,
    paymentId: null,
    sourceId: "src_1",
    createdAtMs: 0,
  };
}

function compared(type: BalanceMovement): string[] {
  const movements = [movement(type)];
  return compareMovements({
    movements,
    entriesOfPayments: [],
    entries: [],
    movementsAround: movements,
  }).map(({ kind }) => kind);
}

Deno.test("payouts to our bank and the processor's fees are no differences", () => {
  assertEquals(compared("payout"), []);
  assertEquals(compared("fee"), []);
});

Deno.test("any other movement that is not booked is a difference", () => {
  for (const type of ["charge", "refund", "dispute", "other"] as const) {
    assertEquals(compared(type), ["not_booked"], type);
  }
});
