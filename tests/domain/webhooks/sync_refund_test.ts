import { assert, assertEquals, assertRejects } from "@std/assert";
import { sendAlerts } from "../../../domain/alerts/send_alerts.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import { adoptRefunds } from "../../../domain/invoices/adopt_refunds.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

const ORDER = { day: AUCTION_DAY, note: "goodwill" };

/** A day whose price was given back, and the refund of it. */
async function openRefunded() {
  const day = await openPaidDay();
  await refundSpotlight(day.world.services, ORDER);
  const [refund] = (await day.invoice()).refunds;
  assert(refund !== undefined);
  return { day, refundId: refund.id };
}

function comesBack({ world }: PaidDay, refundId: string): void {
  world.simulator.control.failRefund(refundId);
}

async function alertsOf({ world }: Pick<PaidDay, "world">): Promise<string[]> {
  const mails = await world.services.store.listMails({ limit: 500 });
  return mails.map(({ subject }) => subject)
    .filter((subject) => subject.includes("A refund failed"));
}

/** What the accounts of a sale hold. */
async function heldBy(day: PaidDay): Promise<number[]> {
  return [
    await day.balance("processor_clearing"),
    await day.balance("spotlight_revenue"),
    await day.balance("vat_payable"),
  ];
}

Deno.test("a refund that comes back is booked back at once, and operators are told", async () => {
  const day = await openPaidDay();
  await using _ = day;
  const sold = await heldBy(day);
  await refundSpotlight(day.world.services, ORDER);
  const [refund] = (await day.invoice()).refunds;
  assert(refund !== undefined);
  assertEquals(await heldBy(day), [0, 0, 0]);
  comesBack(day, refund.id);
  await syncRefund(day.world.services, refund.id);
  const { money, refunds, refundTrouble, failedRefunds } = await day.invoice();
  assertEquals([money, refunds], ["refund_failed", []]);
  assertEquals(refundTrouble, "refund_came_back");
  assertEquals(failedRefunds, [refund.id]);
  assertEquals(await heldBy(day), sold);
  assertEquals((await alertsOf(day)).length, 1);
  const told = () =>
    day.world.log.lines.filter((line) => line.includes("refund.came_back"));
  assertEquals(told().length, 1);
  const { length: mails } = await alertsOf(day);
  await syncRefund(day.world.services, refund.id);
  assertEquals([told().length, (await alertsOf(day)).length], [1, mails]);
  await sendAlerts(day.world.services, []);
  assertEquals(await heldBy(day), sold, "once");
  assertEquals((await alertsOf(day)).length, 1, "told once");
  day.world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(day.world.services, AUCTION_DAY);
  assertEquals(report.differences, [], "line by line");
});

Deno.test("a refund that did not come back changes nothing, nor does one of nobody", async () => {
  const { day, refundId } = await openRefunded();
  await using _ = day;
  await syncRefund(day.world.services, refundId);
  assertEquals((await day.invoice()).money, "refunded");
  const { stripe } = day.world;
  const strange = await stripe.paymentIntents.create({
    amount: 500,
    currency: "eur",
    payment_method: "pm_card_visa",
    confirm: true,
    return_url: "https://example.com/",
  });
  const refund = await stripe.refunds.create({ payment_intent: strange.id });
  comesBack(day, refund.id);
  await syncRefund(day.world.services, refund.id);
  const { lines } = day.world.log;
  assert(lines.some((line) => line.includes("refund.of_unknown_payment")));
  assertEquals(await alertsOf(day), []);
});

Deno.test("an operator who orders a refund again that came back gives the money back without another note", async () => {
  const { day, refundId } = await openRefunded();
  await using _ = day;
  comesBack(day, refundId);
  await syncRefund(day.world.services, refundId);
  const again = await refundSpotlight(day.world.services, ORDER);
  assertEquals(again.money, "refunded");
  assertEquals(again.creditNotes.length, 1);
  assertEquals(await heldBy(day), [0, 0, 0]);
  day.world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(day.world.services, AUCTION_DAY);
  assertEquals(report.differences, []);
});

Deno.test("a refund whose notice was lost is booked back by the nightly comparison", async () => {
  const { day, refundId } = await openRefunded();
  await using _ = day;
  comesBack(day, refundId);
  day.world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(day.world.services, AUCTION_DAY);
  assertEquals(report.differences, []);
  assertEquals((await day.invoice()).money, "refund_failed");
  assertEquals((await alertsOf(day)).length, 1);
});

Deno.test("a refund that came back before it was booked is booked both ways, whatever an older answer says", async () => {
  await using day = await openPaidDay();
  const { paymentId } = await day.invoice();
  const refund = await day.world.stripe.refunds.create({
    payment_intent: paymentId ?? "",
    amount: 250,
  });
  const sold = await heldBy(day);
  comesBack(day, refund.id);
  await syncRefund(day.world.services, refund.id);
  assertEquals(await heldBy(day), sold);
  assertEquals((await day.invoice()).money, "sold");
  const { processor } = day.world.services;
  const older: typeof processor = {
    ...processor,
    listRefunds: async (id) => {
      const found = await processor.listRefunds(id);
      if (!found.ok) return found;
      const old = { id: refund.id, amountCents: 250 };
      return { ok: true, value: [old, ...found.value] };
    },
  };
  await refundSpotlight({ ...day.world.services, processor: older }, ORDER);
  await refundDueInvoices(day.world.services);
  const { refunds } = await day.invoice();
  assertEquals(
    refunds.filter(({ id }) => id === refund.id),
    [],
    "what came back is not booked again",
  );
  day.world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(day.world.services, AUCTION_DAY);
  assertEquals(report.differences, []);
});

for (const amount of [PAID_CENTS / 2, 400]) {
  Deno.test(`a part of ${amount} that was booked and comes back leaves the day sold, and tells nobody`, async () => {
    await using day = await openPaidDay();
    const { services, stripe } = day.world;
    const { id: invoiceId, paymentId } = await day.invoice();
    const payment_intent = paymentId ?? "";
    const { id } = await stripe.refunds.create({ payment_intent, amount });
    const sold = await heldBy(day);
    await adoptRefunds(services, { invoiceId });
    const { money, refunds } = await day.invoice();
    assertEquals([money, refunds], ["sold", [{ id, amountCents: amount }]]);
    comesBack(day, id);
    await syncRefund(services, id);
    const after = await day.invoice();
    assertEquals([after.money, after.refunds], ["sold", []]);
    assertEquals(await heldBy(day), sold);
    assertEquals(await alertsOf(day), []);
  });
}

Deno.test("a refund that comes back is booked once and told, wherever a crash cuts it off", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    const sold = await heldBy(day);
    await refundSpotlight(day.world.services, ORDER);
    const [refund] = (await day.invoice()).refunds;
    assert(refund !== undefined);
    comesBack(day, refund.id);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await syncRefund(doomed.services, refund.id).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    await syncRefund(day.world.services, refund.id);
    assertEquals((await alertsOf(day)).length, 1, "by the repeat at once");
    await sendAlerts(day.world.services, []);
    assertEquals(await heldBy(day), sold);
    assertEquals((await day.invoice()).failedRefunds, [refund.id]);
    assertEquals((await alertsOf(day)).length, 1, "once");
    return doomed.kv.dead;
  });
  assert(points >= 2, `${points} points`);
});

Deno.test("two notices of one refund at once book it back once", async () => {
  const { day, refundId } = await openRefunded();
  await using _ = day;
  comesBack(day, refundId);
  const other = day.world.another().services;
  await Promise.all([
    syncRefund(day.world.services, refundId),
    syncRefund(other, refundId),
  ]);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
  assertEquals((await alertsOf(day)).length, 1);
});

Deno.test("a refund by hand that came back says nothing about the price: it stays given back, or stays under way", async () => {
  for (const money of ["refunded", "refunding"]) {
    await using day = await openPaidDay();
    const { services, stripe, simulator } = day.world;
    const payment_intent = (await day.invoice()).paymentId ?? "";
    const byHand = await stripe.refunds.create({ payment_intent, amount: 250 });
    if (money === "refunded") {
      // It came back, and the whole price went out, before anybody was told.
      comesBack(day, byHand.id);
    } else {
      const { id } = simulator.control.disputes.open(payment_intent, {
        amount: 100,
      });
      await syncDispute(services, id);
    }
    await refundSpotlight(services, ORDER);
    const before = await day.invoice();
    assertEquals(before.money, money);
    if (money === "refunding") comesBack(day, byHand.id);
    const held = await day.balance("processor_clearing");
    const isBooked = before.refunds.some(({ id }) => id === byHand.id);
    await syncRefund(services, byHand.id);
    const after = await day.invoice();
    assertEquals([after.money, after.refundTrouble], [
      money,
      before.refundTrouble,
    ]);
    assertEquals(after.failedRefunds, [byHand.id]);
    const back = isBooked ? 250 : 0;
    assertEquals(await day.balance("processor_clearing"), held + back);
    assertEquals(await alertsOf(day), [], "it is no business of a person");
  }
});

for (const kind of ["inquiry", "chargeback"] as const) {
  Deno.test(`money whose refund came back is given back by a person alone, also once an ${kind} of its buyer is over`, async () => {
    const { day, refundId } = await openRefunded();
    await using _ = day;
    const { services, simulator, clock } = day.world;
    comesBack(day, refundId);
    await syncRefund(services, refundId);
    const { paymentId } = await day.invoice();
    const { disputes } = simulator.control;
    const { id } = disputes.open(paymentId ?? "", { kind });
    await syncDispute(services, id);
    disputes.turn(id, kind === "inquiry" ? "warning_closed" : "won");
    await syncDispute(services, id);
    clock.advance(3_600_000);
    await refundDueInvoices(services);
    const { money, refundTrouble } = await day.invoice();
    assertEquals([money, refundTrouble], ["refund_failed", "refund_came_back"]);
    assertEquals(simulator.control.objects("refund").length, 1);
    // Ordered again by a person it goes out.
    await refundSpotlight(services, ORDER);
    assertEquals((await day.invoice()).money, "refunded");
  });
}

Deno.test("a refund and a dispute of an invoice that the store has lost book nothing, and fail so that their events stay due", async () => {
  await using day = await openPaidDay();
  const { services, simulator, stripe, log } = day.world;
  const { id: paymentId } = await stripe.paymentIntents.create({
    amount: 500,
    currency: "eur",
    payment_method: "pm_card_visa",
    confirm: true,
    return_url: "https://example.com/",
  });
  await services.store.transact((tx) =>
    tx.paymentInvoices.save({ paymentId, invoiceId: "inv_lost" })
  );
  const refund = await stripe.refunds.create({ payment_intent: paymentId });
  comesBack(day, refund.id);
  const { id: disputeId } = simulator.control.disputes.open(paymentId);
  const held = await heldBy(day);
  await assertRejects(() => syncRefund(services, refund.id), InvariantBroken);
  await assertRejects(() => syncDispute(services, disputeId), InvariantBroken);
  assertEquals(await heldBy(day), held);
  assertEquals(await services.store.disputes.find(disputeId), null);
  assertEquals(log.events.includes("refund.came_back"), false);
});

/** A day that is closed and whose winner has paid, which another process settles. */
async function openUnbooked() {
  const world = await openAuctionWorld();
  const winner = await world.advertiser("lucky");
  await world.bid(winner, PAID_CENTS);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  const { store, clock } = world.services;
  const path = "/v1/invoices/*/pay";
  const kind = "reset_after_effect";
  world.simulator.control.addFault({ kind, method: "POST", path });
  await settleDay(world.services, { day: AUCTION_DAY });
  await store.transact(async (tx) => {
    const settlement = await tx.settlements.find(AUCTION_DAY);
    assert(settlement?.state === "running");
    const leaseUntilMs = clock.now() + 30_000;
    tx.settlements.save({ ...settlement, leaseOwner: "other", leaseUntilMs });
  });
  const [payment] = world.simulator.control.objects("payment_intent");
  assert(payment?.status === "succeeded");
  return { world, winner, paymentId: payment.id };
}

Deno.test("a refund that comes back before its day has settled waits for that, and is told like any other", async () => {
  const { world, winner, paymentId } = await openUnbooked();
  await using _ = world;
  const { services, stripe } = world;
  const refund = await stripe.refunds.create({ payment_intent: paymentId });
  world.simulator.control.failRefund(refund.id);
  await assertRejects(
    () => syncRefund(services, refund.id),
    ProcessorUncertain,
    "not booked yet",
  );
  world.clock.advance(60_000);
  await settleInTime(world);
  await syncRefund(services, refund.id);
  await syncRefund(services, refund.id);
  const [invoice] = await services.store.listInvoices(winner.account.id, {
    limit: 9,
  });
  assertEquals(
    [invoice?.money, invoice?.refundTrouble, invoice?.refundReason],
    ["refund_failed", "refund_came_back", "operator"],
  );
  const failed = await services.store.listFailedRefunds({ limit: 9 });
  assertEquals(failed.map(({ id }) => id), [invoice?.id]);
  assertEquals(await alertsOf({ world }), [
    `Spotlight: A refund failed: ${invoice?.number}`,
  ]);
  world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(services, AUCTION_DAY);
  assertEquals(report.differences, [], "line by line");
});
