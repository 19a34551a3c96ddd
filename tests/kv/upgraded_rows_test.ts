import { assertEquals } from "@std/assert";
import { syncDispute } from "../../domain/disputes/sync_dispute.ts";
import type { Invoice, InvoiceMoney } from "../../domain/invoices/invoice.ts";
import { keptOf } from "../../domain/payments/returned.ts";
import { refundSpotlight } from "../../domain/invoices/refund_spotlight.ts";
import { AUCTION_DAY } from "../support/auction_world.ts";
import { invoiceOf } from "../support/invoices.ts";
import { openPaidDay, PAID_CENTS, type PaidDay } from "../support/paid_day.ts";
import { openTestStore } from "../support/store.ts";

/** The row as it was written before parts of a payment were followed. */
function asBefore(invoice: Invoice): Invoice {
  const {
    refunds: _refunds,
    disputedCents: _disputed,
    lostCents: _lost,
    refundTries: _tries,
    refundRefusals: _refusals,
    refundTrouble: _trouble,
    ...before
  } = invoice;
  return before as Invoice;
}

async function putBack(day: PaidDay): Promise<Invoice> {
  const invoice = await day.invoice();
  const { store } = day.world.services;
  await store.transact((tx) => tx.invoices.save(asBefore(invoice)));
  return invoice;
}

Deno.test("an invoice of before parts were followed is given back with a credit note", async () => {
  await using day = await openPaidDay();
  await putBack(day);
  const note = "goodwill";
  const after = await refundSpotlight(day.world.services, {
    day: AUCTION_DAY,
    note,
  });
  assertEquals(after.money, "refunded");
  assertEquals(await day.balance("processor_clearing"), 0);
});

Deno.test("a dispute moves an invoice of before parts were followed", async () => {
  await using day = await openPaidDay();
  const { paymentId } = await putBack(day);
  const { services, simulator } = day.world;
  const { id } = simulator.control.disputes.open(paymentId ?? "");
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  assertEquals((await day.invoice()).money, "written_off");
  assertEquals(await day.balance("dispute_losses"), PAID_CENTS);
});

for (const money of ["refunded", "written_off"] satisfies InvoiceMoney[]) {
  Deno.test(`of an invoice of before parts were followed that was ${money}, nothing is kept`, async () => {
    await using testStore = await openTestStore();
    const { store } = testStore;
    const invoice = invoiceOf("acc_1", "SPOT-1", { money });
    await store.transact((tx) => tx.invoices.save(asBefore(invoice)));
    const found = await store.invoices.find(invoice.id);
    assertEquals(found && keptOf(found.totalCents, found), 0);
    assertEquals(found?.money, money);
  });
}
