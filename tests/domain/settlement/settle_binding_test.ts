/**
 * What a bidder does to get out of a bid that stands: either it changes nothing,
 * or it costs what a refused card costs.
 */
import { assertEquals } from "@std/assert";
import { updateAccount } from "../../../domain/accounts/update_account.ts";
import { CHARGE_MAX_CENTS } from "../../../domain/limits.ts";
import { markRefused } from "../../../domain/cards/mark_refused.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { raiseBid } from "../../support/restored_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

/** Ada has the best bid of two. */
async function bestBidder(world: AuctionWorld): Promise<Advertiser> {
  const ada = await world.advertiser("ada");
  await world.bid(ada, 2500);
  await world.bid(await world.advertiser("bob"), 2400);
  return ada;
}

/** Whether the account may not bid until it has another card. */
async function isBlocked({ services: { store } }: AuctionWorld) {
  return (await store.accounts.find("acc_ada"))?.cardRefused;
}

Deno.test("changing the company all the time is no way to withdraw a bid", async () => {
  await using world = await openAuctionWorld();
  await bestBidder(world);
  let changes = 0;
  const change = (services: Services) =>
    updateAccount(services, {
      accountId: "acc_ada",
      changes: { parts: { line1: `Weg ${++changes}` }, mails: {} },
      binding: null,
    });
  await change(world.services);
  await closeDay(world.services);
  const { services } = world.another((real) => ({
    ...real,
    async updateCustomer(...input) {
      const told = await real.updateCustomer(...input);
      await change(world.services);
      return told;
    },
  }));
  await settleInTime(world, services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "won", acc_bob: "lost" });
  assertEquals([chargedCents, changes], [[2500], 2]);
  const [customer] = (await world.stripe.customers.list({
    email: "ada@example.com",
  })).data;
  assertEquals(customer?.address?.line1, "Weg 1");
  const task = await services.store.customerTasks.find("acc_ada");
  assertEquals(task?.state, "waiting", "the last change is told later");
});

Deno.test("a raise beyond what the processor takes is no way to withdraw a bid: it blocks as a refused card does", async () => {
  await using world = await openAuctionWorld();
  const ada = await bestBidder(world);
  await raiseBid(world.services, ada, 100_000_000);
  await closeDay(world.services);
  await settleInTime(world);
  const { bids, openInvoices } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals([openInvoices, await isBlocked(world)], [0, true]);
});

Deno.test("a line that the processor refuses for another reason than its sum blocks nobody, up to the largest sum", async () => {
  await using world = await openAuctionWorld();
  const ada = await bestBidder(world);
  await raiseBid(world.services, ada, CHARGE_MAX_CENTS);
  await closeDay(world.services);
  const { services } = world.another((real) => ({
    ...real,
    addInvoiceLine: () =>
      Promise.resolve({ ok: false, code: "tax_rate_archived", message: "" }),
  }));
  await settleInTime(world, services);
  const { bids } = await outcomeOfDay(world);
  assertEquals(bids, { acc_ada: "payment_failed", acc_bob: "payment_failed" });
  assertEquals(await isBlocked(world), false);
});

Deno.test("another card that was refused is no way to withdraw a bid: its own is charged", async () => {
  await using world = await openAuctionWorld();
  const { account } = await bestBidder(world);
  await closeDay(world.services);
  await world.services.store.transact((tx) =>
    markRefused(tx, account, {
      paymentMethodId: "pm_of_another_day",
      nowMs: world.clock.now(),
    })
  );
  await settleInTime(world);
  const bid = await world.services.store.bids.find(AUCTION_DAY, account.id);
  assertEquals(bid?.status, "won");
  assertEquals((await outcomeOfDay(world)).chargedCents, [2500]);
  assertEquals(await isBlocked(world), true);
});
