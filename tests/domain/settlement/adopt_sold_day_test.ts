import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays, DAY_MS } from "../../../domain/day.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import { adoptSoldDay } from "../../../domain/settlement/adopt_sold_day.ts";
import { newSaga } from "../../../domain/settlement/saga.ts";
import { settleDay, takeLease } from "../../../domain/settlement/settle_day.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { invoiceByHand } from "../../support/invoice_by_hand.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  lostAgain,
  releaseNoted,
  restoreInto,
  sellDay,
} from "../../support/restored_world.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const day = AUCTION_DAY;

Deno.test("a day that was paid for after its time on show is not taken for settled, and its lease is given back", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("ada"), 900);
  await openAuction(world.services, { day });
  const backup = await backupOf(world);
  await closeDay(world.services);
  const { control } = world.simulator;
  control.addFault({ kind: "processing", method: "POST" });
  await settleDay(world.services, { day });
  world.clock.set(`${addDays(day, 2)}T12:00:00.000Z`);
  const [payment] = control.objects("payment_intent");
  control.resolvePayment(payment?.id ?? "", "succeed");
  const [paid] = control.objects("invoice");
  assert(paid?.status === "paid");
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  const sold = { day, invoiceId: paid.id, isNoted: false };
  assertEquals(await adoptSoldDay(services, sold), "its bid was passed over");
  const settlement = await services.store.settlements.find(day);
  assertEquals(settlement?.leaseOwner, null);
  assertEquals(settlement?.candidates.map(({ step }) => step), ["passed_over"]);
});

Deno.test("a bid that was passed over since a review is not adopted though its invoice is paid, and the next one's turn stays", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  await world.bid(await world.advertiser("ada"), 900);
  const bob = await world.advertiser("bob");
  const { id: bidId } = await world.bid(bob, 500);
  const backup = await backupOf(world);
  await sellDay(world);
  const [paid] = world.simulator.control.objects("invoice");
  assert(paid?.status === "paid", "the day was sold to the best bidder");
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  // Another operator's release has ended meanwhile.
  await endHold(services);
  await suspendAccount(services, {
    accountId: "acc_ada",
    by: { kind: "operator_key" },
    reason: "A stolen card.",
    about: null,
  });
  await closeDay(services);
  const { control } = world.simulator;
  const fault = control.addFault({
    kind: "reset_before_effect",
    method: "GET",
    path: "/v1/invoices",
    times: null,
  });
  await settleDay(services, { day });
  control.removeFault(fault);
  const before = await services.store.settlements.find(day);
  assertEquals(before?.candidates.map(({ step }) => step), [
    "passed_over",
    "creating",
  ]);
  const sold = { day, invoiceId: paid.id, isNoted: false };
  assertEquals(await adoptSoldDay(services, sold), "its bid is void");
  const after = await services.store.settlements.find(day);
  assertEquals(after?.candidates, before?.candidates);
  // After another restore the next bid is the one that has bought the day.
  await using again = await openTestStore({ clock: world.clock });
  const next = await invoiceByHand(world, bob, { bidId });
  const { items } = await reviewHold(await lostAgain(world, into, again));
  assertEquals(items, [
    { kind: "invoice_to_book", day, invoiceId: paid.id },
    { kind: "day_sold", day, invoiceId: next, bidId },
  ]);
});

/** Ada's bid of a day that is open, and its invoice, paid all the same. */
async function invoicedEarly({ isPaid = true } = {}) {
  const world = await openAuctionWorld();
  await openAuction(world.services, { day });
  const ada = await world.advertiser("ada");
  const { id: bidId } = await world.bid(ada, 500);
  const invoiceId = await invoiceByHand(world, ada, { bidId, isPaid });
  return {
    ...world,
    sold: { day, invoiceId, isNoted: false },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("adoptSoldDay() closes a day that is open, since it is sold, and says so when asked again", async () => {
  await using world = await invoicedEarly();
  const { services, sold } = world;
  assertEquals(await adoptSoldDay(services, sold), null);
  const auction = await services.store.auctions.find(day);
  assertEquals(auction?.phase, "CLOSED");
  const spotlight = await services.store.spotlights.find(day);
  assertEquals(spotlight?.accountId, "acc_ada");
  const again = await adoptSoldDay(services, sold);
  assertEquals(again, "the day is settled already");
});

Deno.test("adoptSoldDay() adopts no invoice that is open, and charges nobody", async () => {
  await using world = await invoicedEarly({ isPaid: false });
  const { services, sold, simulator: { control } } = world;
  assertEquals(await adoptSoldDay(services, sold), "it is not paid");
  assertEquals(control.objects("charge"), []);
  const settlement = await services.store.settlements.find(day);
  assertEquals(settlement?.candidates[0]?.step, "waiting");
});

Deno.test("adoptSoldDay() opens no day of which nothing is known here", async () => {
  await using world = await invoicedEarly();
  const { services, sold } = world;
  const other = addDays(day, 9);
  assertEquals(
    await adoptSoldDay(services, { ...sold, day: other }),
    "the auction of its day is not known",
  );
  assertEquals(await services.store.auctions.find(other), null);
});

Deno.test("adoptSoldDay() leaves a day to another process that took over while the processor was silent", async () => {
  await using world = await invoicedEarly();
  const { services, sold, clock } = world;
  const slow = world.another((real) => ({
    ...real,
    async retrieveInvoice(id) {
      clock.advance(46_000);
      const saga = newSaga(services, day);
      assert(await takeLease(saga, true) !== null, "it is free again");
      return await real.retrieveInvoice(id);
    },
  }));
  const why = await adoptSoldDay(slow.services, sold);
  assertEquals(why, "its settlement is under way");
  assertEquals(await services.store.spotlights.find(day), null);
});

/** An agent of an advertiser that may bid so much in all, and a way to bid. */
async function agentOf(world: AuctionWorld, totalCapCents: number) {
  const { account, adId } = await world.advertiser("ada");
  const consent = (services: Services) =>
    createGrant(services, {
      accountId: account.id,
      clientId: "client",
      scopes: ["bids:read", "bids:write"],
      mandate: {
        maxBidCents: 1_000,
        dailyCapCents: 1_000,
        totalCapCents,
        validUntilMs: world.clock.now() + 20 * DAY_MS,
      },
    });
  const { grant, lineId } = await consent(world.services);
  const bid = (services: Services, amountCents: number) => {
    const wanted = { day, adId, amountCents, paymentMethodId: null };
    const key = `bid of ${amountCents}`;
    return placeBid(services, {
      by: { grant: { ...grant, lineId } },
      binding: {
        owner: grant.id,
        operation: "POST /v1/agent/bids",
        key,
        requestHash: key,
      },
      ...wanted,
    });
  };
  const usedCents = async ({ store }: Services, grantId = grant.id) =>
    (await store.grants.find(grantId))?.totalUse?.usedCents;
  /** Its user ends it, and consents again; the grant that it has then. */
  const consentAnew = async (services: Services): Promise<string> => {
    const ended = { accountId: account.id, grantId: grant.id };
    await revokeGrant(services, ended);
    return (await consent(services)).grant.id;
  };
  return { bid, usedCents, consentAnew };
}

/** What was bid before a backup, and what the store had lost with it. */
interface Bids {
  known?: () => Promise<unknown>;
  lost: () => Promise<unknown>;
}

/** A restored store, whose day was sold after its backup. */
async function restoredOver(
  world: AuctionWorld,
  into: TestStore,
  { known, lost }: Bids,
): Promise<Services> {
  await openAuction(world.services, { day });
  await known?.();
  const backup = await backupOf(world);
  await lost();
  await sellDay(world);
  await restoreInto(into, backup);
  return gatedOver(world, into);
}

Deno.test("a raise that was charged after the backup counts in the total of the mandate it was made under", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const agent = await agentOf(world, 1_000);
  const services = await restoredOver(world, into, {
    known: () => agent.bid(world.services, 500),
    lost: () => agent.bid(world.services, 900),
  });
  assertEquals(await agent.usedCents(services), 500);
  for (let nth = 0; nth < 2; nth++) {
    await releaseStore(services, { acknowledged: [] });
    assertEquals(await agent.usedCents(services), 900);
  }
});

Deno.test("an agent's raise of a bid of the owner's that was charged after the backup counts in its mandate's total", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const agent = await agentOf(world, 1_000);
  const services = await restoredOver(world, into, {
    known: async () => await world.bid(await world.advertiser("ada"), 500),
    lost: () => agent.bid(world.services, 900),
  });
  await releaseStore(services, { acknowledged: [] });
  assertEquals(await agent.usedCents(services), 400);
});

Deno.test("a bid that was charged after the backup counts in its mandate's total, once, when its invoice is written down", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const agent = await agentOf(world, 1_000);
  const services = await restoredOver(world, into, {
    lost: () => agent.bid(world.services, 900),
  });
  assertEquals(await releaseNoted(services), ["day_sold_to_unknown"]);
  const [invoice] = world.simulator.control.objects("invoice");
  assert(invoice !== undefined);
  for (let nth = 0; nth < 2; nth++) {
    await syncInvoice(services, invoice.id);
    assertEquals(await agent.usedCents(services), 900);
  }
});

Deno.test("the owner's raise of an agent's bid that was charged after the backup is the owner's, and in no total", async () => {
  await using world = await openAuctionWorld();
  await using into = await openTestStore({ clock: world.clock });
  const agent = await agentOf(world, 1_000);
  const services = await restoredOver(world, into, {
    known: () => agent.bid(world.services, 500),
    lost: () =>
      world.services.store.transact(async (tx) => {
        const bid = await tx.bids.find(day, "acc_ada");
        assert(bid !== null);
        tx.bids.save({ ...bid, amountCents: 900, grantId: null });
      }),
  });
  await releaseStore(services, { acknowledged: [] });
  assertEquals(await agent.usedCents(services), 500);
  const bid = await services.store.bids.find(day, "acc_ada");
  assertEquals([bid?.amountCents, bid?.grantId], [900, null]);
});

Deno.test("the draft of a candidate of an earlier version says nothing of a mandate, as it did then", async () => {
  await using world = await openAuctionWorld();
  const agent = await agentOf(world, 1_000);
  await openAuction(world.services, { day });
  await agent.bid(world.services, 500);
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeDay(world.services);
  await world.services.store.transact(async (tx) => {
    const settlement = await tx.settlements.find(day);
    assert(settlement !== null);
    const candidates = settlement.candidates
      .map(({ grantId: _, ...earlier }) => earlier);
    tx.settlements.save({ ...settlement, candidates });
  });
  await settleDay(world.services, { day });
  const [invoice] = world.simulator.control.objects("invoice");
  assertEquals(invoice?.status, "paid");
  assertEquals(invoice?.metadata["grant_id"], undefined);
});

for (const isRaise of [false, true]) {
  const what = isRaise ? "raise" : "bid";
  Deno.test(`a lost ${what} counts in the total that its agent has now, where its user ended it and consented anew`, async () => {
    await using world = await openAuctionWorld();
    await using into = await openTestStore({ clock: world.clock });
    const agent = await agentOf(world, 1_000);
    const services = await restoredOver(world, into, {
      ...isRaise && { known: () => agent.bid(world.services, 500) },
      lost: () => agent.bid(world.services, 900),
    });
    // A raise is taken over by the release, a bid when its invoice is heard of.
    let grantId = isRaise ? await agent.consentAnew(services) : "";
    await releaseNoted(services);
    if (!isRaise) grantId = await agent.consentAnew(services);
    const [invoice] = world.simulator.control.objects("invoice");
    assert(invoice !== undefined);
    await syncInvoice(services, invoice.id);
    assertEquals(await agent.usedCents(services, grantId), 900);
  });
}
