import { assert, assertEquals } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import { DETACH_FAILURES_MAX } from "../../../domain/cards/card_removal.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { Services } from "../../../domain/ports.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import {
  browserBid,
  type CardsWorld,
  openCardsWorld,
  overtakenBy,
} from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const day = AUCTION_DAY;

const remove = (
  services: Services,
  accountId: string,
  paymentMethodId: string,
) => {
  const by = byBrowser(accountId);
  return removeCard(services, {
    accountId,
    paymentMethodId,
    by,
    binding: null,
  });
};

async function withTwoCards(world: CardsWorld) {
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  return { accountId, visa, mastercard };
}

Deno.test("a card that is removed is gone here and at the processor", async () => {
  await using world = await openCardsWorld();
  const { accountId, mastercard } = await withTwoCards(world);
  const { answer } = await remove(world.services, accountId, mastercard.id);
  assertEquals(JSON.parse(answer.body), { id: mastercard.id, removed: true });
  assertEquals(await world.cards(accountId), ["4242*"]);
  assertEquals(await world.attached(accountId), ["4242"]);
});

Deno.test("removing the default card makes another the default, the last one none", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, mastercard } = await withTwoCards(world);
  await remove(world.services, accountId, visa.id);
  assertEquals(await world.cards(accountId), ["4444*"]);
  assertEquals(await world.reasons(accountId), []);
  await remove(world.services, accountId, mastercard.id);
  assertEquals(await world.cards(accountId), []);
  assertEquals(await world.reasons(accountId), ["no_payment_method"]);
});

Deno.test("a card that is unknown, another's or gone is the same no", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const eve = await world.account("eve");
  const refused = async (owner: string, id: string) => {
    const call = () => remove(world.services, owner, id);
    await assertRefused(call, "payment_method_not_found");
  };
  for (const id of ["", "pm_none", "pm_\u0000", "x".repeat(3_000)]) {
    await refused(accountId, id);
  }
  await refused(eve, visa.id);
  assertEquals((await world.cards(accountId)).length, 2);
  await remove(world.services, accountId, visa.id);
  await refused(accountId, visa.id);
});

Deno.test("the card of a live bid stays until its auction has settled", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  await placeBid(world.services, await browserBid(world, accountId));
  const call = () => remove(world.services, accountId, visa.id);
  const { days } = await assertRefused(call, "card_of_live_bid");
  assertEquals(days, [day]);
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
  await closeAuction(world.services, { day });
  await assertRefused(call, "card_of_live_bid");
  await settleDay(world.services, { day });
  await call();
  assertEquals(await world.cards(accountId), ["4444*"]);
});

Deno.test("the card of a bid whose day was never closed in an outage stays", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  await placeBid(world.services, await browserBid(world, accountId));
  world.clock.advance(9 * 86_400_000);
  const call = () => remove(world.services, accountId, visa.id);
  await assertRefused(call, "card_of_live_bid");
});

Deno.test("a card that a bid does not stand on is removed beside it", async () => {
  await using world = await openCardsWorld();
  const { accountId, mastercard } = await withTwoCards(world);
  await placeBid(world.services, await browserBid(world, accountId));
  await remove(world.services, accountId, mastercard.id);
  assertEquals(await world.cards(accountId), ["4242*"]);
});

for (const named of [true, false]) {
  const what = named ? "names the card" : "takes the default card";
  Deno.test(`of a removal and a bid at once that ${what}, one is refused or keeps off`, async () => {
    await using world = await openCardsWorld();
    const { accountId, visa, mastercard } = await withTwoCards(world);
    const bid = await browserBid(world, accountId, named ? visa.id : null);
    const [placed, removed] = await Promise.allSettled([
      placeBid(world.services, bid),
      remove(world.isolate().services, accountId, visa.id),
    ]);
    const { store } = world.services;
    const standing = await store.bids.find(day, accountId);
    const row = await store.paymentMethods.find(accountId, visa.id);
    assertEquals(row === null, removed.status === "fulfilled");
    assertEquals(row?.endingSinceMs, undefined, "nothing is left half done");
    assertEquals(standing !== null, placed.status === "fulfilled");
    const charged = standing?.paymentMethodId;
    if (charged === visa.id) assert(row !== null, "a bid's card is there");
    else if (standing !== null) assertEquals(charged, mastercard.id);
  });
}

Deno.test("a bid placed while its card is being removed keeps the card and its place", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const bid = await browserBid(world, accountId, visa.id);
  const racing = overtakenBy(world, bid, world.isolate().services);
  const call = () => remove(racing.services, accountId, visa.id);
  const { days } = await assertRefused(call, "card_of_live_bid");
  assertEquals([racing.isPlaced(), days], [true, [day]]);
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
  const left = await world.services.store.cardRemovals.find(visa.id);
  assertEquals(left, null);
});

Deno.test("a card that is being removed can't be named by a bid", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  await world.services.store.transact(async (tx) => {
    const row = await tx.paymentMethods.find(accountId, visa.id);
    if (row) tx.paymentMethods.save({ ...row, endingSinceMs: 1 });
  });
  const bid = await browserBid(world, accountId, visa.id);
  await assertRefused(
    () => placeBid(world.services, bid),
    "payment_method_not_found",
  );
});

Deno.test("two removals of one card at once remove it once", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const answers = await Promise.allSettled([
    remove(world.services, accountId, visa.id),
    remove(world.isolate().services, accountId, visa.id),
  ]);
  assert(answers.some(({ status }) => status === "fulfilled"));
  assertEquals(await world.cards(accountId), ["4444*"]);
  assertEquals(await world.attached(accountId), ["4444"]);
});

Deno.test("removals of two cards at once leave no default that is gone", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, mastercard } = await withTwoCards(world);
  await Promise.all([
    remove(world.services, accountId, visa.id),
    remove(world.isolate().services, accountId, mastercard.id),
  ]);
  assertEquals(await world.cards(accountId), []);
  const account = await world.accountOf(accountId);
  assertEquals(account.defaultPaymentMethodId, null);
});

Deno.test("a processor that does not let go is asked again, and then a person is told", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const path = "/v1/payment_methods/*/detach";
  world.simulator.control.addFault({ kind: "rate_limit", path, times: null });
  await remove(world.services, accountId, visa.id);
  assertEquals(await world.cards(accountId), ["4444*"]);
  const { store, clock } = world.services;
  const removal = async () => await store.cardRemovals.find(visa.id);
  for (let failures = 1; failures < DETACH_FAILURES_MAX; failures++) {
    const row = await removal();
    assertEquals([row?.state, row?.failures], ["detaching", failures]);
    world.clock.set(row?.dueAtMs ?? 0);
    await sweepCards(world.services);
  }
  assertEquals((await removal())?.state, "given_up");
  assert(world.log.events.includes("card.detach_given_up"));
  assertEquals(
    await store.listDue("cardRemovals", clock.now(), { limit: 9 }),
    [],
  );
  // It is still attached there, and never comes back here.
  await syncCards(world.services, { accountId });
  assertEquals(await world.cards(accountId), ["4444*"]);
});

Deno.test("a card that the processor let go of by a lost answer is done", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const path = "/v1/payment_methods/*/detach";
  world.simulator.control.addFault({ kind: "error_after_effect", path });
  await remove(world.services, accountId, visa.id);
  assertEquals(await world.attached(accountId), ["4444"]);
  world.clock.advance(60_000);
  await sweepCards(world.services);
  const removal = await world.services.store.cardRemovals.find(visa.id);
  assertEquals(removal?.state, "done");
});

Deno.test("a removed card is not brought back by an older list of the processor's", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa } = await withTwoCards(world);
  const { processor } = world.services;
  const { processorCustomerId } = await world.accountOf(accountId);
  const old = await processor.listCards(processorCustomerId ?? "");
  await remove(world.services, accountId, visa.id);
  const stale = { ...processor, listCards: () => Promise.resolve(old) };
  await syncCards({ ...world.services, processor: stale }, { accountId });
  assertEquals(await world.cards(accountId), ["4444*"]);
});
