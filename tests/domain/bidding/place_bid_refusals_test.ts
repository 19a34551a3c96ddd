import { assert, assertEquals } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { type Day, DAY_MS, startOfDayMs } from "../../../domain/day.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import {
  type AdvertiserOptions,
  type Agent,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  BID_SETTINGS,
  bidBy,
  type BiddingWorld,
  inBrowser,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import type { RefusalOf } from "../../../domain/refusal.ts";
import { keys } from "../../../kv/keys.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";

Deno.test("placeBid() refuses a bid at closesAt exactly", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.clock.set(BID_DAY_CLOSES_MS);
  await refused(world, bidBy(ada), "auction_closed");
});

Deno.test("placeBid() refuses a bid once the ranking is frozen", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await closeAuction(world.services, { day: BID_DAY });
  await refused(world, bidBy(ada), "auction_closed");
});

Deno.test("placeBid() refuses a bid on a day nobody opened", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const day: Day = dayText("2026-11-21");
  const refusal = await refused(world, bidBy(ada, { day }), "auction_not_open");
  const nextDay = { day, opensAtMs: startOfDayMs(day) };
  assertEquals(refusal, { code: "auction_not_open", day, nextDay });
});

Deno.test("placeBid() refuses a raise that is not higher", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  for (const amountCents of [1_000, 999]) {
    const bid = bidBy(ada, { amountCents, key: `k${amountCents}` });
    const refusal = await refused(world, bid, "bid_not_higher");
    assertEquals(refusal, {
      code: "bid_not_higher",
      liveCents: 1_000,
      amountCents,
    });
  }
});

Deno.test("placeBid() refuses a card named with a raise", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const raise = bidBy(ada, { amountCents: 2_000, paymentMethodId: "pm_ada" });
  await refused(world, raise, "payment_method_on_raise");
});

Deno.test("placeBid() refuses amounts that no bid can have", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  for (const amountCents of [0, 99, 100.5, 100_000_001, -100, NaN]) {
    await refused(world, bidBy(ada, { amountCents }), "bad_bid_body");
  }
});

Deno.test("placeBid() refuses a bid above the single cap", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { maxBidCents: 999 } });
  const refusal = await refused(world, bidBy(ada), "mandate_exceeded");
  assertEquals(refusal, {
    code: "mandate_exceeded",
    cap: "bid",
    limitCents: 999,
    usedCents: 0,
    requestedCents: 1_000,
    resetsAtMs: null,
    bid: {
      day: BID_DAY,
      dayState: "open",
      nextDay: { day: BID_DAY, opensAtMs: null },
      asked: { day: BID_DAY, ad_id: "ad_ada", amount_cents: 1_000 },
      readinessUrl: `${BID_SETTINGS.authUrl}/v1/agent/me` +
        `?day=${BID_DAY}&ad_id=ad_ada&amount_cents=1000`,
      mostCents: 999,
    },
  });
});

Deno.test("placeBid() refuses a bid above what the day has left", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { dailyCapCents: 1_500 } });
  await placeBid(world.services, bidBy(ada));
  const raise = bidBy(ada, { amountCents: 1_501 });
  const refusal = await refused(world, raise, "mandate_exceeded");
  assertEquals(refusal, {
    code: "mandate_exceeded",
    cap: "day",
    limitCents: 1_500,
    usedCents: 1_000,
    requestedCents: 1_501,
    resetsAtMs: Date.UTC(2026, 10, 21),
    bid: {
      day: BID_DAY,
      dayState: "open",
      nextDay: { day: BID_DAY, opensAtMs: null },
      asked: { day: BID_DAY, ad_id: "ad_ada", amount_cents: 1_501 },
      readinessUrl: `${BID_SETTINGS.authUrl}/v1/agent/me` +
        `?day=${BID_DAY}&ad_id=ad_ada&amount_cents=1501`,
      // Its live bid is part of what is used.
      mostCents: 1_500,
    },
  });
  await placeBid(world.services, bidBy(ada, { amountCents: 1_500 }));
});

Deno.test("placeBid() refuses a bid from the mandate's end on", async () => {
  await using world = await openBiddingWorld();
  const validUntilMs = world.clock.now() + 1_000;
  const ada = await world.agent("ada", { mandate: { validUntilMs } });
  world.clock.set(validUntilMs - 1);
  await placeBid(world.services, bidBy(ada));
  world.clock.set(validUntilMs);
  await refused(world, bidBy(ada, { amountCents: 2_000 }), "mandate_expired");
});

Deno.test("placeBid() refuses a grant without bids:write", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { scopes: ["account:read"] });
  const refusal = await refused(world, bidBy(ada), "scope_missing");
  assertEquals(refusal.scopes, ["bids:write"]);
});

Deno.test("placeBid() refuses a grant revoked before it reads", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await revoke(world, ada);
  await refused(world, bidBy(ada), "token_invalid");
});

Deno.test("placeBid() refuses an agent whose account is gone as one whose token is", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const atomic = world.testStore.realKv.atomic();
  atomic.delete(keys.account(ada.grant.accountId));
  await atomic.commit();
  await refused(world, bidBy(ada), "token_invalid");
});

Deno.test("placeBid() lists every human step, in order, with the first page", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    account: {
      company: null,
      vatStatus: "invalid",
      identityStatus: "unverified",
      defaultPaymentMethodId: null,
      cardRefused: true,
      disputeOpen: true,
      blockingDisputes: ["du_open", "du_lost"],
      lostDisputes: ["du_lost"],
      suspendedAtMs: 1,
      email: "operator@example.com",
    },
    creative: { state: "submitted" },
  });
  const refusal = await refused(world, bidBy(ada), "human_step_required");
  assertEquals(refusal.reasons, [
    "operator_account",
    "suspended",
    "onboarding_incomplete",
    "vat_unverified",
    "identity_unverified",
    "no_payment_method",
    "card_refused",
    "dispute_open",
    "dispute_lost",
    "creative_not_approved",
  ]);
  assertEquals(refusal.actionUrl, "/account");
});

const SINGLE_STEPS: readonly [string, AdvertiserOptions][] = [
  ["/onboarding", { account: { vatStatus: "unverified" } }],
  ["/identity", { account: { identityStatus: "unverified" } }],
  ["/billing", { account: { defaultPaymentMethodId: null } }],
  ["/billing", { account: { cardRefused: true } }],
  ["/billing", { account: { disputeOpen: true } }],
  ["/account", { account: { suspendedAtMs: 1 } }],
  ["/account", { account: { email: "operator@example.com" } }],
  ["/creatives", { creative: { state: "draft" } }],
  ["/creatives", { creative: { state: "rejected" } }],
];

Deno.test("placeBid() sends a person to the cards before the check of identity that waits for one", async () => {
  await using world = await openBiddingWorld();
  const account = {
    identityStatus: "unverified",
    defaultPaymentMethodId: null,
  } as const;
  const ada = await world.agent("ada", { account });
  const refusal = await refused(world, bidBy(ada), "human_step_required");
  assertEquals(refusal.reasons, ["identity_unverified", "no_payment_method"]);
  assertEquals(refusal.actionUrl, "/billing");
});

Deno.test("placeBid() sends a person to the page of the step", async () => {
  for (const [page, options] of SINGLE_STEPS) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada", options);
    const refusal = await refused(world, bidBy(ada), "human_step_required");
    assertEquals(refusal.actionUrl, page);
    assertEquals(refusal.reasons.length, 1);
  }
});

Deno.test("placeBid() never lets an operator bid, not even in the browser", async () => {
  await using world = await openBiddingWorld();
  const email = "operator@example.com";
  const ada = await world.agent("ada", { account: { email } });
  const bid = bidBy(ada, await inBrowser(world, ada));
  const refusal = await refused(world, bid, "human_step_required");
  assertEquals(refusal.reasons, ["operator_account"]);
});

Deno.test("placeBid() cannot tell another's creative from an unknown one", async () => {
  await using world = await openBiddingWorld();
  const [ada] = [await world.agent("ada"), await world.agent("bob")];
  for (
    const adId of ["ad_bob", "ad_nobody", "no such/../id", "x".repeat(5_000)]
  ) {
    const refusal = await refused(
      world,
      bidBy(ada, { adId }),
      "creative_not_found",
    );
    assertEquals(refusal, { code: "creative_not_found", adId });
  }
});

Deno.test("placeBid() cannot tell another's card from an unknown one", async () => {
  await using world = await openBiddingWorld();
  const [ada] = [await world.agent("ada"), await world.agent("bob")];
  for (const paymentMethodId of ["pm_bob", "pm_nobody", "pm_"]) {
    const bid = bidBy(ada, { paymentMethodId });
    const refusal = await refused(world, bid, "payment_method_not_found");
    assertEquals(refusal.paymentMethodId, paymentMethodId);
  }
});

Deno.test("placeBid() leaves no trace of a refused bid", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { maxBidCents: 500 } });
  const commits = world.testStore.kv.commits.length;
  await refused(world, bidBy(ada), "mandate_exceeded");
  assertEquals(world.testStore.kv.commits.length, commits);
});

const HUMAN_STEPS: readonly [string, AdvertiserOptions][] = [
  ["mandate_exceeded", { mandate: { maxBidCents: 100 } }],
  ["human_step_required", { account: { suspendedAtMs: 1 } }],
];

for (const [code, options] of HUMAN_STEPS) {
  Deno.test(`placeBid() says with ${code} whether the day takes bids at all`, async () => {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada", options);
    const days = [
      [dayText("2026-11-18"), "closed"],
      [BID_DAY, "open"],
      [dayText("2027-11-20"), "not_open"],
    ] as const;
    for (const [day, dayState] of days) {
      const thrown = await refusalOf(() =>
        placeBid(world.services, bidBy(ada, { day }))
      );
      const { code: met, bid } = thrown as RefusalOf<"mandate_exceeded">;
      assertEquals([met, bid?.day, bid?.dayState], [code, day, dayState]);
    }
  });
}

Deno.test("placeBid() counts what is used today only against bids that can be placed today", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { dailyCapCents: 1_500 } });
  await placeBid(world.services, bidBy(ada));
  const day = dayText("2026-11-21");
  const fitting = bidBy(ada, { day, amountCents: 1_500 });
  await refused(world, fitting, "auction_not_open");
  const more = bidBy(ada, { day, amountCents: 1_501 });
  const refusal = await refused(world, more, "mandate_exceeded");
  assertEquals(
    [refusal.usedCents, refusal.resetsAtMs, refusal.bid?.mostCents],
    [0, null, 1_500],
  );
});

/** Each row is refused for its own reason and for all those below it. */
const ORDER: readonly [string, (trouble: Trouble) => void][] = [
  ["scope_missing", (t) => t.options.scopes = ["bids:read"]],
  ["bad_bid_body", (t) => t.bid.amountCents = 99],
  ["payment_method_on_raise", (t) => t.bid.paymentMethodId = "pm_nobody"],
  ["mandate_expired", (t) => t.options.mandate.validUntilMs = 1_000],
  ["mandate_exceeded", (t) => t.options.mandate.maxBidCents = 100],
  ["human_step_required", (t) => t.options.account.suspendedAtMs = 1],
  ["creative_not_found", (t) => t.bid.adId = "ad_nobody"],
  ["auction_closed", (t) => t.closed = true],
  ["bid_not_higher", (t) => t.raised = true],
];

interface Trouble {
  options: {
    scopes?: AdvertiserOptions["scopes"];
    mandate: NonNullable<AdvertiserOptions["mandate"]>;
    account: NonNullable<AdvertiserOptions["account"]>;
  };
  bid: Partial<PlaceBid>;
  closed: boolean;
  raised: boolean;
}

ORDER.forEach(([code], at) => {
  Deno.test(`placeBid() answers ${code} before all that follows it`, async () => {
    const trouble: Trouble = {
      options: { mandate: {}, account: {} },
      bid: {},
      closed: false,
      raised: false,
    };
    // From the last one up, so that earlier ones have the last word.
    ORDER.slice(at).toReversed().forEach(([, cause]) => cause(trouble));
    await assertRefusedAs(code, trouble);
  });
});

async function assertRefusedAs(code: string, trouble: Trouble): Promise<void> {
  await using world = await openBiddingWorld();
  const { mandate, account, scopes } = trouble.options;
  // A live bid that the wanted one does not exceed, placed in better days.
  const before = await world.agent("ada");
  if (trouble.raised) {
    await placeBid(
      world.services,
      bidBy(before, { ...await inBrowser(world, before), amountCents: 1_500 }),
    );
  }
  const ada = await world.agent("ada", {
    ...scopes && { scopes },
    account,
    mandate: { ...mandate, validUntilMs: world.clock.now() + DAY_MS },
  });
  if (mandate.validUntilMs !== undefined) await endMandate(world, ada);
  if (trouble.closed) await closeAuction(world.services, { day: BID_DAY });
  await assertRefused(
    () => placeBid(world.services, bidBy(ada, trouble.bid)),
    code as "scope_missing",
  );
}

async function endMandate(
  world: BiddingWorld,
  { grant }: Agent,
): Promise<void> {
  await world.services.store.transact((tx) => {
    assert(grant.mandate);
    const mandate = { ...grant.mandate, validUntilMs: world.clock.now() };
    tx.grants.save({ ...grant, mandate });
  });
}

async function revoke(world: BiddingWorld, agent: Agent): Promise<void> {
  await revokeGrant(world.services, {
    grantId: agent.grant.id,
    accountId: agent.account.id,
  });
}

function refused<Code extends Parameters<typeof assertRefused>[1]>(
  world: BiddingWorld,
  bid: PlaceBid,
  code: Code,
) {
  return assertRefused<Code>(() => placeBid(world.services, bid), code);
}
