import { assert, assertStringIncludes } from "@std/assert";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { addDays } from "../../../../domain/day.ts";
import { closeAuction } from "../../../../domain/settlement/close_auction.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import { bidder, pageOf } from "../../../support/bids_site.ts";
import {
  BID_DAY,
  BID_DAY_CLOSES_MS,
  bidBy,
} from "../../../support/bidding_world.ts";

Deno.test("/bids lists earlier bids with what became of each, 60 days a page", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  await placeBid(site.services, bidBy(agent));
  site.world.clock.set(BID_DAY_CLOSES_MS);
  await closeAuction(site.services, { day: BID_DAY });
  const closed = await pageOf(await browser.get("/bids"));
  assertStringIncludes(closed.text, "The auction is being settled.");
  const outcomes = [
    ["won", "Won."],
    ["payment_failed", "its card could not be charged"],
    ["void", "or its time on show was over. You pay nothing for it."],
  ] as const;
  for (const [status, says] of outcomes) {
    await site.services.store.transact(async (tx) => {
      const bid = await tx.bids.find(BID_DAY, agent.account.id);
      assert(bid !== null);
      tx.bids.save({ ...bid, status });
    });
    const { text } = await pageOf(await browser.get("/bids"));
    assertStringIncludes(text, says);
  }
  await site.services.store.transact(async (tx) => {
    const bid = await tx.bids.find(BID_DAY, agent.account.id);
    const auction = await tx.auctions.find(BID_DAY);
    assert(bid !== null && auction !== null);
    tx.bids.save({ ...bid, status: "active" });
    tx.auctions.save({ ...auction, settledAtMs: BID_DAY_CLOSES_MS });
  });
  const { text } = await pageOf(await browser.get("/bids"));
  assertStringIncludes(text, "Lost. Nothing was charged.");
});

Deno.test("/bids says of a won day that was closed early when it was really on show", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  await placeBid(site.services, bidBy(agent));
  site.world.clock.set(Date.parse(`${BID_DAY}T13:30:00Z`));
  await closeAuction(site.services, { day: BID_DAY });
  await site.services.store.transact(async (tx) => {
    const bid = await tx.bids.find(BID_DAY, agent.account.id);
    assert(bid !== null);
    tx.bids.save({ ...bid, status: "won" });
  });
  await browser.signInAgain();
  const { text } = await pageOf(await browser.get("/bids"));
  assertStringIncludes(text, "shown 20 Nov 13:30 – 21 Nov 23:55 UTC");
});

Deno.test("/bids leads on to bids of more than 60 days ago", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  await placeBid(site.services, bidBy(agent));
  const { services: { store }, world: { clock } } = site;
  await store.transact((tx) => {
    tx.calendar.save({ launchDay: BID_DAY, settledThroughDay: null });
    return Promise.resolve();
  });
  clock.set(BID_DAY_CLOSES_MS + 70 * 86_400_000);
  await browser.signInAgain();
  const newest = await pageOf(await browser.get("/bids"));
  assertStringIncludes(newest.text, "You did not bid in these 60 days.");
  const [, next = ""] = /href="(\/bids\?through=[\d-]+)"/.exec(newest.html) ??
    [];
  const { text, html } = await pageOf(await browser.get(next));
  assertStringIncludes(text, "EUR 10.00");
  assert(!html.includes("?through="), "nobody bid before the first auction");
});

Deno.test("/bids leads to no days before the account was there", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await bidder(site);
  await placeBid(site.services, bidBy(agent));
  const { services: { store, clock: now }, world: { clock } } = site;
  await store.transact(async (tx) => {
    const launchDay = addDays(BID_DAY, -300);
    tx.calendar.save({ launchDay, settledThroughDay: null });
    const account = await tx.accounts.find(agent.account.id);
    assert(account !== null);
    tx.accounts.save({ ...account, createdAtMs: now.now() });
  });
  clock.set(BID_DAY_CLOSES_MS + 86_400_000);
  await browser.signInAgain();
  const { html, text } = await pageOf(await browser.get("/bids"));
  assertStringIncludes(text, "EUR 10.00");
  assert(!html.includes("?through="));
});
