/** Days that are removed between the payment and the answer. */
import { assertEquals } from "@std/assert";
import type { FaultKind } from "../../../../simulators/stripe/mod.ts";
import type { Processor } from "../../../../domain/payments/processor.ts";
import type { Services } from "../../../../domain/ports.ts";
import {
  type Ask,
  credential,
  DAY,
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
} from "../../../support/paid_world.ts";

const GONE = "404 spotlight-not-found";

Deno.test("a day that is removed while it is paid for is refunded, then 404", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const ask = await askingWhile(shop, () => shop.remove(DAY));
  await expect(ask, authorization, GONE);
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  for (let time = 0; time < 3; time++) await expect(ask, authorization, GONE);
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  await booksAreEven(shop);
});

Deno.test("a day that is removed before it is paid for takes no money", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await shop.remove(DAY);
  await expect(shop.ask, authorization, GONE);
  assertEquals(await shop.payment(challenge), null);
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("a removal that the process has not heard of yet is seen before any money is taken", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  await shop.services.store.transact(async (tx) => {
    const spotlight = await tx.spotlights.find(DAY);
    if (spotlight === null) throw new Error("The day has settled");
    tx.spotlights.save({ ...spotlight, removedAtMs: 1, removalReason: "x" });
  });
  await expect(shop.ask, authorization, GONE);
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("a payer who was answered and never asks again keeps the report, and the money is kept", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  await expect(shop.ask, authorization, "200");
  await shop.remove(DAY);
  await shop.sweep({ minutes: 1_500, everyMinutes: 30 });
  // Now its 24 hours are over.
  await expect(shop.ask, authorization, GONE);
  await shop.sweep();
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

for (const key of [undefined, "k1"]) {
  const how = key === undefined ? "without a key" : "with its key";
  Deno.test(`a payer who was answered and asks again within 24 hours of a removed day has the money back, once: ${how}`, async () => {
    await using shop = await openPaidWorld();
    const { challenge, authorization } = await offer(shop);
    const asked = { authorization, key };
    assertEquals(await outcomeOf(await shop.ask(asked)), "200");
    await shop.remove(DAY);
    shop.world.clock.advance(86_400_000 - 1);
    for (let time = 0; time < 3; time++) {
      assertEquals(await outcomeOf(await shop.ask(asked)), GONE);
    }
    await shop.sweep({ minutes: 90 });
    assertEquals((await shop.payment(challenge))?.state, "refunded");
    assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
    await booksAreEven(shop);
  });
}

Deno.test("20 repeats at once of an answered credential of a removed day make one refund", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const asked = { authorization, key: "k1" };
  assertEquals(await outcomeOf(await shop.ask(asked)), "200");
  await shop.remove(DAY);
  const other = await shop.asking(shop.world.another().services);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? other : shop.ask)(asked)),
  );
  for (const answer of answers) {
    assertEquals((await outcomeOf(answer)).slice(0, 3), "404");
  }
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  await booksAreEven(shop);
});

Deno.test("another token on the challenge of an answered report of a removed day gives nothing back", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await expect(shop.ask, authorization, "200");
  await shop.remove(DAY);
  const spt = await shop.token();
  await expect(shop.ask, credential(challenge, { spt }), GONE);
  await shop.sweep();
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

Deno.test("an uncertain payment for a day that is removed is given back by the sweep", async () => {
  await using shop = await openPaidWorld();
  shop.world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/payment_intents",
  });
  const { challenge, authorization } = await offer(shop);
  await expect(shop.ask, authorization, "503 temporarily-unavailable");
  await shop.remove(DAY);
  await expect(shop.ask, authorization, GONE);
  await shop.sweep();
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  await booksAreEven(shop);
});

Deno.test("a payer who comes for a removed day's figures has the money back at once", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await found(shop, authorization);
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  await shop.remove(DAY);
  await expect(shop.ask, authorization, GONE);
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  await booksAreEven(shop);
});

const KINDS: FaultKind[] = [
  "error_before_effect",
  "error_after_effect",
  "reset_before_effect",
  "reset_after_effect",
  "timeout_after_effect",
  "rate_limit",
  "lock_timeout",
];

for (const kind of KINDS) {
  Deno.test(`${kind} at a refund is 404 all the same, and the sweep makes it once`, async () => {
    await using shop = await openPaidWorld();
    const path = "/v1/refunds";
    shop.world.simulator.control.addFault({ kind, method: "POST", path });
    const { challenge, authorization } = await offer(shop);
    const ask = await askingWhile(shop, () => shop.remove(DAY));
    await expect(ask, authorization, GONE);
    assertEquals((await shop.payment(challenge))?.state, "refunding");
    await shop.sweep({ minutes: 10 });
    assertEquals((await shop.payment(challenge))?.state, "refunded");
    assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
    await booksAreEven(shop);
  });
}

Deno.test("money that an operator gave back by hand counts as given back", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await found(shop, authorization);
  const { intentId } = await shop.payment(challenge) ?? {};
  await shop.world.stripe.refunds.create({ payment_intent: intentId ?? "" });
  await shop.remove(DAY);
  await expect(shop.ask, authorization, GONE);
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals((await shop.taken()).refunded, [100]);
  await booksAreEven(shop);
});

/** A process that something happens to after each charge, before its answer. */
async function askingWhile(
  shop: PaidWorld,
  happens: () => Promise<void>,
): Promise<Ask> {
  const { services } = shop.world.another((real): Processor => ({
    ...real,
    async chargeSharedToken(input, key) {
      const outcome = await real.chargeSharedToken(input, key);
      await happens();
      return outcome;
    },
  }));
  return await shop.asking(services as Services);
}

/** Pays, has the answer lost, and lets the sweep find the payment. */
async function found(shop: PaidWorld, authorization: string): Promise<void> {
  shop.world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/payment_intents",
  });
  await expect(shop.ask, authorization, "503 temporarily-unavailable");
  await shop.sweep();
}

async function expect(
  ask: Ask,
  authorization: string,
  outcome: string,
): Promise<void> {
  assertEquals(await outcomeOf(await ask({ authorization })), outcome);
}

/** A sale and its refund, and nothing left on any account. */
async function booksAreEven(shop: PaidWorld): Promise<void> {
  const ledger = await shop.ledger();
  assertEquals(ledger.length, 2);
  const sums = new Map<string, number>();
  for (const { account, amountCents } of ledger.flatMap((one) => one.lines)) {
    sums.set(account, (sums.get(account) ?? 0) + amountCents);
  }
  for (const [account, sum] of sums) assertEquals(sum, 0, account);
}
