/** What an erasure leaves of the bids of a day that has settled. */
import { assert, assertEquals } from "@std/assert";
import { eraseLeftBids } from "../../../domain/privacy/settled_bids.ts";
import type { Candidate } from "../../../domain/settlement/settlement.ts";
import { readSchema, SCHEMA_VERSION, writeSchema } from "../../../kv/schema.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { linesWith } from "../../support/canary_account.ts";
import { eraseOwn } from "../../support/erasures.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";

/** The best bid was passed over, the next one won, the last was not needed. */
interface SoldDay {
  bidders: readonly Advertiser[];
  before: readonly Candidate[];
}

async function sellRaised(world: AuctionWorld): Promise<SoldDay> {
  const { services, clock } = world;
  const passedOver = await world.advertiser(
    "passed",
    "pm_card_chargeCustomerFail",
  );
  const winner = await world.advertiser("winner");
  const loser = await world.advertiser("loser");
  clock.set(`${AUCTION_DAY}T08:00:00.000Z`);
  await raise(world, passedOver, [7_654]);
  await raise(world, winner, [5_001, 6_543]);
  await raise(world, loser, [4_002, 4_321]);
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(services);
  await settleInTime(world);
  const before = await candidatesOf(world);
  assertEquals(before.map(({ step }) => step), [
    "passed_over",
    "won",
    "waiting",
  ]);
  return { bidders: [passedOver, winner, loser], before };
}

/** A bid with the history that placing it has. */
async function raise(
  world: AuctionWorld,
  bidder: Advertiser,
  amounts: readonly number[],
): Promise<void> {
  const { store } = world.services;
  const { adId, account: { id: accountId } } = bidder;
  const { id: bidId, placedAtMs: atMs } = await world.bid(
    bidder,
    Math.max(...amounts),
  );
  await store.transact((tx) =>
    amounts.forEach((amountCents, at) =>
      tx.bidEvents.save({
        ...{ bidId, day: AUCTION_DAY, accountId, adId, amountCents, atMs },
        kind: at === 0 ? "placed" : "raised",
        grantId: null,
      })
    )
  );
}

async function candidatesOf(
  { services: { store } }: AuctionWorld,
): Promise<readonly Candidate[]> {
  return (await store.settlements.find(AUCTION_DAY))?.candidates ?? [];
}

/** What stays: of the last one, which has no invoice, rank and steps alone. */
function leftOf(before: readonly Candidate[]): Candidate[] {
  return before.map((candidate) => {
    const { grantId: _grant, mailId: _mail, ...rest } = candidate;
    const emptied = {
      ...rest,
      paymentMethodId: "",
      customerId: null,
      copy: null,
      cardRefused: false,
      note: null,
    };
    const isInvoiced = candidate.invoiceId !== null;
    return isInvoiced ? emptied : { ...emptied, adId: "", amountCents: 0 };
  });
}

Deno.test("an erasure leaves of the bids of a settled day what their invoices say, and of one without an invoice its rank alone", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const { bidders, before } = await sellRaised(world);
  const [passedOver, winner, loser] = bidders;
  assert(passedOver && winner && loser);
  for (const { account } of bidders) {
    await eraseOwn(services, clock, account.id);
  }
  assertEquals(await candidatesOf(world), leftOf(before));
  const kept = await Promise.all(
    bidders.map(({ account }) => store.bids.find(AUCTION_DAY, account.id)),
  );
  assertEquals(
    kept.map((bid) => bid && [bid.amountCents, bid.paymentMethodId]),
    [[7_654, ""], [6_543, ""], null],
  );
  for (const { bidId } of before) {
    assertEquals(await store.listBidEvents(bidId, { limit: 9 }), []);
  }
  const cards = bidders.map(({ paymentMethodId }) => paymentMethodId);
  const gone = [...cards, "5001", "4002", "4321", loser.adId];
  assertEquals(await linesWith(world, gone.map((id) => id.toLowerCase())), []);
  const customers = before.flatMap(({ customerId }) => customerId ?? []);
  assertEquals(customers.length, 2);
  const named = await linesWith(world, customers.map((id) => id.toLowerCase()));
  assertEquals(
    new Set(named.map(([[family]]) => family)),
    new Set(["invoices"]),
  );
});

Deno.test("an erasure leaves the bids of others on the day as they are", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { bidders, before } = await sellRaised(world);
  await eraseOwn(services, clock, bidders.at(-1)?.account.id ?? "");
  assertEquals(
    await candidatesOf(world),
    [...before.slice(0, -1), ...leftOf(before).slice(-1)],
  );
  const winner = bidders[1]?.account.id ?? "";
  const bid = await services.store.bids.find(AUCTION_DAY, winner);
  const { length } = await services.store.listBidEvents(bid?.id ?? "", {
    limit: 9,
  });
  assertEquals([bid?.amountCents, length], [6_543, 2]);
});

/** The rows as an erasure of an earlier version left them. */
async function leaveAsBefore(
  { services: { store } }: AuctionWorld,
  { bidders, before }: SoldDay,
): Promise<void> {
  await store.transact(async (tx) => {
    const day = await tx.settlements.find(AUCTION_DAY);
    assert(day !== null);
    tx.settlements.save({ ...day, candidates: before });
    for (const [at, { account: { id: accountId } }] of bidders.entries()) {
      const bid = await tx.bids.find(AUCTION_DAY, accountId);
      const { bidId, adId, amountCents, paymentMethodId } = before[at] ?? {};
      assert(bidId && adId && amountCents && paymentMethodId);
      if (bid === null) continue;
      tx.bids.save({ ...bid, paymentMethodId });
      tx.bidEvents.save({
        ...{ bidId, adId, amountCents, accountId, day: AUCTION_DAY },
        kind: "placed",
        atMs: 1,
        grantId: null,
      });
    }
  });
}

Deno.test("a store of a version before loses what erasures left of bids, and nothing of a day that is being settled", async () => {
  await using world = await openAuctionWorld();
  const { services, clock, testStore } = world;
  const { store } = services;
  const sold = await sellRaised(world);
  for (const { account } of sold.bidders) {
    await eraseOwn(services, clock, account.id);
  }
  await leaveAsBefore(world, sold);
  const day = await store.settlements.find(AUCTION_DAY);
  assert(day !== null);
  await store.transact((tx) =>
    tx.settlements.save({ ...day, state: "running" })
  );
  await eraseLeftBids({ store }, day);
  assertEquals(await candidatesOf(world), sold.before);
  await store.transact((tx) => tx.settlements.save(day));
  const read = await readSchema(testStore.realKv);
  const row = { version: 13, readableFrom: 1, migration: null };
  await writeSchema(testStore.realKv, { ...read, row });
  assertEquals(
    await store.migrate(Infinity),
    { version: SCHEMA_VERSION, state: "done" },
  );
  assertEquals(await candidatesOf(world), leftOf(sold.before));
  const cards = sold.before.map(({ paymentMethodId }) => paymentMethodId);
  assertEquals(await linesWith(world, cards.map((id) => id.toLowerCase())), []);
  for (const { bidId } of sold.before) {
    assertEquals(await store.listBidEvents(bidId, { limit: 9 }), []);
  }
});
