/** What is told of a payment's disputes and refunds, in whatever order. */
import { assert, assertEquals } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";
import { openPaidWorld, payAgain, sold } from "../../support/paid_world.ts";

/** What whoever was passed over paid late, cents. */
const LATE_CENTS = PAID_CENTS + 100;
const PART = 500;
const ORDERS = [["refund", "dispute"], ["dispute", "refund"]] as const;

async function late(day: PaidDay): Promise<string> {
  const { id } = await day.voided();
  return day.world.simulator.control.invoices.payLate(id).id;
}

async function owedAndLost(day: PaidDay): Promise<number[]> {
  return [
    0 - await day.balance("refunds_due"),
    await day.balance("dispute_losses"),
    await day.balance("disputed_funds"),
  ];
}

for (const order of ORDERS) {
  Deno.test(`of a late payment a refund that came back and a lost dispute are booked alike, told as ${order.join(", ")}`, async () => {
    await using day = await openPaidDay();
    const { services, simulator: { control } } = day.world;
    const payment = await late(day);
    await syncInvoice(services, (await day.voided()).id);
    const [refund] = (await day.voided()).refunds;
    assert(refund?.amountCents === LATE_CENTS);
    control.failRefund(refund.id);
    const { id } = control.disputes.open(payment, { amount: PART });
    control.disputes.turn(id, "lost");
    for (const what of order) {
      if (what === "refund") await syncRefund(services, refund.id);
      else await syncDispute(services, id);
    }
    assertEquals(await owedAndLost(day), [LATE_CENTS - PART, 0, 0]);
    const { lostCents, refunds } = await day.voided();
    assertEquals([lostCents, refunds], [PART, []]);
  });

  Deno.test(`of money that was taken beside a report's own they are booked alike, told as ${order.join(", ")}`, async () => {
    await using shop = await openPaidWorld();
    const { services, world: { simulator: { control } } } = shop;
    const intent = await payAgain(shop, await sold(shop));
    await syncPayment(services, intent);
    const refund = control.objects("refund")
      .find(({ payment_intent }) => payment_intent === intent);
    assert(refund !== undefined);
    control.failRefund(refund.id);
    const { id } = control.disputes.open(intent, { amount: 60 });
    control.disputes.turn(id, "lost");
    for (const what of order) {
      if (what === "refund") await syncRefund(services, refund.id);
      else await syncDispute(services, id);
    }
    const ledger = await shop.ledger();
    assertEquals(balanceOf(ledger, "dispute_losses"), 0);
    assertEquals(-balanceOf(ledger, "refunds_due"), refund.amount - 60);
  });
}

Deno.test("a loss beside a refund that stands is our loss until the refund comes back, and none once the bank has brought its part back", async () => {
  await using day = await openPaidDay();
  const { services, simulator: { control } } = day.world;
  const payment = await late(day);
  await syncInvoice(services, (await day.voided()).id);
  const [refund] = (await day.voided()).refunds;
  assert(refund !== undefined);
  // Refunded, and the bank takes a part all the same: there the refund failed,
  // of which nobody has told.
  control.failRefund(refund.id);
  const { id } = control.disputes.open(payment, { amount: PART });
  control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  assertEquals(await owedAndLost(day), [0, PART, 0]);
  await syncRefund(services, refund.id);
  assertEquals(await owedAndLost(day), [LATE_CENTS - PART, 0, 0]);
  const back = day.world.another((real) => ({
    ...real,
    async retrieveDispute(disputeId) {
      const found = await real.retrieveDispute(disputeId);
      if (!found.ok) return found;
      const more = { id: "txn_appeal", amountCents: PART };
      const movements = [...found.value.movements, more];
      return {
        ok: true,
        value: { ...found.value, standing: "won" as const, movements },
      };
    },
  }));
  await syncDispute(back.services, id);
  assertEquals(await owedAndLost(day), [LATE_CENTS, 0, 0]);
});
