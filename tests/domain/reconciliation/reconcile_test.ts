import { assert, assertEquals, assertRejects } from "@std/assert";
import { dayOf } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { bookEntry } from "../../../domain/ledger/book_entry.ts";
import { reconcile } from "../../../domain/reconciliation/reconcile.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import type { Difference } from "../../../domain/reconciliation/reconciliation.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { assertRefused } from "../../support/refused.ts";

/** The night after, when all documents are in the archive. */
async function compare(day: PaidDay): Promise<readonly Difference[]> {
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  return differences;
}

Deno.test("a day whose books agree is reported without a difference", async () => {
  await using day = await openPaidDay();
  assertEquals(await compare(day), []);
  const report = await day.world.services.store.reconciliations.find(
    AUCTION_DAY,
  );
  assertEquals(report?.movements, 1);
  assertEquals(report?.entries, 1);
  assertEquals(report?.invoices, 2);
});

Deno.test("money the processor moved without us is a difference, and stays unbooked", async () => {
  await using day = await openPaidDay();
  const { paymentId } = await day.invoice();
  await day.world.stripe.refunds.create({
    payment_intent: paymentId ?? "",
    amount: 50,
  });
  const [difference, ...others] = await compare(day);
  assertEquals(others, []);
  assertEquals(difference?.kind, "not_booked");
  assert(difference?.kind === "not_booked");
  assertEquals(difference.amountCents, -50);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
});

Deno.test("money we booked that the processor has not moved is a difference", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  await services.store.transact((tx) =>
    bookEntry(tx, {
      id: "made:up",
      atMs: clock.now(),
      kind: "sale",
      paymentId: "pi_unknown",
      movement: { processor_clearing: 5, spotlight_revenue: -5 },
    })
  );
  assertEquals(await compare(day), [{
    kind: "not_moved",
    entryId: "made:up",
    paymentId: "pi_unknown",
    amountCents: 5,
  }]);
});

Deno.test("what a lost notification would have told is looked at first", async () => {
  await using day = await openPaidDay();
  const { simulator } = day.world;
  simulator.control.invoices.payLate((await day.voided()).id);
  const { paymentId } = await day.invoice();
  simulator.control.disputes.open(paymentId ?? "");
  assertEquals(await compare(day), []);
  assertEquals((await day.voided()).money, "refunded");
  assertEquals(await day.balance("disputed_funds"), PAID_CENTS);
});

Deno.test("an invoice we do not know, and one that differs, are differences", async () => {
  await using day = await openPaidDay();
  const { store } = day.world.services;
  const invoice = await day.invoice();
  await store.transact((tx) =>
    tx.invoices.save({ ...invoice, totalCents: invoice.totalCents + 1 })
  );
  const [difference] = await compare(day);
  assertEquals(difference?.kind, "invoice_differs");
});

Deno.test("a number that no invoice of ours has is a difference", async () => {
  await using day = await openPaidDay();
  const { stripe, winner } = { ...day.world, winner: day.winner };
  const customer = winner.account.processorCustomerId ?? "";
  // Somebody made an invoice by hand at the processor.
  const foreign = await stripe.invoices.create({ customer });
  await stripe.invoiceItems.create({
    customer,
    invoice: foreign.id ?? "",
    amount: 100,
    currency: "eur",
  });
  await stripe.invoices.finalizeInvoice(foreign.id ?? "");
  const later = await stripe.invoices.create({
    customer,
    metadata: { purpose: "spotlight", day: AUCTION_DAY, bid_id: "bid_none" },
  });
  await stripe.invoiceItems.create({
    customer,
    invoice: later.id ?? "",
    amount: 100,
    currency: "eur",
  });
  await stripe.invoices.finalizeInvoice(later.id ?? "");
  const kinds = (await compare(day)).map(({ kind }) => kind).toSorted();
  assertEquals(kinds, ["invoice_unknown", "number_missing"]);
});

Deno.test("what an event told of weeks later is no difference of the day it was booked", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const { id } = await day.voided();
  simulator.control.invoices.payLate(id);
  clock.advance(20 * 86_400_000);
  await syncInvoice(services, id);
  const bookedOn = dayOf(clock.now());
  clock.advance(86_400_000);
  const { differences, entries } = await reconcileDay(services, bookedOn);
  assertEquals(entries, 2);
  assertEquals(differences, []);
});

Deno.test("an entry that does not balance is found", async () => {
  await using day = await openPaidDay();
  const { store } = day.world.services;
  await store.transact((tx) =>
    tx.ledger.save({
      id: "spoiled",
      atMs: day.world.clock.now(),
      reason: "spoiled",
      kind: "sale",
      paymentId: null,
      lines: [{ account: "spotlight_revenue", amountCents: 1 }],
    })
  );
  const kinds = (await compare(day)).map(({ kind }) => kind);
  assertEquals(kinds, ["unbalanced"]);
});

Deno.test("a document that is not archived after a day is a difference", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  await compare(day);
  clock.advance(2 * 86_400_000);
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  assertEquals(differences.map(({ kind }) => kind), [
    "not_archived",
    "not_archived",
  ]);
});

Deno.test("nothing is reported while the processor does not answer", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/balance_transactions",
    times: null,
  });
  await assertRejects(() => compare(day), ProcessorUncertain);
  assertEquals(await services.store.reconciliations.find(AUCTION_DAY), null);
});

Deno.test("a day that is not over is not compared, and keeps no other from it", async () => {
  await using day = await openPaidDay();
  const { services, clock } = day.world;
  clock.set("2026-11-21T02:30:00.000Z");
  for (const text of ["2026-11-21", "2027-11-21"]) {
    const call = () => reconcileDay(services, dayText(text));
    await assertRefused(call, "invalid_input");
  }
  await reconcile(services);
  const [report, ...others] = await services.store.listReconciliations({
    limit: 50,
  });
  assertEquals([report?.day, others.length], [AUCTION_DAY, 0]);
});

Deno.test("a dispute that can't be looked at keeps no day from being compared", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock, log } = day.world;
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  simulator.control.addFault({
    kind: "error_before_effect",
    path: `/v1/disputes/${id}`,
    times: null,
  });
  clock.set("2026-11-21T02:30:00.000Z");
  await reconcile(services);
  const report = await services.store.reconciliations.find(AUCTION_DAY);
  const kinds = report?.differences.map(({ kind }) => kind);
  assertEquals(kinds, ["not_booked"]);
  assert(log.lines.some((line) => line.includes("dispute.sync_failed")));
});
