import { assertEquals } from "@std/assert";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import type { BalanceTransaction } from "../../../domain/payments/processor_books.ts";
import { compareMovements } from "../../../domain/reconciliation/compare_movements.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, PAID_CENTS } from "../../support/paid_day.ts";
import { dayText } from "../../support/public_spotlights.ts";

const HALF = PAID_CENTS / 2;

/** What a dispute took of a payment, as the processor has it. */
function takenBy(disputeId: string, movementId: string): BalanceTransaction {
  return {
    id: movementId,
    type: "dispute",
    amountCents: -300,
    paymentId: "pi_1",
    sourceId: disputeId,
    createdAtMs: 0,
  };
}

/** The same, as we book it. */
function bookedAs(disputeId: string, movementId: string): LedgerEntry {
  const id = `dispute:${disputeId}:${movementId}`;
  return {
    id,
    atMs: 0,
    reason: id,
    kind: "dispute",
    paymentId: "pi_1",
    lines: [
      { account: "processor_clearing", amountCents: -300 },
      { account: "disputed_funds", amountCents: 300 },
    ],
  };
}

Deno.test("the entry of one dispute does not stand for an equal movement of another's", () => {
  const before = takenBy("du_1", "txn_1");
  const now = takenBy("du_2", "txn_2");
  const differences = compareMovements({
    movements: [now],
    entriesOfPayments: [bookedAs("du_1", "txn_1")],
    entries: [],
    movementsAround: [before, now],
  });
  assertEquals(differences.map(({ kind }) => kind), ["not_booked"]);
});

Deno.test("an entry is not taken for moved because an equal movement is of another dispute", () => {
  const moved = takenBy("du_1", "txn_1");
  const differences = compareMovements({
    movements: [],
    entriesOfPayments: [],
    entries: [bookedAs("du_2", "txn_2")],
    movementsAround: [moved],
  });
  assertEquals(differences.map(({ kind }) => kind), ["not_moved"]);
});

Deno.test("the second of two equal refunds by hand is found on its day, though the first is booked", async () => {
  await using day = await openPaidDay();
  const { stripe, clock } = day.world;
  const payment_intent = (await day.invoice()).paymentId ?? "";
  const { services } = day.world.another((real) => ({
    ...real,
    createCreditNote: () =>
      Promise.resolve({ ok: false, code: "refused", message: "refused" }),
  }));
  clock.set("2026-11-21T10:00:00.000Z");
  await stripe.refunds.create({ payment_intent, amount: HALF });
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  for (let hour = 0; hour < 12; hour++) {
    clock.advance(3_600_000);
    await refundDueInvoices(services);
  }
  assertEquals((await day.invoice()).money, "refund_failed");
  clock.set("2026-11-22T10:00:00.000Z");
  await stripe.refunds.create({ payment_intent, amount: HALF });
  clock.set("2026-11-23T02:30:00.000Z");
  await reconcileDay(services, dayText("2026-11-22"));
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(await day.balance("processor_clearing"), 0);
});
