import { isRefused } from "../../../domain/cards/card.ts";
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { Refused } from "../../../domain/refusal.ts";
import { BID_SETTINGS, readyAccount } from "../../support/bidding_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { publicRecordsOf } from "../../support/public_spotlights.ts";
import { openDemoWorld, TODAY, USUAL } from "./demo_world.ts";

const LIMIT = { limit: 1_000 };

Deno.test("fillStore() fills 90 public days up to yesterday and one removed", async () => {
  await using world = await openDemoWorld();
  const { services } = world;
  const filled = await fillStore(services, USUAL);
  assertEquals(filled.settledDays, 91);
  const stored = await services.store.listSpotlights(null, LIMIT);
  assertEquals(stored.length, 91);
  assertEquals(stored.filter((each) => each.removedAtMs !== null).length, 1);
  const { snapshot } = await publicRecordsOf(services.store);
  assertEquals(snapshot.records.length, 90);
  assertEquals(snapshot.newestSettledDay, addDays(TODAY, -1));
  const paid =
    snapshot.records.filter(({ contentType }) =>
      contentType === "paid_advertisement"
    ).length;
  assert(paid >= 70 && paid <= 74, `${paid} of 90 are paid`);
});

Deno.test("fillStore() leaves today's auction open without a bid", async () => {
  await using world = await openDemoWorld();
  const { store } = world.services;
  await fillStore(world.services, USUAL);
  const [auction, bidCount, calendar] = await store.getMany([
    store.auctions.ref(TODAY),
    store.bidCounts.ref(TODAY),
    store.calendar.ref(),
  ]);
  assertEquals(auction?.phase, "OPEN");
  assertEquals(bidCount, 0);
  assertEquals(calendar, {
    launchDay: addDays(TODAY, -91),
    settledThroughDay: addDays(TODAY, -1),
  });
});

Deno.test("fillStore() makes advertisers that may bid and one for every reason not to", async () => {
  await using world = await openDemoWorld();
  const { store } = world.services;
  await fillStore(world.services, USUAL);
  const ready: string[] = [];
  const reasons = new Set<string>();
  for (const account of await store.listAccounts(LIMIT)) {
    const stands = eligibilityReasons(account, BID_SETTINGS);
    // Whose card was refused has that card, which can't be used again.
    const cards = await store.listPaymentMethods(account.id, LIMIT);
    assertEquals(cards.some(isRefused), account.cardRefused);
    for (const reason of stands) reasons.add(reason);
    const creatives = await store.listCreatives(account.id, LIMIT);
    const isApproved = creatives.some(({ state }) => state === "approved");
    if (stands.length === 0 && isApproved) ready.push(account.email);
  }
  assertEquals(ready.length, 5);
  assertEquals([...reasons].toSorted(), [
    "card_refused",
    "dispute_lost",
    "dispute_open",
    "identity_unverified",
    "no_payment_method",
    "onboarding_incomplete",
    "operator_account",
    "suspended",
    "vat_unverified",
  ]);
});

Deno.test("fillStore() saves every card at the processor under its own customer", async () => {
  await using world = await openDemoWorld();
  const { services, processor } = world;
  await fillStore(services, USUAL);
  for (const account of await services.store.listAccounts(LIMIT)) {
    const cards = await services.store.listPaymentMethods(account.id, LIMIT);
    for (const card of cards) {
      assertEquals(card.id, account.defaultPaymentMethodId);
      assertEquals(
        processor.cards.get(card.id),
        account.processorCustomerId ?? "none",
      );
    }
  }
});

Deno.test("fillStore() writes the same store for the same seed and day", async () => {
  await using one = await openDemoWorld();
  await using two = await openDemoWorld();
  await fillStore(one.services, USUAL);
  await fillStore(two.services, USUAL);
  assertEquals(await one.rows(), await two.rows());
});

Deno.test("fillStore() writes another store for another seed", async () => {
  await using one = await openDemoWorld();
  await using two = await openDemoWorld();
  await fillStore(one.services, USUAL);
  await fillStore(two.services, { ...USUAL, seed: 2 });
  assertNotEquals(await one.rows(), await two.rows());
});

Deno.test("fillStore() takes any number of days", async () => {
  for (const days of [1, 2, 9, 365]) {
    await using world = await openDemoWorld();
    await fillStore(world.services, { ...USUAL, days });
    const { snapshot } = await publicRecordsOf(world.services.store);
    assertEquals(snapshot.records.length, days);
  }
});

Deno.test("fillStore() refuses a store it has filled, and changes nothing", async () => {
  await using world = await openDemoWorld();
  await fillStore(world.services, USUAL);
  const before = await world.rows();
  await assertRefused(() => fillStore(world.services, USUAL));
  assertEquals(await world.rows(), before);
});

Deno.test("fillStore() refuses a store with somebody's account", async () => {
  await using world = await openDemoWorld();
  const { services } = world;
  await services.store.transact((tx) => tx.accounts.save(readyAccount("ann")));
  const before = await world.rows();
  await assertRefused(() => fillStore(services, USUAL));
  assertEquals(await world.rows(), before);
});

Deno.test("fillStore() fills the store of a service that has only just begun", async () => {
  await using begun = await openDemoWorld();
  await using fresh = await openDemoWorld();
  await openAuction(begun.services, { day: TODAY });
  await fillStore(begun.services, USUAL);
  await fillStore(fresh.services, USUAL);
  assertEquals(await begun.rows(), await fresh.rows());
});

Deno.test("fillStore() writes nothing when the processor does not answer", async () => {
  await using world = await openDemoWorld();
  world.processor.silent = 1;
  await assertRejects(
    () => fillStore(world.services, USUAL),
    ProcessorUncertain,
  );
  assertEquals(await world.rows(), []);
  await fillStore(world.services, USUAL);
});

Deno.test("fillStore() ends in the same store from every crash", async () => {
  await using whole = await openDemoWorld();
  await fillStore(whole.services, { ...USUAL, days: 25 });
  const wanted = await whole.rows();
  const crashes = await everyCrashPoint(async (point) => {
    await using world = await openDemoWorld();
    const { testStore, services } = world;
    testStore.kv.crashAt(point);
    const input = { ...USUAL, days: 25 };
    try {
      await fillStore(services, input);
      return false;
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    const after = world.over(testStore.another().store);
    await fillStore(after, input).catch((error) => {
      // It had ended but for opening today's auction, which cron does too.
      if (!(error instanceof Refused)) throw error;
      return openAuction(after, { day: TODAY });
    });
    assertEquals(await world.rows(), wanted);
    const cards = new Set(world.processor.cards.values());
    assertEquals(cards.size, world.processor.cards.size);
    return true;
  });
  // Accounts, six batches of days, the calendar and today's auction.
  assertEquals(crashes, 2 * 9);
});

async function assertRefused(call: () => Promise<unknown>): Promise<void> {
  const error = await assertRejects(call, Refused);
  assertEquals(error.refusal.code, "store_not_empty");
}
