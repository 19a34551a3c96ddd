import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { openKv } from "../../kv/open.ts";
import { seen } from "../support/captured_logs.ts";
import {
  AUCTION_DAY,
  createAdvertiser,
  saveBid,
} from "../support/auction_world.ts";
import { eventPayload, signatureOf } from "../support/stripe_event.ts";
import {
  openToldService,
  TOLD_SECRET,
  type ToldService,
} from "../support/told_service.ts";
import { until } from "../support/until.ts";

/** Closes the day with one bid, whose payment is left processing. */
async function settleUntilProcessing(told: ToldService): Promise<string> {
  const { services, simulator } = told;
  const ada = await createAdvertiser(services, "ada", "pm_card_visa");
  await openAuction(services, { day: AUCTION_DAY });
  await saveBid(services, ada, 4_200, AUCTION_DAY);
  await closeAuction(services, { day: AUCTION_DAY });
  simulator.control.addFault({ kind: "processing" });
  const { state } = await settleDay(services, { day: AUCTION_DAY });
  assertEquals(state, "running");
  const [intent] = simulator.control.objects("payment_intent")
    .filter(({ status }) => status === "processing");
  assert(intent !== undefined);
  return intent.id;
}

const stateOf = async ({ services }: ToldService, purchaseId: string) =>
  (await services.store.metricsPayments.find(purchaseId))?.state;

Deno.test("a purchase that nobody waits for is settled as soon as the processor tells, before any job runs", async () => {
  await using told = await openToldService();
  const intents = [await told.buy("one"), await told.buy("two")];
  told.simulator.control.resolvePayment(intents[0] ?? "", "succeed");
  told.simulator.control.resolvePayment(intents[1] ?? "", "fail");
  await told.quiet();
  assertEquals(await stateOf(told, "one"), "succeeded");
  assertEquals(await stateOf(told, "two"), "refused");
  const ledger = await told.services.store.listLedger({ limit: 9 });
  assertEquals(ledger.length, 1);
});

Deno.test("a settlement that waits for a payment goes on as soon as the processor tells", async () => {
  await using told = await openToldService();
  const intent = await settleUntilProcessing(told);
  told.simulator.control.resolvePayment(intent, "succeed");
  await told.quiet();
  const { store } = told.services;
  assertEquals((await store.settlements.find(AUCTION_DAY))?.state, "settled");
  assertEquals(
    (await store.spotlights.find(AUCTION_DAY))?.accountId,
    "acc_ada",
  );
});

Deno.test("identities, cards and disputes come the same way as payments, each as it is at the processor", async () => {
  await using told = await openToldService();
  const { services, simulator: { control } } = told;
  const { processor, store } = services;
  const ada = await createAdvertiser(services, "ada", "pm_card_visa");
  const accountId = ada.account.id;
  await store.transact((tx) =>
    tx.accounts.save({ ...ada.account, identityStatus: "unverified" })
  );
  const identity = await processor.createIdentitySession(
    { accountId, returnUrl: "http://localhost/account" },
    "identity",
  );
  const setup = await processor.createCardSetup({
    customerId: ada.account.processorCustomerId ?? "",
    accountId,
    successUrl: "http://localhost/cards",
    cancelUrl: "http://localhost/cards",
  }, "setup");
  assert(identity.ok && setup.ok);
  control.people.checkIdentity(identity.value.id, "verified");
  control.people.saveCard(setup.value.id, "mastercard");
  const intent = await told.buy("one");
  control.resolvePayment(intent, "succeed");
  await told.quiet();
  const dispute = control.disputes.open(intent);
  await told.quiet();
  const account = await store.accounts.find(accountId);
  assertEquals(account?.identityStatus, "verified");
  const cards = await store.listPaymentMethods(accountId, { limit: 9 });
  assertEquals(cards.map(({ brand }) => brand).toSorted(), [
    "mastercard",
    "visa",
  ]);
  assertEquals((await store.disputes.find(dispute.id))?.state, "open");
});

Deno.test("what the processor could not deliver during an outage arrives afterwards", async () => {
  await using told = await openToldService();
  const { webhooks } = told.simulator.control;
  webhooks.setTarget({ url: "http://127.0.0.1:9/", secret: TOLD_SECRET });
  const intent = await told.buy("one");
  told.simulator.control.resolvePayment(intent, "succeed");
  await webhooks.idle();
  assertEquals(await stateOf(told, "one"), "charging");
  webhooks.setTarget({ url: told.url, secret: TOLD_SECRET });
  webhooks.retryNow();
  await told.quiet();
  assertEquals(await stateOf(told, "one"), "succeeded");
});

Deno.test("a service that stops waits for the look that is under way and begins no other", async () => {
  const kv = await openKv(":memory:");
  // It outlives the service, to see what was written before the end.
  await using told = await openToldService({ kv: { ...kv, close() {} } });
  const { control } = told.simulator;
  const intent = await told.buy("one");
  const path = `/v1/payment_intents/${intent}`;
  control.addFault({ kind: "hold", method: "GET", path });
  control.resolvePayment(intent, "succeed");
  await until(() => control.heldRequests > 0);
  await control.webhooks.idle();
  const stopping = told.running.service.stop();
  control.releaseRequests();
  await stopping;
  assertEquals(await stateOf(told, "one"), "succeeded");
  const left = await told.services.store.listDue(
    "events",
    Number.MAX_SAFE_INTEGER,
    { limit: 9 },
  );
  for (const { leaseOwner, attempts } of left) {
    assertEquals([leaseOwner, attempts], [null, 0], "no other was begun");
  }
  kv.close();
});

Deno.test("events signed with the old secret, the new one or both are taken while it is being changed", async () => {
  await using told = await openToldService({
    env: { STRIPE_WEBHOOK_SECRET: `whsec_the_new_one,${TOLD_SECRET}` },
  });
  const { url } = told;
  const targets = [
    { url, secret: TOLD_SECRET },
    { url, secret: "whsec_the_new_one", oldSecret: TOLD_SECRET },
    { url, secret: "whsec_the_new_one" },
  ];
  for (const [nth, target] of targets.entries()) {
    told.simulator.control.webhooks.setTarget(target);
    const intent = await told.buy(`purchase-${nth}`);
    told.simulator.control.resolvePayment(intent, "succeed");
    await told.quiet();
    assertEquals(await stateOf(told, `purchase-${nth}`), "succeeded");
  }
});

Deno.test("webhooks cost no token of any bucket", async () => {
  await using told = await openToldService();
  const { baseUrl } = told.running.config.settings;
  const leftNow = async () => {
    const answer = await seen.fetch(`${baseUrl}/api/v1/sandbox`);
    await answer.body?.cancel();
    return answer.headers.get("ratelimit");
  };
  const before = await leftNow();
  const body = JSON.stringify(eventPayload("charge.succeeded"));
  const signature = await signatureOf(body, TOLD_SECRET, told.clock.now());
  for (let n = 0; n < 150; n++) {
    const answer = await seen.fetch(told.url, {
      method: "POST",
      headers: { "stripe-signature": n % 2 === 0 ? signature : "t=1,v1=0" },
      body,
    });
    await answer.body?.cancel();
    assertEquals(answer.status, n % 2 === 0 ? 200 : 400);
  }
  assertEquals([before, await leftNow()], ['"agent";r=119', '"agent";r=118']);
});

Deno.test("nothing of a notification stays but its name and what it happened to", async () => {
  await using told = await openToldService();
  await createAdvertiser(told.services, "ada", "pm_card_visa");
  const intent = await told.buy("one");
  told.simulator.control.resolvePayment(intent, "succeed");
  await told.quiet();
  const rows = told.running.service.core.kv.list({ prefix: [] });
  for await (const { key, value } of rows) {
    if (key[0] !== "webhook_events") continue;
    assertEquals(Object.keys(value as object).toSorted(), [
      "attempts",
      "createdAtMs",
      "dueAtMs",
      "expiresAtMs",
      "id",
      "leaseOwner",
      "objectId",
      "objectType",
      "receivedAtMs",
      "state",
      "type",
    ]);
  }
});

/** What deliveries go through, and how each purchase ends at the processor. */
const stormArbitrary = fc.record({
  seed: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true }), {
    minLength: 7,
    maxLength: 31,
  }),
  lose: fc.constantFrom(0, 0.3, 1),
  ends: fc.array(fc.constantFrom("succeed" as const, "fail" as const), {
    minLength: 1,
    maxLength: 6,
  }),
});

Deno.test("events shuffled, doubled, late and lost, with the jobs that sweep, end as events told in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      stormArbitrary,
      async ({ seed, lose, ends }) => await storm(seed, lose, ends),
    ),
    { numRuns: 12 },
  );
});

async function storm(
  seed: readonly number[],
  lose: number,
  ends: readonly ("succeed" | "fail")[],
): Promise<void> {
  let at = 0;
  await using told = await openToldService({
    random: () => seed[at++ % seed.length] ?? 0,
  });
  const { webhooks } = told.simulator.control;
  webhooks.setFaults({ shuffle: 0.7, duplicate: 0.5, delay: 0.3, lose });
  const winner = await settleUntilProcessing(told);
  const intents: string[] = [];
  for (const nth of ends.keys()) intents.push(await told.buy(`p${nth}`));
  webhooks.hold();
  told.simulator.control.resolvePayment(winner, "succeed");
  ends.forEach((how, nth) =>
    told.simulator.control.resolvePayment(intents[nth] ?? "", how)
  );
  webhooks.release({ shuffle: true });
  await told.quiet();
  webhooks.retryNow();
  await told.quiet();
  // What was lost is found by the jobs, which look at the same objects.
  for (let minute = 0; minute < 70; minute += 5) {
    told.clock.advance(5 * 60_000);
    await told.runJobs();
  }
  await told.quiet();
  await checkEnd(told, ends);
}

async function checkEnd(
  told: ToldService,
  ends: readonly ("succeed" | "fail")[],
): Promise<void> {
  const { store } = told.services;
  for (const [nth, how] of ends.entries()) {
    const wanted = how === "succeed" ? "succeeded" : "refused";
    assertEquals(await stateOf(told, `p${nth}`), wanted);
  }
  assertEquals((await store.settlements.find(AUCTION_DAY))?.state, "settled");
  assertEquals(
    await store.listDue("events", Number.MAX_SAFE_INTEGER, { limit: 9 }),
    [],
  );
  const ledger = await store.listLedger({ limit: 50 });
  const paid = ends.filter((how) => how === "succeed").length;
  assertEquals(ledger.length, paid + 1, "each charge is booked once");
  const sum = ledger.flatMap(({ lines }) => lines)
    .reduce((total, { amountCents }) => total + amountCents, 0);
  assertEquals(sum, 0);
  const { customers } = told.simulator.control.state();
  const charged = customers.reduce((all, one) => all + one.charged, 0);
  assertEquals(charged, 4_200 + 100 * paid);
}
