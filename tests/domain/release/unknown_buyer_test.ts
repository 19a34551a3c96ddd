/**
 * Money of somebody whose bid or purchase the backup does not know, and that
 * moves after the release: it is in the books, and a person is told of it.
 */
import { assert, assertEquals } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { Services } from "../../../domain/ports.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  lostAgain,
  releaseNoted,
  restoreInto,
  soldAfterBackup,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** A day that a stranger bought after the backup, given back, and sold anew. */
async function soldAnew(
  world: AuctionWorld,
  into: TestStore,
  isStrangerKnown = false,
) {
  const services = await soldAfterBackup(world, into, {
    known: { known: 500 },
    isStrangerKnown,
  });
  const { left } = await releaseStore(services, { acknowledged: [] });
  assertEquals(left.map(({ kind }) => kind), ["day_sold_to_unknown"]);
  const [{ id: chargeId } = { id: "" }] = world.simulator.control.objects(
    "charge",
  );
  const refund = await world.stripe.refunds.create({ charge: chargeId });
  // The day is nobody's any more, of which no person has to take note.
  assertEquals(await releaseNoted(services), []);
  await closeDay(services);
  await settleInTime(world, services);
  assertEquals(await winnerOf(services), "acc_known");
  return { services, refundId: refund.id, chargeId };
}

async function winnerOf({ store }: Services) {
  return (await store.spotlights.find(AUCTION_DAY))?.accountId;
}

async function strangersInvoice({ store }: Services) {
  const [invoice] = await store.listInvoices("acc_stranger", { limit: 9 });
  return invoice;
}

/** What is left of the stranger's money, as the books have it. */
async function heldOf({ store }: Services, paymentId: string) {
  const entries = await store.listLedgerOfPayment(paymentId, { limit: 99 });
  return balanceOf(entries, "processor_clearing");
}

async function alertsOf({ store }: Services): Promise<string[]> {
  const mails = await store.listMails({ limit: 500 });
  return mails.map(({ subject }) => subject)
    .filter((subject) => subject.includes("A refund failed"));
}

for (const isStrangerKnown of [true, false]) {
  const made = isStrangerKnown ? "before the backup" : "after the backup";
  Deno.test(`a refund that comes back of a buyer who is not in the backup is booked and told of, and given back by hand it is over; an account made ${made}`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services, refundId } = await soldAnew(
      world,
      into,
      isStrangerKnown,
    );
    world.simulator.control.failRefund(refundId);
    await syncRefund(services, refundId);
    const invoice = await strangersInvoice(services);
    assert(invoice?.paymentId);
    assertEquals([invoice.money, invoice.failedRefunds], [
      "refund_failed",
      [refundId],
    ]);
    assertEquals(await heldOf(services, invoice.paymentId), 900);
    assertEquals((await alertsOf(services)).length, 1);
    const failed = await services.store.listFailedRefunds({ limit: 9 });
    assertEquals(failed.map(({ number }) => number), [invoice.number]);
    // Once more, as an event that is delivered twice.
    await syncRefund(services, refundId);
    assertEquals(await heldOf(services, invoice.paymentId), 900);
    await world.stripe.refunds.create({ payment_intent: invoice.paymentId });
    await archiveDocuments(services);
    const today = addDays(AUCTION_DAY, 1);
    world.clock.set(`${addDays(today, 1)}T02:30:00.000Z`);
    for (const day of [AUCTION_DAY, today]) {
      const { differences } = await reconcileDay(services, day);
      assertEquals(differences, [], day);
    }
    assertEquals((await strangersInvoice(services))?.money, "refunded");
    assertEquals(await heldOf(services, invoice.paymentId), 0);
  });
}

Deno.test("a crash at any commit of writing a lost buyer's refund down, and two notices at once, book it once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services, refundId } = await soldAnew(world, into);
    world.simulator.control.failRefund(refundId);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    const dying = gatedOver(world, doomed);
    await syncRefund(dying, refundId).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    const other = gatedOver(world, into.another());
    await Promise.all([
      syncRefund(services, refundId),
      syncRefund(other, refundId),
    ]);
    const invoice = await strangersInvoice(services);
    assertEquals([invoice?.money, invoice?.failedRefunds], [
      "refund_failed",
      [refundId],
    ]);
    assertEquals(await heldOf(services, invoice?.paymentId ?? ""), 900);
    assertEquals((await alertsOf(services)).length, 1);
    return doomed.kv.dead;
  });
  assert(points >= 6, `${points} points`);
});

Deno.test("what a buyer who is not in the backup was given back agrees in the comparison of its day", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services } = await soldAnew(world, into);
  world.clock.set(`${addDays(AUCTION_DAY, 1)}T02:30:00.000Z`);
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  assertEquals(differences, []);
  assertEquals((await strangersInvoice(services))?.money, "refunded");
  assertEquals(await alertsOf(services), []);
});

Deno.test("the sale of a day that an operator noted is in the books, and the comparison of the day agrees", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldAfterBackup(world, into);
  await releaseNoted(services);
  await closeDay(services);
  await settleInTime(world, services);
  world.clock.set(`${addDays(AUCTION_DAY, 1)}T02:30:00.000Z`);
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  assertEquals(differences, []);
  const invoice = await strangersInvoice(services);
  assertEquals([invoice?.money, invoice?.wasSold], ["sold", true]);
  const entries = await services.store.listLedger({ limit: 99 });
  assertEquals(balanceOf(entries, "processor_clearing"), 900);
  assertEquals(balanceOf(entries, "refunds_due"), 0);
});

Deno.test("a sale that an operator noted, and gave back by hand after all, is booked as given back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldAfterBackup(world, into);
  const [found] = world.simulator.control.objects("invoice");
  await syncInvoice(services, found?.id ?? "");
  assertEquals(await strangersInvoice(services), undefined, "on hold");
  await releaseNoted(services);
  await syncInvoice(services, found?.id ?? "");
  const { paymentId } = await strangersInvoice(services) ?? {};
  assert(paymentId);
  await world.stripe.refunds.create({ payment_intent: paymentId });
  await syncInvoice(services, found?.id ?? "");
  // Nothing is to be given back, but its credit note is to be made.
  await refundDueInvoices(services);
  const invoice = await strangersInvoice(services);
  assertEquals([invoice?.money, invoice?.wasSold], ["refunded", true]);
  assertEquals(invoice?.creditNotes.length, 1);
  assertEquals(await heldOf(services, paymentId), 0);
});

Deno.test("a dispute of a buyer whose bid is not in the backup is booked, and blocks the account that is", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldAfterBackup(world, into, {
    isStrangerKnown: true,
  });
  await releaseNoted(services);
  const { control } = world.simulator;
  const [charge] = control.objects("charge");
  const dispute = control.disputes.open(charge?.id ?? "");
  await syncDispute(services, dispute.id);
  assertEquals((await services.store.disputes.find(dispute.id))?.state, "open");
  const account = await services.store.accounts.find("acc_stranger");
  assertEquals([account?.disputeOpen, account?.paidWins], [true, 1]);
  control.disputes.turn(dispute.id, "won");
  await syncDispute(services, dispute.id);
  const invoice = await strangersInvoice(services);
  // Taken note of: the sale stands.
  assertEquals(invoice?.money, "sold");
  assertEquals(await heldOf(services, invoice?.paymentId ?? ""), 900);
});

Deno.test("the sale of a day that an operator noted stands after a second restore, before its row was written", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await using again = await openTestStore({ clock: world.clock });
  const first = await soldAfterBackup(world, into);
  await releaseNoted(first);
  await closeDay(first);
  await settleInTime(world, first);
  assertEquals(await strangersInvoice(first), undefined, "no event so far");
  const services = await lostAgain(world, into, again);
  const { left } = await releaseStore(services, { acknowledged: [] });
  assertEquals(left, [], "it was said already");
  const [found] = world.simulator.control.objects("invoice");
  await syncInvoice(services, found?.id ?? "");
  const invoice = await strangersInvoice(services);
  assertEquals([invoice?.money, invoice?.wasSold], ["sold", true]);
});

Deno.test("a day that was sold to a bid that is not here is named again after a second restore while it is not settled, though its invoice is written down", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await using again = await openTestStore({ clock: world.clock });
  const first = await soldAfterBackup(world, into);
  await endHold(first);
  const [found] = world.simulator.control.objects("invoice");
  await syncInvoice(first, found?.id ?? "");
  assertEquals((await strangersInvoice(first))?.state, "paid");
  const { items } = await reviewHold(await lostAgain(world, into, again));
  assertEquals(items.map(({ kind }) => kind), ["day_sold_to_unknown"]);
});

Deno.test("what is in the books of a buyer who is not in the backup, of a day that was sold anew, is not asked about after the next restore", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await using again = await openTestStore({ clock: world.clock });
  const { services, refundId } = await soldAnew(world, into);
  world.simulator.control.failRefund(refundId);
  await syncRefund(services, refundId);
  assertEquals((await strangersInvoice(services))?.money, "refund_failed");
  const { items } = await reviewHold(await lostAgain(world, into, again));
  assertEquals(items, []);
});

for (const kind of ["inquiry", "chargeback"] as const) {
  Deno.test(`money of a lost buyer that waits for a person is given back by nobody else once their ${kind} is over`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services, refundId, chargeId } = await soldAnew(world, into);
    const { control } = world.simulator;
    control.failRefund(refundId);
    await syncRefund(services, refundId);
    const { id } = control.disputes.open(chargeId, { kind });
    await syncDispute(services, id);
    control.disputes.turn(id, kind === "inquiry" ? "warning_closed" : "won");
    await syncDispute(services, id);
    world.clock.advance(3_600_000);
    await refundDueInvoices(services);
    assertEquals((await strangersInvoice(services))?.money, "refund_failed");
    assertEquals(control.objects("refund").length, 1);
  });
}

Deno.test("an invoice of no bid here is left alone by a store that lost nothing of that time", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const { services, refundId } = await soldAnew(world, into);
  const { store } = services;
  await store.transact(async (tx) => {
    const hold = await tx.holds.find();
    assert(hold !== null);
    const later = world.clock.now() + 10 * 86_400_000;
    const times = { backupAtMs: later, restoredAtMs: later + 1 };
    tx.holds.save({ ...hold, ...times, releasedAtMs: later + 1 });
  });
  world.simulator.control.failRefund(refundId);
  await syncRefund(services, refundId);
  assertEquals(await strangersInvoice(services), undefined);
  assert(world.log.events.includes("refund.of_unknown_payment"));
  // But for what a restore before that one lost.
  await store.transact(async (tx) => {
    const hold = await tx.holds.find();
    assert(hold !== null);
    const untilMs = world.clock.now();
    tx.holds.save({ ...hold, earlier: [{ fromMs: 0, untilMs }] });
  });
  await syncRefund(services, refundId);
  assertEquals((await strangersInvoice(services))?.money, "refund_failed");
});

Deno.test("a refund that comes back of figures whose purchase is not in the backup is booked, and tried again", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const backup = await backupOf(world);
  const { id: intent } = await world.stripe.paymentIntents.create({
    amount: 100,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    metadata: {
      purpose: "metrics",
      payment_id: "ch_lost",
      challenge_id: "ch_lost",
      day: AUCTION_DAY,
    },
  });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const refund = await world.stripe.refunds.create({ payment_intent: intent });
  await releaseNoted(services);
  world.simulator.control.failRefund(refund.id);
  await syncRefund(services, refund.id);
  const payment = await services.store.metricsPayments.find("ch_lost");
  assertEquals([payment?.state, payment?.returned?.failedRefunds], [
    "refunding",
    [refund.id],
  ]);
  assertEquals(await heldOf(services, intent), 100);
});
