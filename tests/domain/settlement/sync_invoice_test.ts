/** What becomes of an invoice of which the processor tells by itself. */
import { assertEquals } from "@std/assert";
import { orderRefund } from "../../../domain/invoices/order_refund.ts";
import { certainValue } from "../../../domain/payments/outcome.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { invoiceByHand } from "../../support/invoice_by_hand.ts";
import { toldTo } from "../../support/told_events.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

function refundedOf({ simulator }: AuctionWorld): number[] {
  return simulator.control.objects("charge")
    .map(({ amount_refunded }) => amount_refunded);
}

function toldLate({ log }: AuctionWorld): number {
  return log.events.filter((event) => event === "invoice.paid_late").length;
}

Deno.test("a second invoice of the winner's that is paid goes back, once, and what it won by is kept", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  const { id: bidId } = await world.bid(ada, 900);
  await closeDay(world.services);
  await settleInTime(world);
  const [won] = world.simulator.control.objects("invoice");
  const second = await invoiceByHand(world, ada, { bidId });
  await syncInvoice(world.services, won?.id ?? "");
  assertEquals([refundedOf(world), toldLate(world)], [[0, 0], 0]);
  for (let nth = 0; nth < 2; nth++) await syncInvoice(world.services, second);
  assertEquals([refundedOf(world), toldLate(world)], [[0, 500], 1]);
  const { store } = world.services;
  const invoices = await store.listInvoices("acc_ada", { limit: 9 });
  assertEquals(
    invoices.map(({ id, money }) => `${id === second} ${money}`).toSorted(),
    ["false sold", "true refunded"],
  );
  const told = await toldTo(world.services, "acc_ada");
  assertEquals(
    told.filter((each) => each.startsWith("invoice.paid")).length,
    2,
  );
  const purpose = "consulting";
  const others = await invoiceByHand(world, ada, { bidId, purpose });
  await syncInvoice(world.services, others);
  assertEquals(refundedOf(world), [0, 500, 0], "it is somebody else's");
});

Deno.test("a refund that was ordered of the winner's invoice, and not made, is made once the processor tells of it", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 900);
  await closeDay(world.services);
  await settleInTime(world);
  const { control } = world.simulator;
  const kind = "reset_before_effect";
  control.addFault({ kind, method: "POST", times: null });
  const by = { kind: "key", name: "desk" } as const;
  await orderRefund(world.services, { day, note: "goodwill", by });
  control.clearFaults();
  world.clock.advance(3_600_000);
  const [won] = control.objects("invoice");
  await syncInvoice(world.services, won?.id ?? "");
  assertEquals(refundedOf(world), [900]);
});

Deno.test("what was paid for a bid that was passed over goes back while its day still waits for another", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  const { id: bidId } = await world.bid(ada, 900);
  const bob = await world.advertiser("bob");
  await world.bid(bob, 800);
  await closeDay(world.services);
  const bobs = bob.paymentMethodId;
  const { services } = world.another((real) => ({
    ...real,
    payInvoice(id, card, key) {
      if (card === bobs) {
        const kind = "processing";
        world.simulator.control.addFault({ kind, method: "POST" });
      }
      return real.payInvoice(id, card, key);
    },
  }));
  const { candidates } = await settleDay(services, { day });
  assertEquals(candidates.map(({ step }) => step), ["passed_over", "paying"]);
  const customer = ada.account.processorCustomerId ?? "";
  const { id: paymentMethodId } = certainValue(
    await world.services.processor.attachCard(customer, "pm_card_visa", "card"),
  );
  const late = await invoiceByHand(world, { ...ada, paymentMethodId }, {
    bidId,
  });
  await syncInvoice(world.services, late);
  const charges = world.simulator.control.objects("charge");
  assertEquals(charges.at(-1)?.amount_refunded, 500);
  const settlement = await world.services.store.settlements.find(day);
  assertEquals(settlement?.state, "running");
});
