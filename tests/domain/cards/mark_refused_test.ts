/** What a refused card means for an account whose default is another one. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { requireAccount } from "../../../domain/accounts/require_account.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { decideRemoval } from "../../../domain/cards/decide_removal.ts";
import { markRefused } from "../../../domain/cards/mark_refused.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import { addDays } from "../../../domain/day.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { byBrowser } from "../../support/sessions.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";
import { browserBid, type CardsWorld, openCardsWorld } from "./cards_world.ts";

const day = AUCTION_DAY;
const nextDay = addDays(day, 1);

function choose(
  { services }: CardsWorld,
  accountId: string,
  paymentMethodId: string,
) {
  const by = byBrowser(accountId);
  const choice = { accountId, paymentMethodId, by, binding: null };
  return setDefaultCard(services, choice);
}

/**
 * An account whose default is a good card, while bids of two days stand on
 * another one, which is refused for the first of them.
 */
async function refusedBesideDefault(world: CardsWorld) {
  const { services } = world;
  const accountId = await world.account("ada");
  const good = await world.save(accountId, "visa");
  const other = await world.save(accountId, "chargeCustomerFail");
  const bid = await browserBid(world, accountId, other.id);
  await openAuction(services, { day: nextDay });
  await placeBid(services, bid);
  await placeBid(services, { ...bid, day: nextDay });
  await closeAuction(services, { day });
  await settleInTime(world, services);
  return { accountId, good, other, bid };
}

Deno.test("a refused card that is not the default blocks its account until the default is chosen, which then takes a raise", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const { accountId, good, other, bid } = await refusedBesideDefault(world);
  const raise = {
    ...bid,
    day: nextDay,
    paymentMethodId: null,
    amountCents: bid.amountCents + 100,
  };
  const tooEarly = await assertRefused(
    () => placeBid(services, raise),
    "human_step_required",
  );
  assertEquals(tooEarly.reasons, ["card_refused"]);
  const again = () => choose(world, accountId, other.id);
  await assertRefused(again, "human_step_required");
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  const { answer } = await choose(world, accountId, good.id);
  assertEquals(JSON.parse(answer.body).is_default, true);
  assertEquals(await world.reasons(accountId), []);
  assertEquals(await world.cards(accountId), ["0341", "4242*"]);
  await placeBid(services, raise);
  const raised = await services.store.bids.find(nextDay, accountId);
  assertEquals(raised?.paymentMethodId, good.id);
});

Deno.test("a card that is refused once more blocks its account once more, until the default is chosen again", async () => {
  await using world = await openCardsWorld();
  const { services, clock } = world;
  const { accountId, good } = await refusedBesideDefault(world);
  await choose(world, accountId, good.id);
  clock.advance(86_400_000);
  await closeAuction(services, { day: nextDay });
  await settleDay(services, { day: nextDay });
  const bid = await services.store.bids.find(nextDay, accountId);
  assertEquals(bid?.status, "payment_failed");
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await choose(world, accountId, good.id);
  assertEquals(await world.reasons(accountId), []);
});

Deno.test("choosing the default changes nothing where no card was refused", async () => {
  await using world = await openCardsWorld();
  const { store } = world.services;
  const accountId = await world.account("ada");
  const { id } = await world.save(accountId, "visa");
  const before = await store.wallets.find(accountId);
  assertNotEquals(before, null);
  await choose(world, accountId, id);
  assertEquals(await store.wallets.find(accountId), before);
});

/**
 * A default with a live bid whose removal was begun, and that is refused for
 * another day before it is found out that it stays.
 */
async function refusedWhileRemoved(world: CardsWorld) {
  const { services, clock } = world;
  const { store } = services;
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  await placeBid(services, await browserBid(world, accountId));
  const nowMs = clock.now();
  await store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    tx.paymentMethods.save({ ...visa, endingSinceMs: nowMs });
    tx.accounts.save({ ...account, defaultPaymentMethodId: mastercard.id });
    tx.cardRemovals.save({
      paymentMethodId: visa.id,
      accountId,
      origin: "user",
      state: "checking",
      replacedBy: mastercard.id,
      binding: null,
      dueAtMs: nowMs,
      failures: 0,
      expiresAtMs: null,
    });
  });
  await store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await markRefused(tx, account, { paymentMethodId: visa.id, nowMs });
  });
  return { accountId, visa, mastercard };
}

Deno.test("a default that was refused while it was being removed does not become it again", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, mastercard } = await refusedWhileRemoved(world);
  const { kind } = await decideRemoval(world.services, visa.id);
  assertEquals(kind, "kept");
  assertEquals(await world.cards(accountId), ["4444*", "4242"]);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  await choose(world, accountId, mastercard.id);
  assertEquals(await world.reasons(accountId), []);
});

Deno.test("a card chosen in place of one that was refused while it was being removed stays chosen", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, mastercard } = await refusedWhileRemoved(world);
  await choose(world, accountId, mastercard.id);
  await decideRemoval(world.services, visa.id);
  assertEquals(await world.cards(accountId), ["4444*", "4242"]);
  assertEquals(await world.reasons(accountId), []);
});
