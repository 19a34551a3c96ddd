import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { invoiceStatus } from "../../../domain/invoices/invoice_status.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import type { Services } from "../../../domain/ports.ts";
import { readReview } from "../../../domain/release/read_review.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const day = AUCTION_DAY;
const NOTHING = { acknowledged: [] };

/** When the backup was made of a day that the best bidder's card kept waiting. */
type BackupAt = "before the close" | "while its payment is asked for";

/**
 * The best bidder's payment had no answer for an hour, so that its invoice was
 * voided and the runner-up sold the day.
 */
async function soldToRunnerUp(
  world: AuctionWorld,
  at: BackupAt,
): Promise<Uint8Array<ArrayBuffer>> {
  const { services, simulator: { control }, clock } = world;
  await world.bid(await world.advertiser("ada"), 20_000);
  await world.bid(await world.advertiser("bob"), 10_000);
  await openAuction(services, { day });
  const before = await backupOf(world);
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  const fault = control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/invoices/*/pay",
    times: null,
  });
  await settleDay(services, { day });
  const meanwhile = await backupOf(world);
  for (let tries = 0; tries < 14; tries++) {
    clock.advance(5 * 60_000);
    await settleDay(services, { day, force: true });
  }
  control.removeFault(fault);
  await settleInTime(world);
  assertEquals(paidOf(world), ["10000 kept"]);
  return at === "before the close" ? before : meanwhile;
}

function paidOf({ simulator }: AuctionWorld): string[] {
  return simulator.control.objects("charge").filter(({ paid }) => paid)
    .map(({ amount, amount_refunded: back }) =>
      `${amount} ${back === amount ? "given back" : "kept"}`
    ).toSorted();
}

function invoiceOf({ simulator }: AuctionWorld, total: number): string {
  const found = simulator.control.objects("invoice")
    .find((each) => each.total === total);
  assert(found, `there is an invoice of ${total}`);
  return found.id;
}

async function restored(
  world: AuctionWorld,
  into: TestStore,
  backup: Uint8Array<ArrayBuffer>,
): Promise<Services> {
  world.clock.advance(3 * 3_600_000);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** What an account is told of its invoice. */
async function statusOf(
  { store }: Services,
  invoiceId: string,
): Promise<string | null> {
  const invoice = await store.invoices.find(invoiceId);
  return invoice === null ? null : invoiceStatus(invoice);
}

async function stepsOf({ store }: Services): Promise<string[]> {
  const settlement = await store.settlements.find(day);
  return settlement?.candidates.map((each) => each.step).toSorted() ?? [];
}

async function assertSoldToRunnerUp(
  services: Services,
  what = "",
): Promise<void> {
  const { store } = services;
  const bids = await store.listBids(day, { limit: 9 });
  const states = bids.map((bid) => `${bid.accountId} ${bid.status}`);
  assertEquals(states, ["acc_ada active", "acc_bob won"], what);
  assertEquals((await store.spotlights.find(day))?.accountId, "acc_bob", what);
  assertEquals(
    await readReview(services, {
      backupAtMs: 0,
      acknowledged: [],
    }),
    [],
    what,
  );
  const entries = await store.listLedger({ limit: 100 });
  const cents = entries.flatMap(({ lines }) => lines)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  assertEquals(cents, 0, what);
}

for (
  const [at, steps] of [
    ["before the close", ["waiting", "won"]],
    ["while its payment is asked for", ["passed_over", "won"]],
  ] satisfies [BackupAt, string[]][]
) {
  Deno.test(`a release from a backup ${at} writes the void invoices of a sold day down, and leaves nobody half way`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const backup = await soldToRunnerUp(world, at);
    const services = await restored(world, into, backup);
    const { left } = await releaseStore(services, NOTHING);
    assertEquals(left, []);
    assertEquals(await stepsOf(services), steps);
    const voided = invoiceOf(world, 20_000);
    assertEquals(await statusOf(services, voided), "void");
    await assertSoldToRunnerUp(services);
    assertEquals(paidOf(world), ["10000 kept"]);
  });

  Deno.test(`money that comes late for a day that was taken over from a backup ${at} is given back and booked`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const backup = await soldToRunnerUp(world, at);
    const services = await restored(world, into, backup);
    await releaseStore(services, NOTHING);
    const voided = invoiceOf(world, 20_000);
    const { id } = world.simulator.control.invoices.payLate(voided);
    await syncPayment(services, id);
    await syncInvoice(services, voided);
    assertEquals(paidOf(world), ["10000 kept", "20000 given back"]);
    assertEquals(await statusOf(services, voided), "refunded");
    assert(world.log.events.includes("invoice.paid_late"));
    await assertSoldToRunnerUp(services);
  });

  Deno.test(`a review of a backup ${at} tells late money from that of the winner, and its release gives that back`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const backup = await soldToRunnerUp(world, at);
    const voided = invoiceOf(world, 20_000);
    world.simulator.control.invoices.payLate(voided);
    const services = await restored(world, into, backup);
    const { items } = await reviewHold(services);
    const named = items.map((item) => `${item.kind} ${itemId(item)}`);
    const winning = invoiceOf(world, 10_000);
    assertEquals(named, [
      `paid_late paid_late:${voided}`,
      `day_sold day_sold:${winning}`,
    ]);
    const { left } = await releaseStore(services, NOTHING);
    assertEquals(left, []);
    world.clock.advance(3_600_000);
    await refundDueInvoices(services);
    assertEquals(paidOf(world), ["10000 kept", "20000 given back"]);
    await assertSoldToRunnerUp(services);
  });

  Deno.test(`a review of a backup ${at} names no late money that was given back, and its release books it`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const backup = await soldToRunnerUp(world, at);
    const voided = invoiceOf(world, 20_000);
    world.simulator.control.invoices.payLate(voided);
    await syncInvoice(world.services, voided);
    assertEquals(paidOf(world), ["10000 kept", "20000 given back"]);
    const services = await restored(world, into, backup);
    const { items } = await reviewHold(services);
    assertEquals(items.map(({ kind }) => kind), ["day_sold"]);
    const { left } = await releaseStore(services, NOTHING);
    assertEquals(left, []);
    assertEquals(await statusOf(services, voided), "refunded");
    await assertSoldToRunnerUp(services);
  });
}

Deno.test("a crash at any commit of a release that passes others over ends the same", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const backup = await soldToRunnerUp(
      world,
      "while its payment is asked for",
    );
    const services = await restored(world, into, backup);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    await releaseStore(gatedOver(world, doomed), NOTHING).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    world.clock.advance(60_000);
    const { left } = await releaseStore(services, NOTHING);
    const what = JSON.stringify(point);
    assertEquals(left, [], what);
    await assertSoldToRunnerUp(services, what);
    return doomed.kv.dead;
  });
  assert(points >= 10, `${points} crash points`);
});

/** Both bidders have paid for the day since the backup, ada first. */
async function soldTwice(
  world: AuctionWorld,
  into: TestStore,
): Promise<{ services: Services; ada: string; bob: string }> {
  const { stripe } = world;
  await world.bid(await world.advertiser("ada"), 900);
  const bob = await world.advertiser("bob");
  const { id: bid_id } = await world.bid(bob, 700);
  await openAuction(world.services, { day });
  const backup = await backupOf(world);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
  world.clock.advance(60_000);
  // As a second service over another copy of the store would do it.
  const customer = bob.account.processorCustomerId ?? "";
  const metadata = { purpose: "spotlight", day, bid_id };
  const { id: invoice = "" } = await stripe.invoices.create({
    customer,
    metadata,
  });
  const line = { customer, invoice, amount: 700, currency: "eur" };
  await stripe.invoiceItems.create(line);
  await stripe.invoices.finalizeInvoice(invoice, { auto_advance: false });
  await stripe.invoices.pay(invoice, { payment_method: bob.paymentMethodId });
  assertEquals(paidOf(world), ["700 kept", "900 kept"]);
  return {
    services: await restored(world, into, backup),
    ada: invoiceOf(world, 900),
    bob: invoice,
  };
}

async function giveBack(world: AuctionWorld, amount: number): Promise<void> {
  const found = world.simulator.control.objects("charge")
    .find((each) => each.amount === amount);
  await world.stripe.refunds.create({ charge: found?.id ?? "" });
}

for (
  const [whose, cents, winner] of [
    ["the second", 700, "ada"],
    ["the first", 900, "bob"],
  ] as const
) {
  Deno.test(`of two who have paid for a day, ${whose} is not blamed any more once its money is given back`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const { services, ...invoices } = await soldTwice(world, into);
    const named = async () =>
      (await reviewHold(services)).items.map((item) =>
        `${item.kind} ${itemId(item)}`
      );
    assertEquals(await named(), [
      `day_sold day_sold:${invoices.ada}`,
      `day_sold_twice day_sold_twice:${invoices.bob}`,
    ]);
    await giveBack(world, cents);
    assertEquals(await named(), [`day_sold day_sold:${invoices[winner]}`]);
    const { left } = await releaseStore(services, NOTHING);
    assertEquals(left, []);
    const spotlight = await services.store.spotlights.find(day);
    assertEquals(spotlight?.accountId, `acc_${winner}`);
    assertEquals(
      await readReview(services, {
        backupAtMs: 0,
        acknowledged: [],
      }),
      [],
    );
  });
}

Deno.test("money that comes for an invoice whose voiding is without an answer is given back at the first look", async () => {
  await using world = await openAuctionWorld();
  const { services, simulator: { control } } = world;
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  await world.bid(ada, 900);
  await world.bid(await world.advertiser("bob"), 700);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/invoices/*/void",
  });
  await settleDay(services, { day });
  assertEquals(await stepsOf(services), ["voiding", "waiting"]);
  const card = await services.processor.attachCard(
    ada.account.processorCustomerId ?? "",
    "pm_card_visa",
    "another card",
  );
  const voided = invoiceOf(world, 900);
  control.invoices.payLate(voided, card.ok ? card.value.id : "");
  await syncInvoice(services, voided);
  assertEquals(await stepsOf(services), ["passed_over", "won"]);
  assertEquals(paidOf(world), ["700 kept", "900 given back"]);
});

Deno.test("a late payment of an invoice that was drafted long before the backup is named by its invoice, and booked by the release", async () => {
  await using world = await openAuctionWorld();
  const { services, clock, simulator: { control } } = world;
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  await world.bid(ada, 900);
  await world.bid(await world.advertiser("bob"), 700);
  clock.set(`${day}T23:55:00.000Z`);
  await closeDay(services);
  await settleInTime(world);
  clock.advance(3 * DAY_MS);
  await advanceAuctions(services);
  const backup = await backupOf(world);
  clock.advance(60_000);
  const voided = invoiceOf(world, 900);
  const { processor } = services;
  const customer = ada.account.processorCustomerId ?? "";
  const card = await processor.attachCard(customer, "pm_card_visa", "another");
  control.invoices.payLate(voided, card.ok ? card.value.id : "");
  await using into = await openTestStore({ clock });
  await restoreInto(into, backup);
  const restoredServices = gatedOver(world, into);
  const { items } = await reviewHold(restoredServices);
  assertEquals(items.map(({ kind }) => kind), ["invoice_to_book"]);
  const { left } = await releaseStore(restoredServices, NOTHING);
  assertEquals(left, []);
  clock.advance(3_600_000);
  await refundDueInvoices(restoredServices);
  assertEquals(paidOf(world), ["700 kept", "900 given back"]);
});
