/**
 * A day that was sold after the backup with an ad that the backup has not: once
 * the operator took note of that, the sale stands without its ad.
 */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { BUILT_IN_HOUSE_AD } from "../../../domain/creatives/house_rotation.ts";
import { addDays } from "../../../domain/day.ts";
import { archiveDocuments } from "../../../domain/invoices/archive_documents.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { Services } from "../../../domain/ports.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { releaseStore } from "../../../domain/release/release_store.ts";
import { itemId } from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  backupOf,
  chargedCents,
  gatedOver,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const day = AUCTION_DAY;

/** Ada bought the day by a raise to a new ad, of which the backup has neither. */
async function soldWithNewAd(
  world: AuctionWorld,
  into: TestStore,
  bobsCents = 400,
): Promise<Services> {
  await openAuction(world.services, { day });
  const ada = await world.advertiser("ada");
  await world.bid(ada, 500);
  await world.bid(await world.advertiser("bob"), bobsCents);
  const backup = await backupOf(world);
  await world.services.store.transact(async (tx) => {
    const creative = await tx.creatives.find(ada.account.id, ada.adId);
    const bid = await tx.bids.find(day, ada.account.id);
    assert(creative !== null && bid !== null);
    tx.creatives.save({ ...creative, adId: "ad_new", headline: "New" });
    tx.bids.save({ ...bid, adId: "ad_new", amountCents: 900 });
  });
  await sellDay(world);
  assertEquals(chargedCents(world), [900]);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

/** As many of the operator's own as a turn reads, and more. */
async function addHouseAds({ store }: Services): Promise<void> {
  await store.transact((tx) => {
    for (const id of ["house_1", "house_2", "house_3", "house_4"]) {
      tx.houseAds.save({ ...BUILT_IN_HOUSE_AD, id, headline: id });
    }
  });
}

/** What is left of a release of which nothing was noted yet. */
async function leftOf(services: Services): Promise<string[]> {
  const { left } = await releaseStore(services, { acknowledged: [] });
  assertEquals(left.map(({ kind }) => kind), ["not_adopted"]);
  left.map(reviewText).forEach((text) => {
    assert(text.includes("its creative is not known"), text);
    assert(text.includes("the sale stands"), text);
  });
  return left.map(itemId);
}

async function adasInvoice({ store }: Services) {
  const [invoice, ...others] = await store.listInvoices("acc_ada", {
    limit: 9,
  });
  assertEquals(others, []);
  return invoice;
}

async function mailsOf({ store }: Services): Promise<string[]> {
  const mails = await store.listMails({ limit: 20 });
  return mails.map(({ kind, to }) => `${kind} ${to}`).toSorted();
}

/** Everything that may still move its money, days after. */
async function goOn(world: AuctionWorld, services: Services): Promise<void> {
  const [found] = world.simulator.control.objects("invoice");
  await syncInvoice(services, found?.id ?? "");
  world.clock.set(`${addDays(day, 2)}T02:30:00.000Z`);
  await advanceAuctions(services);
  await refundDueInvoices(services);
  await archiveDocuments(services);
  for (const each of [day, addDays(day, 1)]) {
    const { differences } = await reconcileDay(services, each);
    assertEquals(differences, [], each);
  }
}

for (const bobsCents of [400, 600]) {
  Deno.test(`a day that was sold with an ad that is lost stays sold once an operator noted it, beside a bid of ${bobsCents} cents`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await soldWithNewAd(world, into, bobsCents);
    await addHouseAds(services);
    const acknowledged = await leftOf(services);
    const { left } = await releaseStore(services, { acknowledged });
    assertEquals(left, []);
    assertEquals(await services.store.currentHold(), null);
    await advanceAuctions(services);
    const spotlight = await services.store.spotlights.find(day);
    assertEquals(spotlight?.contentType, "house_advertisement");
    assertEquals(spotlight?.headline, "house_1");
    await goOn(world, services);
    assertEquals(chargedCents(world), [900]);
    assertEquals(world.simulator.control.objects("refund"), []);
    const invoice = await adasInvoice(services);
    assertEquals([invoice?.money, invoice?.wasSold], ["sold", true]);
    const bid = await services.store.bids.find(day, "acc_ada");
    assertEquals([bid?.status, bid?.amountCents], ["won", 900]);
    assertEquals(await mailsOf(services), ["bid_lost bob@example.com"]);
    const settlement = await services.store.settlements.find(day);
    const [ada] = settlement?.candidates ?? [];
    assertEquals([ada?.step, ada?.mailId], ["won", undefined]);
    const account = await services.store.accounts.find("acc_ada");
    assertEquals(account?.paidWins, 1);
    const entries = await services.store.listLedger({ limit: 99 });
    assertEquals(balanceOf(entries, "processor_clearing"), 900);
    assertEquals(balanceOf(entries, "refunds_due"), 0);
  });
}

Deno.test("a sale without its ad that an operator noted stands, however late it was paid", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldWithNewAd(world, into);
  world.clock.set(`${addDays(day, 3)}T12:00:00.000Z`);
  const { processor } = services;
  const paidLate: Services = {
    ...services,
    processor: {
      ...processor,
      async retrieveInvoice(id) {
        const asked = await processor.retrieveInvoice(id);
        if (!asked.ok) return asked;
        return {
          ok: true,
          value: { ...asked.value, paidAtMs: world.clock.now() },
        };
      },
    },
  };
  const acknowledged = await leftOf(paidLate);
  await releaseStore(paidLate, { acknowledged });
  await advanceAuctions(paidLate);
  const bid = await services.store.bids.find(day, "acc_ada");
  assertEquals([bid?.status, bid?.amountCents], ["won", 900]);
});

for (const bobsCents of [400, 600]) {
  Deno.test(`a note of a lost ad counts also where the processor gave the release no answer, beside a bid of ${bobsCents} cents`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await soldWithNewAd(world, into, bobsCents);
    const acknowledged = await leftOf(services);
    const retrieveInvoice = () =>
      Promise.reject(new ProcessorUncertain("no answer"));
    const processor = { ...services.processor, retrieveInvoice };
    const { left, items } = await releaseStore(
      { ...services, processor },
      { acknowledged },
    );
    assertEquals([left.length, items.length], [0, 1]);
    await advanceAuctions(services);
    await goOn(world, services);
    assertEquals(chargedCents(world), [900]);
    assertEquals((await adasInvoice(services))?.money, "sold");
    assertEquals(await mailsOf(services), ["bid_lost bob@example.com"]);
  });
}

Deno.test("money of a day with a lost ad that was given back before the release is booked, and nobody else is charged", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldWithNewAd(world, into);
  const acknowledged = await leftOf(services);
  const [charge] = world.simulator.control.objects("charge");
  await world.stripe.refunds.create({ charge: charge?.id ?? "" });
  const { left } = await releaseStore(services, { acknowledged });
  assertEquals(left, []);
  await goOn(world, services);
  assertEquals(chargedCents(world), [900]);
  const invoice = await adasInvoice(services);
  assertEquals([invoice?.money, invoice?.wasSold], ["refunded", true]);
});

Deno.test("a crash at any commit of a release that settles a day without its lost ad books it once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await soldWithNewAd(world, into);
    const acknowledged = await leftOf(services);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    await releaseStore(gatedOver(world, doomed), { acknowledged })
      .catch((error) => {
        if (!isCrash(error)) throw error;
      });
    world.clock.advance(60_000);
    const { left } = await releaseStore(services, { acknowledged });
    assertEquals(left, []);
    await advanceAuctions(services);
    assertEquals((await adasInvoice(services))?.money, "sold");
    const account = await services.store.accounts.find("acc_ada");
    assertEquals(account?.paidWins, 1);
    assertEquals(chargedCents(world), [900]);
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} points`);
});

Deno.test("a sale without its ad stands though nothing is answered about it for longer than its time on show", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await soldWithNewAd(world, into);
  const { control } = world.simulator;
  const acknowledged = await leftOf(services);
  const path = "/v1/invoices/*";
  const silence = { kind: "reset_before_effect", times: null } as const;
  control.addFault({ ...silence, method: "GET", path });
  await releaseStore(services, { acknowledged });
  for (let minute = 0; minute < 70; minute++) {
    await advanceAuctions(services);
    world.clock.advance(60_000);
  }
  const settlement = await services.store.settlements.find(day);
  assertEquals(settlement?.state, "running");
  assertEquals(settlement?.candidates[0]?.accountId, "acc_ada");
  control.clearFaults();
  world.clock.set(`${addDays(day, 2)}T00:00:00.000Z`);
  await advanceAuctions(services);
  assertEquals(chargedCents(world), [900]);
  const bid = await services.store.bids.find(day, "acc_ada");
  assertEquals([bid?.status, bid?.amountCents], ["won", 900]);
});
