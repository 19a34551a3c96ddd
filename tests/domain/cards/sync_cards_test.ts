import { assert, assertEquals, assertRejects } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { newCardsState } from "../../../domain/cards/cards_state.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { syncCards } from "../../../domain/cards/sync_cards.ts";
import {
  ProcessorRefused,
  ProcessorUncertain,
} from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import {
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";
import { browserBid, type CardsWorld, openCardsWorld } from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const day = AUCTION_DAY;

async function withTwoCards(world: CardsWorld) {
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  const mastercard = await world.save(accountId, "mastercard");
  const sync = (services = world.services) =>
    syncCards(services, { accountId });
  return { accountId, visa, mastercard, sync };
}

/** The services once the bank has renewed a card until March 2031. */
function renewing({ services }: CardsWorld, cardId: string): Services {
  const { processor } = services;
  return {
    ...services,
    processor: {
      ...processor,
      async listCards(customerId) {
        const asked = await processor.listCards(customerId);
        if (!asked.ok) return asked;
        const value = asked.value.map((card) =>
          card.id === cardId ? { ...card, expMonth: 3, expYear: 2031 } : card
        );
        return { ok: true, value };
      },
    },
  };
}

Deno.test("a card that was removed at the processor is gone here, the default moves on", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, sync } = await withTwoCards(world);
  await world.stripe.paymentMethods.detach(visa.id);
  await sync();
  assertEquals(await world.cards(accountId), ["4444*"]);
  const { store } = world.services;
  assertEquals(await store.paymentMethods.find(accountId, visa.id), null);
  await sweepCards(world.services);
  assertEquals((await store.cardRemovals.find(visa.id))?.state, "done");
});

Deno.test("a card that was saved at the processor is taken over", async () => {
  await using world = await openCardsWorld();
  const { accountId, sync } = await withTwoCards(world);
  const { processorCustomerId } = await world.accountOf(accountId);
  const customer = processorCustomerId ?? "";
  await world.stripe.paymentMethods.attach("pm_card_amex", { customer });
  await sync();
  assertEquals(await world.cards(accountId), ["8431", "4444", "4242*"]);
});

Deno.test("a card that the bank renewed expires later, and is warned of anew", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, sync } = await withTwoCards(world);
  const { store } = world.services;
  await store.transact(async (tx) => {
    const row = await tx.paymentMethods.find(accountId, visa.id);
    if (row) tx.paymentMethods.save({ ...row, warnedDays: 7 });
  });
  await sync(renewing(world, visa.id));
  const row = await store.paymentMethods.find(accountId, visa.id);
  assertEquals([row?.expMonth, row?.expYear], [3, 2031]);
  assertEquals(row?.warnedDays, undefined);
  const cardsState = await store.wallets.find(accountId);
  assertEquals(cardsState?.warnDueAtMs, Date.parse("2031-03-02T00:00:00Z"));
});

Deno.test("a refused card that the bank renewed mends nothing", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, mastercard, sync } = await withTwoCards(world);
  const { store } = world.services;
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    const row = await tx.paymentMethods.find(accountId, visa.id);
    if (account === null || row === null) throw new TypeError("Not there");
    tx.paymentMethods.save({ ...row, refusedAtMs: world.clock.now() });
    const defaultPaymentMethodId = mastercard.id;
    tx.accounts.save({ ...account, defaultPaymentMethodId, cardRefused: true });
  });
  await sync(renewing(world, visa.id));
  const row = await store.paymentMethods.find(accountId, visa.id);
  assertEquals(row?.expYear, 2031);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
});

Deno.test("cards that agree are compared daily without a change", async () => {
  await using world = await openCardsWorld();
  const { accountId, sync } = await withTwoCards(world);
  world.clock.advance(86_400_000);
  await sync();
  const { store, clock } = world.services;
  const before = await store.wallets.find(accountId);
  assertEquals(before?.syncDueAtMs, clock.now() + 86_400_000);
  world.clock.advance(86_400_000);
  world.simulator.control.clearRequests();
  await sweepCards(world.services);
  assertEquals(world.simulator.control.requests().length, 1);
  assertEquals((await store.wallets.find(accountId))?.version, before?.version);
  await sweepCards(world.services);
  assertEquals(world.simulator.control.requests().length, 1);
});

Deno.test("a card that is gone at the processor under a live bid fails as any other", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, sync } = await withTwoCards(world);
  await placeBid(world.services, await browserBid(world, accountId));
  await world.stripe.paymentMethods.detach(visa.id);
  await sync();
  assertEquals(await world.cards(accountId), ["4444*"]);
  const { store } = world.services;
  const row = await store.paymentMethods.find(accountId, visa.id);
  assert(row?.endingSinceMs !== undefined, "it stays for the bid");
  const take = () =>
    removeCard(world.services, {
      accountId,
      paymentMethodId: visa.id,
      by: byBrowser(accountId),
      binding: null,
    });
  await assertRefused(take, "card_of_live_bid");
  const named = await browserBid(world, accountId, visa.id, 2_000);
  await assertRefused(
    () => placeBid(world.services, named),
    "payment_method_on_raise",
  );
  await closeAuction(world.services, { day });
  await settleInTime(world, world.services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals([bids, chargedCents], [{ acc_ada: "payment_failed" }, []]);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
  world.clock.advance(3_600_000);
  await sweepCards(world.services);
  assertEquals(await store.paymentMethods.find(accountId, visa.id), null);
  assertEquals(await world.reasons(accountId), ["card_refused"]);
});

Deno.test("the only card, taken away at the processor, is no way to withdraw a bid", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  await placeBid(world.services, await browserBid(world, accountId));
  await world.stripe.paymentMethods.detach(visa.id);
  await syncCards(world.services, { accountId });
  assertEquals(await world.reasons(accountId), ["no_payment_method"]);
  await closeAuction(world.services, { day });
  await settleInTime(world, world.services);
  const { bids, chargedCents } = await outcomeOfDay(world);
  assertEquals([bids, chargedCents], [{ acc_ada: "payment_failed" }, []]);
  assertEquals(await world.reasons(accountId), [
    "no_payment_method",
    "card_refused",
  ]);
});

Deno.test("a list that was read before a card came does not take it away", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  await world.save(accountId, "visa");
  const { processor } = world.services;
  let raced = false;
  // A card is set up after this isolate was answered.
  const late: Services = {
    ...world.isolate().services,
    processor: {
      ...processor,
      async listCards(customerId) {
        const answered = await processor.listCards(customerId);
        if (!raced) {
          raced = true;
          await world.save(accountId, "mastercard");
        }
        return answered;
      },
    },
  };
  await syncCards(late, { accountId });
  assertEquals(raced, true);
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
});

/** Saves so many cards at the processor, past us. */
async function attachMany(
  world: CardsWorld,
  accountId: string,
  count: number,
): Promise<string[]> {
  const { processorCustomerId } = await world.accountOf(accountId);
  const customer = processorCustomerId ?? "";
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { id } = await world.stripe.paymentMethods.attach("pm_card_amex", {
      customer,
    });
    ids.push(id);
  }
  return ids;
}

Deno.test("more cards than a page at the processor take none of ours away; ten are kept, the rest is told", async () => {
  await using world = await openCardsWorld();
  const { accountId, visa, sync } = await withTwoCards(world);
  await attachMany(world, accountId, 105);
  await sync();
  const cards = await world.cards(accountId);
  assertEquals(cards.length, 10);
  assert(cards.includes("4242*") && cards.includes("4444"));
  const { lines } = world.log;
  assert(lines.some((line) => line.includes("cards.left_out")));
  await world.stripe.paymentMethods.detach(visa.id);
  await sync();
  const after = await world.cards(accountId);
  assertEquals(after.length, 10, "another takes the free place");
  assert(!after.some((card) => card.startsWith("4242")));
});

Deno.test("cards that were taken away here hide no other at the processor", async () => {
  await using world = await openCardsWorld();
  const { accountId, sync } = await withTwoCards(world);
  const older = await attachMany(world, accountId, 1);
  const { store, clock } = world.services;
  for (const paymentMethodId of await attachMany(world, accountId, 12)) {
    await store.transact((tx) =>
      tx.cardRemovals.save({
        paymentMethodId,
        accountId,
        origin: "user",
        state: "detaching",
        binding: null,
        dueAtMs: clock.now() + 86_400_000,
        failures: 0,
        expiresAtMs: null,
      })
    );
  }
  await sync();
  assertEquals(await world.cards(accountId), ["8431", "4444", "4242*"]);
  assert(
    await store.paymentMethods.find(accountId, older[0] ?? "") !== null,
    "the one that nobody took away",
  );
});

Deno.test("more cards than can be read change nothing", async () => {
  await using world = await openCardsWorld();
  const { accountId, sync } = await withTwoCards(world);
  const { processor } = world.services;
  const listCards = () => Promise.reject(new ProcessorUncertain("too many"));
  const before = await world.cards(accountId);
  await assertRejects(
    () => sync({ ...world.services, processor: { ...processor, listCards } }),
    ProcessorUncertain,
  );
  assertEquals(await world.cards(accountId), before);
});

Deno.test("many cards that are gone at once are taken away in several commits", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const ids: string[] = [];
  for (let nth = 0; nth < 10; nth++) {
    ids.push((await world.save(accountId)).id);
    world.clock.advance(86_400_000);
  }
  for (const id of ids) await world.stripe.paymentMethods.detach(id);
  await syncCards(world.services, { accountId });
  assertEquals(await world.cards(accountId), []);
  assertEquals(await world.reasons(accountId), ["no_payment_method"]);
});

Deno.test("a customer that the processor does not know changes nothing and is told of", async () => {
  await using world = await openCardsWorld();
  const { accountId, sync } = await withTwoCards(world);
  await world.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account) {
      tx.accounts.save({ ...account, processorCustomerId: "cus_no" });
    }
  });
  await assertRejects(() => sync(), ProcessorRefused);
  assertEquals((await world.cards(accountId)).length, 2);
  assert(world.log.events.includes("processor.refused"));
});

Deno.test("an account without a customer has nothing to compare", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  await world.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account) tx.accounts.save({ ...account, processorCustomerId: null });
  });
  await syncCards(world.services, { accountId });
  assertEquals(await world.cards(accountId), []);
});

Deno.test("a run compares so many accounts that 144,000 and more have their turn each day", async () => {
  await using world = await openCardsWorld();
  const { store, clock } = world.services;
  const runsADay = 24 * 60 / 5;
  const count = 144_000 / runsADay + 1;
  for (let nth = 0; nth < count; nth++) {
    await store.transact((tx) =>
      tx.wallets.save({
        ...newCardsState(`acc_${nth}`),
        syncDueAtMs: clock.now(),
      })
    );
  }
  await sweepCards(world.services);
  assertEquals(
    await store.listDue("cardSyncs", clock.now(), { limit: 1 }),
    [],
  );
});
