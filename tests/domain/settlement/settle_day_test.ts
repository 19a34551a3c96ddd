import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { Refused } from "../../../domain/refusal.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import {
  closeDay,
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const day = AUCTION_DAY;

Deno.test("settleDay() charges the highest bid its own amount, once", async () => {
  await using world = await openAuctionWorld();
  const [ada, bob] = [
    await world.advertiser("ada"),
    await world.advertiser("bob"),
  ];
  await world.bid(ada, 2500);
  await world.bid(bob, 2400);
  await closeDay(world.services);
  await settleDay(world.services, { day });
  assertEquals(await outcomeOfDay(world), {
    settlement: "settled",
    spotlight: "acc_ada",
    bids: { acc_ada: "won", acc_bob: "lost" },
    chargedCents: [2500],
    openInvoices: 0,
    bookedCents: [2500],
  });
});

Deno.test("settleDay() gives a tie to the bid that reached its amount first", async () => {
  await using world = await openAuctionWorld();
  const [ada, bob] = [
    await world.advertiser("ada"),
    await world.advertiser("bob"),
  ];
  await world.bid(bob, 2500);
  world.clock.advance(1);
  await world.bid(ada, 2500);
  await closeDay(world.services);
  await settleDay(world.services, { day });
  assertEquals((await outcomeOfDay(world)).spotlight, "acc_bob");
});

Deno.test("settleDay() charges the runner-up its own bid when the winner's card is declined", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  const bob = await world.advertiser("bob");
  await world.bid(ada, 9000);
  await world.bid(bob, 700);
  await closeDay(world.services);
  await settleInTime(world);
  assertEquals(await outcomeOfDay(world), {
    settlement: "settled",
    spotlight: "acc_bob",
    bids: { acc_ada: "payment_failed", acc_bob: "won" },
    chargedCents: [700],
    openInvoices: 0,
    bookedCents: [700],
  });
  const account = await world.services.store.accounts.find("acc_ada");
  assertEquals(account?.cardRefused, true);
});

Deno.test("settleDay() takes authentication_required as a definite refusal", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada", "pm_card_authenticationRequired");
  await world.bid(ada, 900);
  await closeDay(world.services);
  await settleInTime(world);
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.bids, { acc_ada: "payment_failed" });
  assertEquals(outcome.spotlight, "house_advertisement");
  assertEquals(outcome.openInvoices, 0);
});

Deno.test("settleDay() settles a day without bids on a house advertisement", async () => {
  await using world = await openAuctionWorld();
  await closeDay(world.services);
  await settleDay(world.services, { day });
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.spotlight, "house_advertisement");
  assertEquals(outcome.chargedCents, []);
});

Deno.test("a house advertisement leads to its address, or to our own website without one", async () => {
  const targets = ["https://house.example/", ""];
  for (const targetUrl of targets) {
    await using world = await openAuctionWorld();
    const { store, settings } = world.services;
    await store.transact((tx) =>
      tx.houseAds.save({
        id: "house_1",
        headline: "Our own",
        description: "Words of our own",
        advertiser: "Spotlight",
        targetUrl,
        active: true,
      })
    );
    await closeDay(world.services);
    const before = await store.spotlightsVersion();
    await settleDay(world.services, { day });
    assertNotEquals(await store.spotlightsVersion(), before, "readers hear");
    const shown = await store.spotlights.find(day);
    assertEquals(shown?.targetUrl, targetUrl || settings.baseUrl);
    assertEquals(shown?.headline, "Our own");
  }
});

Deno.test("settleDay() tries five candidates at most, then the house ad", async () => {
  await using world = await openAuctionWorld();
  for (let nth = 1; nth <= 6; nth++) {
    const card = nth <= 5 ? "pm_card_chargeCustomerFail" : "pm_card_visa";
    const who = await world.advertiser(`adv${nth}`, card);
    await world.bid(who, 10_000 - nth);
  }
  await closeDay(world.services);
  await settleInTime(world);
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.spotlight, "house_advertisement");
  assertEquals(outcome.bids["acc_adv5"], "payment_failed");
  assertEquals(outcome.bids["acc_adv6"], "lost");
  assertEquals(outcome.chargedCents, []);
});

for (
  const [what, spoil] of [
    ["an account that was suspended", { account: { suspendedAtMs: 1 } }],
    ["an account with an open dispute", { account: { disputeOpen: true } }],
    ["a creative whose approval was withdrawn", {
      creative: { state: "rejected" as const },
    }],
  ] as const
) {
  Deno.test(`settleDay() voids the bid of ${what} and goes on`, async () => {
    await using world = await openAuctionWorld();
    const [ada, bob] = [
      await world.advertiser("ada"),
      await world.advertiser("bob"),
    ];
    await world.bid(ada, 2500);
    await world.bid(bob, 2400);
    await closeDay(world.services);
    await world.services.store.transact(async (tx) => {
      const account = await tx.accounts.find("acc_ada");
      const creative = await tx.creatives.find("acc_ada", "ad_ada");
      if (!account || !creative) throw new Error("the advertiser exists");
      if ("account" in spoil) {
        tx.accounts.save({ ...account, ...spoil.account });
      } else tx.creatives.save({ ...creative, ...spoil.creative });
    });
    await settleInTime(world);
    const outcome = await outcomeOfDay(world);
    assertEquals(outcome.bids, { acc_ada: "void", acc_bob: "won" });
    assertEquals(outcome.chargedCents, [2400]);
  });
}

Deno.test("settleDay() passes over an amount the processor cannot take and charges nobody twice", async () => {
  await using world = await openAuctionWorld();
  const [ada, bob] = [
    await world.advertiser("ada"),
    await world.advertiser("bob"),
  ];
  await world.bid(ada, 100_000_000);
  await world.bid(bob, 99_999_999);
  await closeDay(world.services);
  await settleInTime(world);
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.bids, { acc_ada: "payment_failed", acc_bob: "won" });
  assertEquals(outcome.chargedCents, [99_999_999]);
  assert(world.log.events.includes("settlement.amount_refused"));
});

Deno.test("the log tells a day from its opening to its Spotlight, once and without a sum", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada", "pm_card_chargeCustomerFail");
  await world.bid(ada, 9000);
  await world.bid(await world.advertiser("bob"), 700);
  await closeDay(world.services);
  await closeDay(world.services);
  await settleInTime(world);
  await settleDay(world.services, { day, force: true });
  assertEquals(
    world.log.events.filter((event) =>
      /^(auction|settlement)\./.test(event) && event !== "settlement.waits"
    ),
    [
      "auction.opened",
      "auction.closed",
      "settlement.passed_over",
      "settlement.settled",
    ],
  );
});

Deno.test("settleDay() returns what stands when it is run again", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await closeDay(world.services);
  const first = await settleDay(world.services, { day });
  assertEquals(await settleDay(world.services, { day, force: true }), first);
  assertEquals((await outcomeOfDay(world)).chargedCents, [500]);
});

Deno.test("settleDay() refuses a day whose auction may still take bids", async () => {
  await using world = await openAuctionWorld();
  await openAuction(world.services, { day });
  const refused = await assertRejects(
    () => settleDay(world.services, { day }),
    Refused,
  );
  assertEquals(refused.refusal, {
    code: "auction_not_closed",
    day,
    phase: "OPEN",
    by: "own",
  });
});

Deno.test("settleDay() closes a day by itself once closesAt has passed", async () => {
  await using world = await openAuctionWorld();
  await openAuction(world.services, { day });
  world.clock.set(`${day}T23:55:00.000Z`);
  assertEquals((await settleDay(world.services, { day })).state, "settled");
});

Deno.test("settleDay() in two isolates at once gives one Spotlight and one charge", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await closeDay(world.services);
  const isolates = Array.from({ length: 4 }, () => world.another().services);
  await Promise.all(
    isolates.map((own) => settleDay(own, { day, force: true })),
  );
  const outcome = await outcomeOfDay(world);
  assertEquals(outcome.settlement, "settled");
  assertEquals(outcome.chargedCents, [500]);
  assertEquals(outcome.bookedCents, [500]);
});

Deno.test("settleDay() publishes the copy it re-checked, with the company's name", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await closeDay(world.services);
  await settleDay(world.services, { day });
  const spotlight = await world.services.store.spotlights.find(day);
  assertEquals(spotlight?.headline, "Headline of ada");
  assertEquals(spotlight?.advertiser, "ada GmbH");
  assertEquals(spotlight?.contentType, "paid_advertisement");
});

Deno.test("closeAuction() ranks only the bids that are still active", async () => {
  await using world = await openAuctionWorld();
  const bid = await world.bid(await world.advertiser("ada"), 500);
  await world.services.store.transact((tx) =>
    tx.bids.save({ ...bid, status: "void" })
  );
  await closeDay(world.services);
  await closeAuction(world.services, { day });
  await settleDay(world.services, { day });
  assertEquals((await outcomeOfDay(world)).bids, { acc_ada: "void" });
});
