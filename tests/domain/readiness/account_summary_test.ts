import { assertEquals } from "@std/assert";
import type { Creative } from "../../../domain/creatives/creative.ts";
import type { BearerGrant, Scope } from "../../../domain/oauth/grant.ts";
import {
  readAccountSummary,
  tierOf,
} from "../../../domain/readiness/account_summary.ts";
import {
  type Agent,
  BID_SCOPES,
  openBiddingWorld,
  readyAccount,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

const NOTHING_ASKED = { day: null, adId: null, amountCents: null };

Deno.test("readAccountSummary() reads all it says in one round trip", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const before = world.testStore.kv.readCount;
  const summary = await readAccountSummary(
    world.services,
    bearerOf(ada),
    NOTHING_ASKED,
  );
  assertEquals(world.testStore.kv.readCount - before, 1);
  assertEquals(summary.user_id, "acc_ada");
  assertEquals(summary.eligibility.can_bid, true);
});

Deno.test("readAccountSummary() lists reasons with the page of the first", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    account: { defaultPaymentMethodId: null, disputeOpen: true },
  });
  const { eligibility } = await readAccountSummary(
    world.services,
    bearerOf(ada),
    NOTHING_ASKED,
  );
  assertEquals(eligibility, {
    can_bid: false,
    reasons: ["no_payment_method", "dispute_open"],
    action_url: "/billing",
  });
});

Deno.test("readAccountSummary() refuses a grant whose account is gone", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { account } = ada;
  await world.services.store.transact((tx) => tx.accounts.remove(account));
  await assertRefused(
    () => readAccountSummary(world.services, bearerOf(ada), NOTHING_ASKED),
    "token_invalid",
  );
});

Deno.test("tierOf() is null until the account is onboarded", () => {
  const account = readyAccount("ada");
  assertEquals(tierOf({ ...account, company: null, partner: true }), null);
  assertEquals(tierOf(account), "new");
  assertEquals(tierOf({ ...account, paidWins: 3 }), "standard");
  assertEquals(tierOf({ ...account, partner: true }), "partner");
});

Deno.test("readAccountSummary() looks for creatives where none is named, and the token may read them", async () => {
  await using world = await openBiddingWorld();
  const reads = [...BID_SCOPES, "creatives:read"] as const;
  const creativeOf = async (
    state: Creative["state"],
    scopes: readonly Scope[] = reads,
  ) => {
    const as = await world.agent(state + scopes.length, {
      creative: { state },
      scopes,
    });
    const { first_bid } = await readAccountSummary(
      world.services,
      bearerOf(as),
      NOTHING_ASKED,
    );
    return first_bid.requirements.find(({ id }) => id === "creative")?.code;
  };
  for (const state of ["draft", "submitted", "rejected", "archived"] as const) {
    assertEquals(await creativeOf(state), "creative_not_approved", state);
  }
  assertEquals(await creativeOf("approved"), "not_given");
  assertEquals(await creativeOf("draft", BID_SCOPES), "not_given");
});

/** The agent's token, as it was checked. */
function bearerOf({ grant, lineId }: Agent): BearerGrant {
  return { ...grant, lineId };
}
