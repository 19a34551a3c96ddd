/** What is told of each cause: once, with it, or not at all. */
import { assert, assertEquals } from "@std/assert";
import {
  approveCreative,
  rejectCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Services } from "../../../domain/ports.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  type AuctionWorldOptions,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { openPaidDay } from "../../support/paid_day.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";
import { eventsOf, toldTo } from "../../support/told_events.ts";
import { DECEPTIVE, DESK, submitted } from "../creatives/creative_world.ts";

/** The day with bids by these, whose cards are these, just past its closing. */
async function openDay(
  cards: Readonly<Record<string, string>>,
  options: AuctionWorldOptions = {},
): Promise<AuctionWorld> {
  const world = await openAuctionWorld(options);
  await openAuction(world.services, { day });
  let amountCents = 5_000;
  for (const [name, card] of Object.entries(cards)) {
    await world.bid(await world.advertiser(name, card), amountCents--);
  }
  world.clock.set(`${day}T23:55:00.000Z`);
  return world;
}

/** What everybody is told, by their names. */
async function toldOf(
  { services }: AuctionWorld,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const told = await Promise.all(names.map(async (name) => {
    const events = await eventsOf(services, `acc_${name}`);
    return [name, events.map(({ type }) => type)] as const;
  }));
  return Object.fromEntries(told);
}

Deno.test("each review is told once, with its policy where it has one", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const [good, bad] = [
    await submitted(services, ada),
    await submitted(services, ada),
  ];
  for (let nth = 0; nth < 2; nth++) {
    await approveCreative(services, { adId: good, by: DESK });
    await rejectCreative(services, { adId: bad, by: DESK, typed: DECEPTIVE });
  }
  await withdrawApproval(services, { adId: good, by: DESK, typed: DECEPTIVE });
  assertEquals(await toldTo(services, ada.account.id), [
    `creative.approved ${good}`,
    `creative.rejected ${bad} deceptive`,
    `creative.withdrawn ${good} deceptive`,
  ]);
});

Deno.test("a day that is won is told to its bidders: closed, won and paid, lost", async () => {
  const cards = { ada: "pm_card_visa", bob: "pm_card_visa" };
  await using world = await openDay(cards);
  await world.advertiser("eve");
  await advanceAuctions(world.services);
  assertEquals(await toldOf(world, ["ada", "bob", "eve"]), {
    ada: ["auction.closed", "bid.won", "invoice.paid"],
    bob: ["auction.closed", "bid.lost"],
    eve: [],
  });
  const [, won, paid] = await toldTo(world.services, "acc_ada");
  const { store } = world.services;
  const [invoice] = await store.listInvoices("acc_ada", { limit: 9 });
  const bid = await store.bids.find(day, "acc_ada");
  assertEquals(won, `bid.won ${day} ${bid?.id} ad_ada`);
  assertEquals(paid, `invoice.paid ${invoice?.number} ${day}`);
});

Deno.test("a bid whose card is refused is told with the card, and one whose creative is gone as void", async () => {
  await using world = await openDay({
    ada: "pm_card_chargeCustomerFail",
    bob: "pm_card_visa",
    eve: "pm_card_visa",
  });
  const { store } = world.services;
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find("acc_bob", "ad_bob");
    assert(creative !== null);
    tx.creatives.save({ ...creative, state: "rejected" });
  });
  await settleAll(world);
  const told = await toldOf(world, ["ada", "bob", "eve"]);
  assertEquals(told, {
    ada: ["auction.closed", "payment_method.refused", "bid.payment_failed"],
    bob: ["auction.closed", "bid.void"],
    eve: ["auction.closed", "bid.won", "invoice.paid"],
  });
});

async function settleAll(world: AuctionWorld): Promise<void> {
  await closeAuction(world.services, { day });
  await notifyBidders(world.services);
  await settleInTime(world);
  await notifyBidders(world.services);
}

Deno.test("a crash before or after any commit of a day tells each bidder each thing once", async () => {
  const cards = {
    ada: "pm_card_chargeCustomerFail",
    bob: "pm_card_visa",
    eve: "pm_card_visa",
  };
  const points = await everyCrashPoint(async (point) => {
    await using world = await openDay(cards, { isAtHand: true });
    const doomed = world.another();
    doomed.kv.crashAt(point);
    await liveUntilCrash(doomed.services);
    for (let minute = 0; minute < 3; minute++) {
      world.clock.advance(60_000);
      await advanceAuctions(world.services);
    }
    await settleInTime(world);
    await notifyBidders(world.services);
    const told = await toldOf(world, ["ada", "bob", "eve"]);
    const sorted = Object.values(told).map((types) => types.toSorted());
    assertEquals(sorted, [
      ["auction.closed", "bid.payment_failed", "payment_method.refused"],
      ["auction.closed", "bid.won", "invoice.paid"],
      ["auction.closed", "bid.lost"],
    ], JSON.stringify(point));
    return doomed.kv.dead;
  });
  assert(points >= 12, `${points} crash points`);
});

async function liveUntilCrash(services: Services): Promise<void> {
  try {
    await advanceAuctions(services);
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("two processes that tell the bidders of a day tell each of them once", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await openAuction(services, { day });
  const who = await world.advertiser("one");
  // Three commits of eight, and one that is not full.
  const accountIds = Array.from({ length: 27 }, (_, nth) => `acc_${nth}`);
  await services.store.transact((tx) => {
    for (const accountId of accountIds) {
      tx.bids.save({
        id: `bid_${accountId}`,
        day,
        accountId,
        adId: who.adId,
        amountCents: 1_000,
        status: "active",
        placedAtMs: services.clock.now(),
        paymentMethodId: who.paymentMethodId,
        grantId: null,
      });
    }
  });
  await closeAuction(services, { day });
  const others = [services, world.another().services, world.another().services];
  await Promise.all(others.map((each) => notifyBidders(each)));
  for (const accountId of accountIds) {
    assertEquals(await toldTo(services, accountId), [
      `auction.closed ${day} bid_${accountId}`,
    ]);
  }
  assertEquals(await services.store.dayNotices.find(`${day}:closed`), null);
});

Deno.test("a refund, a dispute and a removal are told once each, however often they are looked at", async () => {
  await using paid = await openPaidDay();
  const { services, simulator } = paid.world;
  const { number, paymentId } = await paid.invoice();
  assert(paymentId !== null);
  const before = (await toldTo(services, "acc_lucky")).length;
  const { id } = simulator.control.disputes.open(paymentId);
  for (const turn of ["won", null] as const) {
    await syncDispute(services, id);
    await syncDispute(services, id);
    if (turn !== null) simulator.control.disputes.turn(id, turn);
  }
  for (let nth = 0; nth < 2; nth++) {
    await refundSpotlight(services, { day, note: "goodwill" });
    await removeSpotlight(services, { day, reason: "goodwill" });
  }
  const told = (await toldTo(services, "acc_lucky")).slice(before);
  assertEquals(told, [
    `invoice.disputed ${number} ${day} open`,
    `invoice.disputed ${number} ${day} won`,
    `invoice.refunded ${number} ${day}`,
    `spotlight.removed ${day}`,
  ]);
});
