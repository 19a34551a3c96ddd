import { assertEquals } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { liftRefusal } from "../../../domain/cards/lift_refusal.ts";
import { requireAccount } from "../../../domain/accounts/require_account.ts";
import {
  markRefused,
  REFUSED_MAX,
} from "../../../domain/cards/mark_refused.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import type { Services } from "../../../domain/ports.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";
import { browserBid, type CardsWorld, openCardsWorld } from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const day = AUCTION_DAY;

const choose = (
  services: Services,
  accountId: string,
  paymentMethodId: string,
) => {
  const by = byBrowser(accountId);
  const choice = { accountId, paymentMethodId, by, binding: null };
  return setDefaultCard(services, choice);
};

/** An account whose only card was refused by a bid that ranked first. */
async function refused(world: CardsWorld) {
  const accountId = await world.account("ada");
  const card = await world.save(accountId, "chargeCustomerFail");
  await placeBid(world.services, await browserBid(world, accountId));
  await closeAuction(world.services, { day });
  await settleInTime(world, world.services);
  return { accountId, card };
}

Deno.test("choosing a card makes it the default, and bids that stand keep theirs", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  await placeBid(world.services, await browserBid(world, accountId));
  const { answer } = await choose(world.services, accountId, mastercard.id);
  assertEquals(JSON.parse(answer.body), {
    id: mastercard.id,
    brand: "mastercard",
    last4: "4444",
    exp_month: 12,
    exp_year: 2029,
    is_default: true,
    created_at: "2026-11-20T08:00:00.001Z",
  });
  assertEquals(await world.cards(accountId), ["4444*", "4242"]);
  const bid = await world.services.store.bids.find(day, accountId);
  assertEquals(bid?.paymentMethodId, visa.id);
});

Deno.test("choosing a card that is unknown or another's is the same no", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const eve = await world.account("eve");
  const call = (id: string) => () => choose(world.services, eve, id);
  for (const id of [visa.id, "pm_none", "", "x\u0000"]) {
    await assertRefused(call(id), "payment_method_not_found");
  }
});

Deno.test("a refused card is marked, and blocks the account until it is mended", async () => {
  await using world = await openCardsWorld();
  const { accountId, card } = await refused(world);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  const { store } = world.services;
  const row = await store.paymentMethods.find(accountId, card.id);
  assertEquals(typeof row?.refusedAtMs, "number");
  const again = () => choose(world.services, accountId, card.id);
  const { reasons } = await assertRefused(again, "human_step_required");
  assertEquals(reasons, ["card_refused"]);
});

Deno.test("a refused card that is saved again under its number mends nothing, also once the first is removed", async () => {
  await using world = await openCardsWorld();
  const { accountId, card } = await refused(world);
  await world.save(accountId, "chargeCustomerFail");
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await removeCard(world.services, {
    accountId,
    paymentMethodId: card.id,
    by: byBrowser(accountId),
    binding: null,
  });
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await world.save(accountId, "chargeCustomerFail");
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await liftRefusal(world.services, {
    accountId,
    by: { kind: "operator_key" },
    reason: "Your bank has told us.",
    about: null,
  });
  assertEquals(await world.reasons(accountId), []);
  const { refusedFingerprints } = await world.accountOf(accountId);
  assertEquals(refusedFingerprints, undefined);
  await world.save(accountId, "chargeCustomerFail");
  assertEquals(await world.reasons(accountId), [], "a later change keeps it");
});

/** As so many other cards of the account were refused on later days. */
async function refuseOthers(
  { services }: CardsWorld,
  { accountId, card }: Awaited<ReturnType<typeof refused>>,
  count: number,
): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const id = `pm_other_${nth}`;
    const other = { ...card, id, fingerprint: `other-${nth}` };
    const { store } = services;
    await store.transact((tx) => tx.paymentMethods.save(other));
    await store.transact(async (tx) => {
      const account = await requireAccount(tx, accountId);
      await markRefused(tx, account, { paymentMethodId: id, nowMs: nth });
    });
    await store.transact(async (tx) => {
      const row = await tx.paymentMethods.find(accountId, id);
      if (row !== null) tx.paymentMethods.remove(row);
    });
  }
}

for (const others of [REFUSED_MAX - 1, REFUSED_MAX]) {
  const becomes = others < REFUSED_MAX ? "stays refused" : "is tried again";
  Deno.test(`a refused card that is saved again after ${others} others were refused ${becomes}`, async () => {
    await using world = await openCardsWorld();
    const before = await refused(world);
    const { accountId } = before;
    await removeCard(world.services, {
      accountId,
      paymentMethodId: before.card.id,
      by: byBrowser(accountId),
      binding: null,
    });
    await refuseOthers(world, before, others);
    await world.save(accountId, "chargeCustomerFail");
    const isRefused = (await world.reasons(accountId)).includes("card_refused");
    assertEquals(isRefused, others < REFUSED_MAX);
    const { refusedFingerprints } = await world.accountOf(accountId);
    assertEquals(refusedFingerprints?.length, REFUSED_MAX);
  });
}

Deno.test("a new card mends an account and takes the place of the refused one", async () => {
  await using world = await openCardsWorld();
  const { accountId } = await refused(world);
  await world.save(accountId, "visa");
  assertEquals(await world.cards(accountId), ["4242*", "0341"]);
  assertEquals(await world.reasons(accountId), []);
});

Deno.test("choosing another card mends an account, going back is refused", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const failing = await world.save(accountId, "chargeCustomerFail");
  const visa = await world.save(accountId, "visa");
  await placeBid(world.services, await browserBid(world, accountId));
  await closeAuction(world.services, { day });
  await settleInTime(world, world.services);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await choose(world.services, accountId, visa.id);
  assertEquals(await world.reasons(accountId), []);
  const back = () => choose(world.services, accountId, failing.id);
  await assertRefused(back, "human_step_required");
});

Deno.test("taking the refused card away mends an account that has another", async () => {
  await using world = await openCardsWorld();
  const { accountId, card } = await refused(world);
  const take = () =>
    removeCard(world.services, {
      accountId,
      paymentMethodId: card.id,
      by: byBrowser(accountId),
      binding: null,
    });
  await take();
  assertEquals(await world.reasons(accountId), [
    "no_payment_method",
    "card_refused",
  ]);
  await world.save(accountId, "visa");
  assertEquals(await world.reasons(accountId), []);
});

Deno.test("a bid that names a refused card is refused until a person acts", async () => {
  await using world = await openCardsWorld();
  const { accountId, card } = await refused(world);
  await world.save(accountId, "visa");
  const bid = await browserBid(world, accountId, card.id);
  const { services } = world;
  await services.store.transact(async (tx) => {
    const auction = await tx.auctions.find(day);
    const placed = await tx.bids.find(day, accountId);
    if (placed) tx.bids.remove(placed);
    if (auction) {
      const closesAtMs = world.clock.now() + 1_000;
      tx.auctions.save({ ...auction, phase: "OPEN", closesAtMs });
    }
  });
  const refusal = await assertRefused(
    () => placeBid(services, bid),
    "human_step_required",
  );
  assertEquals(refusal.reasons, ["card_refused"]);
});

Deno.test("a repeat of a choice gets its answer again, though another was made since", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  const operation = `POST /v1/agent/payment_methods/${mastercard.id}/default`;
  const input = {
    accountId,
    paymentMethodId: mastercard.id,
    by: byBrowser(accountId),
    binding: {
      owner: "gr_1",
      operation,
      key: "key-1",
      requestHash: requestHash({}),
    },
  };
  const first = await setDefaultCard(world.services, input);
  await choose(world.services, accountId, visa.id);
  const again = await setDefaultCard(world.services, input);
  assertEquals(again, { ...first, replayed: true });
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
});

Deno.test("choices at the same time leave one default", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const ids = [];
  for (const card of ["visa", "mastercard", "amex"]) {
    ids.push((await world.save(accountId, card)).id);
  }
  const other = world.isolate().services;
  await Promise.all(
    ids.map((id, at) => choose(at % 2 ? other : world.services, accountId, id)),
  );
  const cards = await world.cards(accountId);
  assertEquals(cards.filter((card) => card.endsWith("*")).length, 1);
});

Deno.test("cards are neither chosen nor removed under a connection or session that has ended since", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  const { services } = world;
  const ended = [
    [{ grant: { id: "gr_ended", lineId: "line_1" } }, "token_invalid"],
    [signedOut(accountId), "session_missing"],
  ] as const;
  for (const [by, code] of ended) {
    const asked = { accountId, by, binding: null };
    const other = { ...asked, paymentMethodId: mastercard.id };
    await assertRefused(() => setDefaultCard(services, other), code);
    const first = { ...asked, paymentMethodId: visa.id };
    await assertRefused(() => removeCard(services, first), code);
  }
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
});

function signedOut(accountId: string) {
  const { session } = byBrowser(accountId);
  return { session: { ...session, hash: "of-a-session-that-is-gone" } };
}
