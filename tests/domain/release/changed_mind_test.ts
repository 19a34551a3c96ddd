/**
 * A day of which an operator noted that a buyer who is not in the backup bought
 * it, and whose money they gave back after all: it goes to another, and the note
 * says nothing any more.
 */
import { assert, assertEquals } from "@std/assert";
import type { Services } from "../../../domain/ports.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { syncRefund } from "../../../domain/webhooks/sync_refund.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  chargedCents,
  lostAgain,
  releaseNoted,
  soldAfterBackup,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

/** Sold to a stranger after the backup, which an operator noted. */
async function notedAsSold(
  world: AuctionWorld,
  into: TestStore,
): Promise<Services> {
  const services = await soldAfterBackup(world, into, {
    known: { known: 500 },
    isStrangerKnown: true,
  });
  assertEquals(await releaseNoted(services), ["day_sold_to_unknown"]);
  return services;
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
