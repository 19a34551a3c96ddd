/**
 * A day that was sold to a bid that is not in the backup, and of which the
 * operator noted that: the sale stands, and everybody else has lost.
 */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { reviewHold } from "../../../domain/release/release_store.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  chargedCents,
  gatedOver,
  releaseNoted,
  restoreInto,
  sellDay,
  soldAfterBackup,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const KNOWN = ["acc_known", "acc_other"];

/** A day of two bidders, and a stranger who bought it after the backup. */
function soldToStranger(
  world: AuctionWorld,
  into: TestStore,
): Promise<Services> {
  return soldAfterBackup(world, into, { known: { known: 500, other: 400 } });
}

async function statusesOf({ store }: Services): Promise<string[]> {
  const bids = await store.listBids(AUCTION_DAY, { limit: 9 });
  return bids.map(({ accountId, status }) => `${accountId} ${status}`);
}

Deno.test("a day of which an operator noted that it was sold settles at once, and whoever bid here has lost it", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToStranger(world, into);
  assertEquals(await releaseNoted(services), ["day_sold_to_unknown"]);
  await closeDay(services);
  const { state, candidates } = await settleDay(services, { day: AUCTION_DAY });
  assertEquals(state, "settled");
  assertEquals(candidates.map(({ note }) => note), [
    "the day was sold to another bid",
    "the day was sold to another bid",
  ]);
  assertEquals(chargedCents(world), [900]);
  assertEquals(await statusesOf(services), KNOWN.map((id) => `${id} active`));
  await notifyBidders(services);
  const mails = await services.store.listMails({ limit: 20 });
  assertEquals(mails.map(({ kind }) => kind), ["bid_lost", "bid_lost"]);
  const spotlight = await services.store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.contentType, "house_advertisement");
});

Deno.test("a bidder whose invoice is final loses a day that an operator noted as sold: it is void, and nothing is charged", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(await world.advertiser("known"), 500);
  world.clock.set(`${AUCTION_DAY}T20:00:00.000Z`);
  await closeDay(world.services);
  const path = "/v1/invoices/*/pay";
  const { control } = world.simulator;
  control.addFault({ kind: "error_before_effect", method: "POST", path });
  await settleDay(world.services, { day: AUCTION_DAY });
  const backup = await backupOf(world);
  const paid = await paidByStranger(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  // The bidder's own invoice stands as the backup has it.
  assertEquals(await releaseNoted(services), ["day_sold_to_unknown"]);
  for (let nth = 0; nth < 3; nth++) {
    world.clock.advance(10 * 60_000);
    await settleDay(services, { day: AUCTION_DAY });
  }
  const settlement = await services.store.settlements.find(AUCTION_DAY);
  assertEquals(settlement?.state, "settled");
  assertEquals(chargedCents(world), [900]);
  assertEquals(await statusesOf(services), ["acc_known active"]);
  const states = control.objects("invoice")
    .map(({ id, status }) => `${id === paid ? "theirs" : "own"} ${status}`);
  assertEquals(states.toSorted(), ["own void", "theirs paid"]);
  const [own, ...others] = await services.store.listInvoices("acc_known", {
    limit: 9,
  });
  assertEquals([own?.state, others], ["void", []]);
});

/** A day's invoice of a bid that no backup has, paid. */
async function paidByStranger(world: AuctionWorld): Promise<string> {
  const { stripe } = world;
  const { account, paymentMethodId } = await world.advertiser("stranger");
  const customer = account.processorCustomerId ?? "";
  const draft = await stripe.invoices.create({
    customer,
    collection_method: "charge_automatically",
    auto_advance: false,
    metadata: { purpose: "spotlight", day: AUCTION_DAY, bid_id: "bid_else" },
  });
  const invoice = draft.id ?? "";
  await stripe.invoiceItems.create({
    customer,
    invoice,
    amount: 900,
    currency: "eur",
  });
  await stripe.invoices.finalizeInvoice(invoice);
  await stripe.invoices.pay(invoice, { payment_method: paymentMethodId });
  return invoice;
}

Deno.test("a day that waits for a person does so only while there is something to sell", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldToStranger(world, into);
  // Nobody noted anything: the processor named no invoice yet.
  await services.store.transact(async (tx) => {
    const hold = await tx.holds.find();
    assert(hold !== null);
    tx.holds.save({ ...hold, releasedAtMs: world.clock.now() });
  });
  await closeDay(services);
  const settled = async () =>
    (await settleDay(services, { day: AUCTION_DAY, force: true })).state;
  assertEquals(await settled(), "running");
  world.clock.set(`${addDays(AUCTION_DAY, 1)}T23:54:00.000Z`);
  assertEquals(await settled(), "running");
  world.clock.set(`${addDays(AUCTION_DAY, 1)}T23:55:00.000Z`);
  assertEquals(await settled(), "settled");
  assertEquals(await statusesOf(services), KNOWN.map((id) => `${id} void`));
  assertEquals(chargedCents(world), [900]);
});

Deno.test("what was paid for a day that had settled on nobody is named to a person: no operator noted a sale of it", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await openAuction(world.services, { day: AUCTION_DAY });
  await sellDay(world);
  const backup = await backupOf(world);
  const invoiceId = await paidByStranger(world);
  // A void one of another bid costs nobody anything.
  const [{ id: customer } = { id: "" }] = world.simulator.control.objects(
    "customer",
  );
  const { id: voided = "" } = await world.stripe.invoices.create({
    customer,
    metadata: { purpose: "spotlight", day: AUCTION_DAY, bid_id: "bid_third" },
  });
  const line = { customer, invoice: voided, amount: 700, currency: "eur" };
  await world.stripe.invoiceItems.create(line);
  await world.stripe.invoices.finalizeInvoice(voided, { auto_advance: false });
  await world.stripe.invoices.voidInvoice(voided);
  await restoreInto(into, backup);
  const { items } = await reviewHold(gatedOver(world, into));
  assertEquals(items, [
    { kind: "day_sold_twice", day: AUCTION_DAY, invoiceId },
  ]);
});
