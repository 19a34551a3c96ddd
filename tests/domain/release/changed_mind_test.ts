/**
 * A day of which an operator noted that a buyer who is not in the backup bought
 * it, and whose money they gave back after all: it goes to another, and the note
 * says nothing any more.
 */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  backupOf,
  chargedCents,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** Sold to a stranger after the backup, which an operator noted. */
async function notedAsSold(
  world: AuctionWorld,
  into: TestStore,
): Promise<Services> {
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(await world.advertiser("known"), 500);
  const stranger = await world.advertiser("stranger");
  const backup = await backupOf(world);
  await world.bid(stranger, 900);
  await sellDay(world);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  assertEquals(await releaseNoted(services), ["day_sold_to_unknown"]);
  return services;
}

/** Releases the store with all that is left taken note of. */
async function releaseNoted(services: Services): Promise<string[]> {
  const { left } = await releaseStore(services, { acknowledged: [] });
  await releaseStore(services, { acknowledged: left.map(itemId) });
  assertEquals(await services.store.currentHold(), null);
  return left.map(({ kind }) => kind);
}

/** The store of these services, lost and brought back as it is now. */
async function lostAgain(
  world: AuctionWorld,
  from: TestStore,
  into: TestStore,
): Promise<Services> {
  const backup = await backupOf({ testStore: from, clock: world.clock });
  world.clock.advance(60_000);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

async function giveBack({ stripe, simulator }: AuctionWorld): Promise<string> {
  const [charge] = simulator.control.objects("charge");
  return (await stripe.refunds.create({ charge: charge?.id ?? "" })).id;
}

async function sellAnew(world: AuctionWorld, services: Services) {
  await closeDay(services);
  await settleInTime(world, services);
  assertEquals(chargedCents(world), [900, 500]);
}

/** The refund comes back from the bank, and is owed to the stranger. */
async function comesBackAndIsOwed(
  world: AuctionWorld,
  services: Services,
  refundId: string,
): Promise<void> {
  world.simulator.control.failRefund(refundId);
  await syncRefund(services, refundId);
  const { store } = services;
  const [invoice] = await store.listInvoices("acc_stranger", { limit: 9 });
  assertEquals([invoice?.money, invoice?.wasSold], ["refund_failed", false]);
  const account = await store.accounts.find("acc_stranger");
  assertEquals(account?.paidWins, 0);
  const mails = await store.listMails({ limit: 99 });
  const told = mails.filter(({ subject }) =>
    subject.includes("A refund failed")
  );
  assertEquals(told.length, 1);
}

Deno.test("money that was given back after all, at a later review than the one that noted it as a sale, is owed when it comes back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await using again = await openTestStore({ clock: world.clock });
  await notedAsSold(world, into);
  const services = await lostAgain(world, into, again);
  const { left } = await releaseStore(services, { acknowledged: [] });
  assertEquals(left.map(({ kind }) => kind), ["day_sold_to_unknown"]);
  const refundId = await giveBack(world);
  await releaseNoted(services);
  await sellAnew(world, services);
  await comesBackAndIsOwed(world, services, refundId);
});

Deno.test("money that was given back between the release that noted it as a sale and the settlement is owed when it comes back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await notedAsSold(world, into);
  const refundId = await giveBack(world);
  await sellAnew(world, services);
  await comesBackAndIsOwed(world, services, refundId);
});

Deno.test("a sale that an operator noted, of a day that another has bought since, is asked about again after the next restore", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await using again = await openTestStore({ clock: world.clock });
  const before = await notedAsSold(world, into);
  const refundId = await giveBack(world);
  await sellAnew(world, before);
  world.simulator.control.failRefund(refundId);
  const services = await lostAgain(world, into, again);
  const { left } = await releaseStore(services, { acknowledged: [] });
  const kinds = left.map(({ kind }) => kind);
  assert(kinds.includes("day_sold_twice"), kinds.join());
});
