/**
 * What the platform's client makes of an answer that is lost on its way: the
 * commit is sent again, and whoever asked is answered as if nothing had been.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { placeBid } from "../../domain/bidding/place_bid.ts";
import { completeSession } from "../../domain/checkout/complete_session.ts";
import { advanceAuctions } from "../../domain/settlement/advance_auctions.ts";
import { create, payment } from "../domain/checkout/requests.ts";
import { AUCTION_DAY, openAuctionWorld } from "../support/auction_world.ts";
import { BID_DAY, bidBy, openBiddingWorld } from "../support/bidding_world.ts";
import { openCheckoutWorld } from "../support/checkout_world.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import { approve, codeForm, tokensOf } from "../support/oauth_flow.ts";
import { openOauthWorld } from "../support/oauth_world.ts";
import { closeDay, outcomeOfDay } from "../support/settlement_outcome.ts";

Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

type KvConnectServer = ReturnType<typeof startKvConnect>;

/** Loses the answer to the next commit that has to do with a family. */
function loseAnswer(server: KvConnectServer, faultFamily: string): void {
  server.change({ faultFamily, shareResetAfter: 1, faultsLeft: 1 });
}

function assertLost(server: KvConnectServer): void {
  assertEquals(server.settings.faultsLeft, 0, "an answer was lost");
}

Deno.test("over a network a code exchange whose answer is lost has its tokens", async () => {
  await using server = startKvConnect();
  await using world = await openOauthWorld({ path: server.url });
  const approved = await approve(world);
  loseAnswer(server, "grants");
  await tokensOf(await world.post(codeForm(approved)));
  assertLost(server);
  const grant = await world.services.store.grants.find(approved.grantId);
  assertEquals([grant?.lines.length, grant?.lastEnding], [1, undefined]);
});

Deno.test("over a network a bid whose answer is lost is placed once", async () => {
  await using server = startKvConnect();
  await using world = await openBiddingWorld({ path: server.url });
  const ada = await world.agent("ada");
  loseAnswer(server, "bids");
  const { replayed } = await placeBid(world.services, bidBy(ada));
  assertLost(server);
  assertEquals(replayed, false);
  const { store } = world.services;
  assertEquals((await store.listBids(BID_DAY, { limit: 9 })).length, 1);
  assertEquals(await store.getMany([store.bidCounts.ref(BID_DAY)]), [1]);
});

for (const family of ["checkout_sessions", "metrics_payments", "ledger"]) {
  Deno.test(`over a network a checkout whose answer is lost is completed at once (${family})`, async () => {
    await using server = startKvConnect();
    await using world = await openCheckoutWorld({ path: server.url });
    const ada = await world.buyer("ada");
    const sessionId = await create(world.services, ada);
    const token = await world.token({ card: "pm_card_visa", maxAmount: 900 });
    loseAnswer(server, family);
    const request = payment(ada, sessionId, token);
    const { answer, replayed } = await completeSession(world.services, request);
    assertLost(server);
    assertEquals([answer.status, replayed], [200, false]);
    assertEquals(JSON.parse(answer.body).status, "completed");
    assertEquals(world.paid().length, 1);
  });
}

for (const family of ["settlements", "ledger", "spotlights"]) {
  Deno.test(`over a network a settlement whose answer is lost goes on at once (${family})`, async () => {
    await using server = startKvConnect();
    await using world = await openAuctionWorld({ path: server.url });
    await world.bid(await world.advertiser("ada"), 5_000);
    world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
    await closeDay(world.services);
    loseAnswer(server, family);
    await advanceAuctions(world.services);
    assertLost(server);
    assertEquals(await outcomeOfDay(world), {
      settlement: "settled",
      spotlight: "acc_ada",
      bids: { acc_ada: "won" },
      chargedCents: [5_000],
      openInvoices: 0,
      bookedCents: [5_000],
    });
  });
}
