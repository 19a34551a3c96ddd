/** What a refused card means for an account whose default is another one. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { requireAccount } from "../../../domain/accounts/require_account.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { decideRemoval } from "../../../domain/cards/decide_removal.ts";
import { markRefused } from "../../../domain/cards/mark_refused.ts";
import { addDays } from "../../../domain/day.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { wordsOf } from "../../support/mail_words.ts";
import { assertRefused } from "../../support/refused.ts";
import { settleInTime } from "../../support/settlement_outcome.ts";
import { browserBid, type CardsWorld, openCardsWorld } from "./cards_world.ts";

const day = AUCTION_DAY;
const nextDay = addDays(day, 1);

/**
 * An account whose default is a good card, while bids of two days stand on
 * another one, which is refused for the first of them.
 */
async function refusedBesideDefault(world: CardsWorld) {
  const { services } = world;
  const accountId = await world.account("ada");
  await world.save(accountId, "visa");
  const other = await world.save(accountId, "chargeCustomerFail");
  const bid = await browserBid(world, accountId, other.id);
  await openAuction(services, { day: nextDay });
  await placeBid(services, bid);
  await placeBid(services, { ...bid, day: nextDay });
  await closeAuction(services, { day });
  await settleInTime(world, services);
  return { accountId, other, bid };
}

Deno.test("a refused card that is not the default takes no bid, and does not block the account", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const { accountId, other, bid } = await refusedBesideDefault(world);
  const refused = await services.store.bids.find(day, accountId);
  assertEquals(refused?.status, "payment_failed");
  assertEquals(await world.cards(accountId), ["0341", "4242*"]);
  assertEquals(await world.reasons(accountId), []);
  const third = addDays(day, 2);
  await openAuction(services, { day: third });
  const named = await assertRefused(
    () => placeBid(services, { ...bid, day: third }),
    "human_step_required",
  );
  assertEquals(named.reasons, ["card_refused"]);
  await placeBid(services, { ...bid, day: third, paymentMethodId: null });
  const placed = await services.store.bids.find(third, accountId);
  assertEquals(placed !== null && placed.paymentMethodId !== other.id, true);
});

Deno.test("a bid that stands on a refused card moves to the default when it is raised", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const { accountId, other, bid } = await refusedBesideDefault(world);
  const raise = { ...bid, day: nextDay, paymentMethodId: null };
  await placeBid(services, { ...raise, amountCents: bid.amountCents + 100 });
  const raised = await services.store.bids.find(nextDay, accountId);
  const { defaultPaymentMethodId } = await world.accountOf(accountId);
  assertEquals(raised?.paymentMethodId, defaultPaymentMethodId);
  assertEquals(raised?.paymentMethodId === other.id, false);
});

Deno.test("a card that is refused once more beside a good default blocks nothing", async () => {
  await using world = await openCardsWorld();
  const { services, clock } = world;
  const { accountId } = await refusedBesideDefault(world);
  clock.advance(86_400_000);
  await closeAuction(services, { day: nextDay });
  await settleDay(services, { day: nextDay });
  const bid = await services.store.bids.find(nextDay, accountId);
  assertEquals(bid?.status, "payment_failed");
  assertEquals(await world.reasons(accountId), []);
});

Deno.test("the mail about a refused card beside a good default says that bids go on, and on which card", async () => {
  await using world = await openCardsWorld();
  const { accountId } = await refusedBesideDefault(world);
  const { email } = await world.accountOf(accountId);
  const mails = await world.services.store.listMails({ limit: 100 });
  const told = mails.find(({ kind, to }) =>
    kind === "bid_payment_failed" && to === email
  );
  const words = wordsOf(told);
  assertStringIncludes(words, "Visa card ending in 0341 was refused");
  assertStringIncludes(
    words,
    "You can bid again: new bids are charged to another card of yours.",
  );
  assertEquals(words.includes("can't bid"), false);
});

Deno.test("a default that was refused while it was being removed blocks the account once it is kept", async () => {
  await using world = await openCardsWorld();
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
  const marked = await store.transact(async (tx) => {
    const account = await requireAccount(tx, accountId);
    return await markRefused(tx, account, { paymentMethodId: visa.id, nowMs });
  });
  assertEquals(marked.isBlocking, false);
  const { kind } = await decideRemoval(services, visa.id);
  assertEquals(kind, "kept");
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
});
