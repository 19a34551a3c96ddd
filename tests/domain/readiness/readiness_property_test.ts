import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readAccountSummary } from "../../../domain/readiness/account_summary.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import type { Auction } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import type { Creative } from "../../../domain/creatives/creative.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import type { Services } from "../../../domain/ports.ts";
import { firstBid } from "../../../domain/readiness/first_bid.ts";
import { refusalFor } from "../../../domain/readiness/refusal_for.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  approvedCreative,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  openBiddingWorld,
  readyAccount,
} from "../../support/bidding_world.ts";
import { TEST_START_MS } from "../../support/clock.ts";
import { refusalOf } from "../../support/refused.ts";
import { AUCTION, GRANT, LIVE_BID, snapshotOf } from "./snapshots.ts";

/** Mostly what lets a bid stand, so that many of the states are ready. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

const ready = readyAccount("ada");

const account: fc.Arbitrary<Account> = fc.record({
  company: mostly(ready.company, null),
  vatStatus: mostly<Account["vatStatus"]>("valid", "unverified", "invalid"),
  identityStatus: mostly<Account["identityStatus"]>("verified", "unverified"),
  suspendedAtMs: mostly<number | null>(null, 1),
  disputeOpen: mostly(false, true),
  cardRefused: mostly(false, true),
  defaultPaymentMethodId: mostly(ready.defaultPaymentMethodId, null),
  email: mostly(ready.email, "operator@example.com"),
}).map((changes) => ({ ...ready, ...changes }));

const grant: fc.Arbitrary<Grant> = fc.record({
  scopes: mostly(GRANT.scopes, ["account:read"]),
  mandate: fc.record({
    maxBidCents: fc.integer({ min: 500, max: 2_000 }),
    dailyCapCents: fc.integer({ min: 500, max: 2_000 }),
    validUntilMs: mostly(9e12, TEST_START_MS, TEST_START_MS + 1),
  }).map((mandate) => mandate as Grant["mandate"]),
}).map((changes) => ({ ...GRANT, ...changes }));

const auction: fc.Arbitrary<Auction | null> = mostly<Auction | null>(
  AUCTION,
  null,
  { ...AUCTION, phase: "CLOSED", closedAtMs: 1 },
);

const creative: fc.Arbitrary<Creative | null> = mostly<Creative | null>(
  approvedCreative("ada"),
  null,
  ...["draft", "submitted", "rejected", "archived"].map((state) => ({
    ...approvedCreative("ada"),
    state: state as Creative["state"],
  })),
);

const liveBid: fc.Arbitrary<Bid | null> = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 100, max: 1_000 }).map((amountCents) => ({
    ...LIVE_BID,
    amountCents,
  })),
);

const amount = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 101 }) },
  { weight: 6, arbitrary: fc.integer({ min: 100, max: 1_500 }) },
);

/** A state as one query sees it, everything said. */
const snapshot: fc.Arbitrary<BidSnapshot> = fc.record({
  account,
  grant,
  auction,
  creative,
  liveBid,
  amountCents: amount,
  usedCents: fc.integer({ min: 0, max: 300 }),
  nowMs: mostly(TEST_START_MS, BID_DAY_CLOSES_MS - 1, BID_DAY_CLOSES_MS),
}).map(({ amountCents, ...parts }) =>
  snapshotOf({
    ...parts,
    wanted: { ...snapshotOf().wanted, amountCents },
  })
);

Deno.test("firstBid() is ready exactly when refusalFor() has nothing", () => {
  fc.assert(
    fc.property(snapshot, (state) => {
      const { status, requirements } = firstBid(state);
      assertEquals(status === "ready", refusalFor(state) === null);
      assert(requirements.every((each) => each.status !== "unknown"));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("firstBid() never takes back a block when more is said", () => {
  const said = fc.record({
    day: fc.boolean(),
    adId: fc.boolean(),
    amountCents: fc.boolean(),
  });
  fc.assert(
    fc.property(snapshot, said, (state, given) => {
      const whole = firstBid(state);
      const part = firstBid(withholding(state, given));
      if (part.status === "blocked") assertEquals(whole.status, "blocked");
      if (part.status === "ready") assertEquals(whole.status, "ready");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("readAccountSummary() is ready exactly when placeBid() succeeds", async () => {
  const outcomes = { ready: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(snapshot, async (state) => {
      await using world = await openBiddingWorld({ opened: false });
      await store(world.services, state);
      world.clock.set(state.nowMs);
      const { wanted } = state;
      assert(state.grant && wanted.day && wanted.adId !== null);
      const { amountCents } = wanted;
      assert(amountCents !== null);
      const summary = await readAccountSummary(
        world.services,
        { ...state.grant, lineId: "line_ada" },
        wanted,
      );
      const refusal = await refusalOf(() =>
        placeBid(world.services, {
          by: { grant: { ...state.grant ?? GRANT, lineId: "line_ada" } },
          day: wanted.day ?? BID_DAY,
          adId: wanted.adId ?? "",
          amountCents,
          paymentMethodId: null,
          binding: null,
        })
      );
      const isReady = summary.first_bid.status === "ready";
      outcomes[isReady ? "ready" : "refused"] += 1;
      assertEquals(isReady, refusal === null);
      assertEquals(refusal, refusalFor(state));
    }),
    { numRuns: 250 },
  );
  // Otherwise the property would hold of nothing.
  assert(outcomes.ready > 10 && outcomes.refused > 10);
});

function withholding(
  state: BidSnapshot,
  given: { day: boolean; adId: boolean; amountCents: boolean },
): BidSnapshot {
  const { day, adId, amountCents } = state.wanted;
  return {
    ...state,
    wanted: {
      day: given.day ? day : null,
      adId: given.adId ? adId : null,
      amountCents: given.amountCents ? amountCents : null,
      paymentMethodId: null,
    },
    auction: given.day ? state.auction : null,
    liveBid: given.day ? state.liveBid : null,
    creative: given.adId ? state.creative : null,
    nearest: given.adId ? null : nearestTo(state.creative),
  };
}

/** What is known of an account that has this creative alone. */
function nearestTo(creative: Creative | null): BidSnapshot["nearest"] {
  if (creative === null || creative.state === "archived") return "none";
  return creative.state === "approved" ? null : creative;
}

/** Writes the state down as the service would have come to it. */
async function store(
  services: Services,
  { account, grant, auction, creative, liveBid, usedCents }: BidSnapshot,
): Promise<void> {
  await services.store.transact((tx) => {
    assert(grant);
    tx.accounts.save(account);
    tx.grants.save(grant);
    if (auction) tx.auctions.save(auction);
    if (creative) tx.creatives.save(creative);
    if (liveBid) tx.bids.save(liveBid);
    tx.mandateUses.save({
      grantId: grant.id,
      day: BID_DAY,
      usedCents,
      expiresAtMs: 9e12,
    });
  });
}
