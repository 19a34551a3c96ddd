/**
 * A day whose first bidder raised to another ad after the backup, of which the
 * restored store has neither: what becomes of the bid's own invoice.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { balanceOf } from "../../../domain/ledger/book_entry.ts";
import type { Services } from "../../../domain/ports.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
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
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const day = AUCTION_DAY;
const OVER = `${addDays(day, 2)}T00:00:00.000Z`;

/** Ada's raise was charged, or its invoice made final, before all was lost. */
async function restoredAfterRaise(
  world: AuctionWorld,
  into: TestStore,
  isPaid: boolean,
  isAdLost = true,
): Promise<Services> {
  await openAuction(world.services, { day });
  const ada = await world.advertiser("ada");
  await world.bid(ada, 500);
  await world.bid(await world.advertiser("bob"), 400);
  const backup = await backupOf(world);
  await world.services.store.transact(async (tx) => {
    const creative = await tx.creatives.find(ada.account.id, ada.adId);
    const bid = await tx.bids.find(day, ada.account.id);
    assert(creative !== null && bid !== null);
    const adId = isAdLost ? "ad_new" : ada.adId;
    tx.creatives.save({ ...creative, adId, headline: "New" });
    tx.bids.save({ ...bid, adId, amountCents: 900 });
  });
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  const dying = world.another((real) => ({
    ...real,
    payInvoice: () => Promise.reject(new Error("The process is killed")),
  }));
  const { services: lost } = isPaid ? world : dying;
  await settleInTime(world, lost).catch(() => {});
  assertEquals(chargedCents(world), isPaid ? [900] : []);
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await endHold(services);
  await closeDay(services);
  return services;
}

/** Until there is nothing left to sell, and nobody is told anything. */
async function waitUntilOver(
  world: AuctionWorld,
  services: Services,
): Promise<void> {
  for (let nth = 0; nth < 3; nth++) {
    const { state } = await settleDay(services, { day, force: true });
    assertEquals(state, "running");
    world.clock.advance(3_600_000);
  }
  assertEquals(await services.store.listMails({ limit: 9 }), []);
  world.clock.set(OVER);
}

async function bidsOf({ store }: Services): Promise<string[]> {
  const bids = await store.listBids(day, { limit: 9 });
  return bids.map(({ accountId, status }) => `${accountId} ${status}`);
}

async function toldTo({ store }: Services, to: string): Promise<string[]> {
  const mails = await store.listMails({ limit: 20 });
  return mails.filter((mail) => mail.to.startsWith(to))
    .map(({ kind, text }) => `${kind}: ${text.replaceAll(/\s+/g, " ")}`)
    .toReversed();
}

async function assertGivenBack(
  world: AuctionWorld,
  services: Services,
): Promise<void> {
  const { store } = services;
  assertEquals(await bidsOf(services), ["acc_ada void", "acc_bob void"]);
  assertEquals(chargedCents(world), [900], "and nobody else");
  const [invoice] = await store.listInvoices("acc_ada", { limit: 9 });
  assertEquals(
    [invoice?.state, invoice?.money, invoice?.refundReason],
    ["paid", "refunded", "late_payment"],
  );
  const [charge] = world.simulator.control.objects("charge");
  assertEquals(charge?.amount_refunded, 900);
  const books = await store.listLedger({ limit: 9 });
  assertEquals(balanceOf(books, "refunds_due"), 0);
}

Deno.test("what was paid for a day that is over, and for an ad that is lost, goes back, and its owner is told nothing else", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restoredAfterRaise(world, into, true);
  await waitUntilOver(world, services);
  await settleInTime(world, services);
  const { store } = services;
  const before = (await store.listInvoices("acc_ada", { limit: 9 }))
    .map(({ money }) => money);
  assertEquals(before, ["refunding"], "in the commit that ends the bid");
  const [told = "", ...more] = await toldTo(services, "ada");
  assertEquals(more, []);
  assertStringIncludes(told, "all of that goes back to your card");
  assert(!told.includes("not charged") && !told.includes("nothing was"), told);
  const [bobs = ""] = await toldTo(services, "bob");
  assertStringIncludes(bobs, "You are not charged");
  await refundDueInvoices(services);
  const [found] = world.simulator.control.objects("invoice");
  await syncInvoice(services, found?.id ?? "");
  await refundDueInvoices(services);
  await assertGivenBack(world, services);
});

Deno.test("a raise that was paid, and whose ad is there, has its day though its time on show ends before the processor lists the day's invoices", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restoredAfterRaise(world, into, true, false);
  const { control } = world.simulator;
  const kind = "reset_before_effect";
  const fault = control.addFault({
    kind,
    method: "GET",
    path: "/v1/invoices",
    times: null,
  });
  await settleDay(services, { day, force: true });
  control.removeFault(fault);
  world.clock.set(OVER);
  await settleInTime(world, services);
  assertEquals(await bidsOf(services), ["acc_ada won", "acc_bob active"]);
  const spotlight = await services.store.spotlights.find(day);
  assertEquals(spotlight?.accountId, "acc_ada");
  assertEquals(control.objects("refund"), []);
});

Deno.test("an open invoice for an ad that is lost is void at the processor before its owner is told that nothing was charged", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restoredAfterRaise(world, into, false);
  await waitUntilOver(world, services);
  const fault = world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/invoices/*/void",
    times: null,
  });
  await settleDay(services, { day, force: true });
  assertEquals(await toldTo(services, "ada"), []);
  world.simulator.control.removeFault(fault);
  await settleInTime(world, services);
  const invoices = world.simulator.control.objects("invoice");
  assertEquals(invoices.map(({ status }) => status), ["void"]);
  assertEquals(await bidsOf(services), ["acc_ada void", "acc_bob void"]);
  const [told = ""] = await toldTo(services, "ada");
  assertStringIncludes(told, "You are not charged");
  assertEquals(chargedCents(world), []);
});

Deno.test("an invoice that is paid just before it is void at the processor gives its money back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const services = await restoredAfterRaise(world, into, false);
  await waitUntilOver(world, services);
  const { processor } = services;
  const account = await services.store.accounts.find("acc_ada");
  const racing: Services = {
    ...services,
    processor: {
      ...processor,
      voidInvoice: async (id, key) => {
        const card = account?.defaultPaymentMethodId ?? "";
        await processor.payInvoice(id, card, "the lost service");
        return await processor.voidInvoice(id, key);
      },
    },
  };
  await settleInTime(world, racing);
  await refundDueInvoices(services);
  await assertGivenBack(world, services);
});

Deno.test("a crash at any commit of giving up a paid invoice gives its money back once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const services = await restoredAfterRaise(world, into, true);
    world.clock.set(OVER);
    const doomed = into.another();
    doomed.kv.crashAt(point);
    const { store, archive } = doomed;
    try {
      await settleInTime(world, { ...services, store, archive });
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    await settleInTime(world, services);
    await refundDueInvoices(services);
    await assertGivenBack(world, services);
    const told = await toldTo(services, "ada");
    const kinds = told.map((mail) => mail.split(":")[0]).toSorted();
    assertEquals(kinds, ["bid_void", "money_refunded"], JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 6, `${points} crash points`);
});
