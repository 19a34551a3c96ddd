/** Payments that nobody waits for any more. */
import { assert, assertEquals } from "@std/assert";
import {
  askProcessor,
  beginCharge,
} from "../../../domain/paid_metrics/charge.ts";
import {
  METRICS_PAYMENT_EDGES,
  type MetricsPayment,
} from "../../../domain/paid_metrics/metrics_payment.ts";
import {
  settlePaymentNow,
  settlePayments,
} from "../../../domain/paid_metrics/settle_payments.ts";
import { certainValue } from "../../../domain/payments/outcome.ts";
import type { Services } from "../../../domain/ports.ts";
import { syncPayment } from "../../../domain/webhooks/sync_payment.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import { Crash, keyOf } from "../../support/faults.ts";
import {
  DAY,
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
  payAgain,
  type SeenChallenge,
} from "../../support/paid_world.ts";

const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;
const LIST = { method: "GET", path: "/v1/payment_intents" } as const;

Deno.test("every state of a payment is reachable and ends where it should", () => {
  const seen = new Set<string>(["charging"]);
  const table: Record<string, readonly string[]> = METRICS_PAYMENT_EDGES;
  for (const state of seen) {
    for (const next of table[state] ?? []) seen.add(next);
  }
  assertEquals([...seen].sort(), Object.keys(table).sort());
  // Unless a bank brings back what it had taken.
  assertEquals(table["refunded"], ["refunding"]);
  // Money is never taken after a no, nor kept after a refund has begun.
  assertEquals(table["refused"], ["refunding"]);
  assertEquals(table["refunding"], ["refunded"]);
});

Deno.test("a payment whose answer was lost is found by its own id", async () => {
  await using shop = await openPaidWorld();
  const challenge = await lost(shop, "reset_after_effect");
  assertEquals((await shop.payment(challenge))?.intentId, null);
  await shop.sweep();
  const payment = await shop.payment(challenge);
  assertEquals(payment?.state, "succeeded");
  assertEquals((await shop.taken()).charged, [100]);
  assertEquals((await shop.ledger()).length, 1);
});

Deno.test("a payment that never was is over after 60 minutes, not before", async () => {
  await using shop = await openPaidWorld();
  const challenge = await lost(shop, "reset_before_effect");
  await shop.sweep({ minutes: 59 });
  assertEquals((await shop.payment(challenge))?.state, "charging");
  await shop.sweep({ minutes: 16 });
  const payment = await shop.payment(challenge);
  assertEquals(payment?.state, "refused");
  assertEquals(payment?.refusal, "not_charged");
  assertEquals(await shop.ledger(), []);
});

Deno.test("a payer who waited too long to repeat is not charged any more", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  shop.world.simulator.control.addFault({
    kind: "reset_before_effect",
    ...CHARGE,
  });
  await expect(shop, authorization, "503 temporarily-unavailable");
  shop.world.clock.advance(50 * 60_000);
  await expect(shop, authorization, "503 temporarily-unavailable");
  shop.world.clock.advance(10 * 60_000);
  await shop.sweep();
  await expect(shop, authorization, "402 verification-failed");
  assertEquals(await shop.taken(), { charged: [], refunded: [] });
});

Deno.test("a payment that can't be looked for stays open, is reported and gets to its end", async () => {
  await using shop = await openPaidWorld();
  const challenge = await lost(shop, "reset_after_effect");
  const fault = shop.world.simulator.control.addFault({
    kind: "error_before_effect",
    times: null,
    ...LIST,
  });
  const { events } = shop.world.log;
  const before = events.length;
  await shop.sweep({ minutes: 110 });
  assert(!events.includes("metrics.payment_late"), "not before two hours");
  await shop.sweep({ minutes: 70 });
  assertEquals((await shop.payment(challenge))?.state, "charging");
  assert(events.slice(before).includes("metrics.payment_open"));
  assert(!events.includes("metrics.payment_settled"));
  assert(events.includes("metrics.look_uncertain"));
  assert(events.includes("metrics.payment_late"));
  shop.world.simulator.control.removeFault(fault);
  await shop.sweep({ minutes: 16 });
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  assert(events.includes("metrics.payment_settled"));
});

Deno.test("a payment among too many to look through stays open", async () => {
  await using shop = await openPaidWorld();
  const { stripe } = shop.world;
  const challenge = await lost(shop, "reset_before_effect");
  for (let batch = 0; batch < 51; batch++) {
    await Promise.all(
      Array.from(
        { length: 20 },
        () => stripe.paymentIntents.create({ amount: 100, currency: "eur" }),
      ),
    );
  }
  await shop.sweep({ minutes: 150, everyMinutes: 15 });
  assertEquals((await shop.payment(challenge))?.state, "charging");
  assert(shop.world.log.events.includes("metrics.payment_late"));
});

Deno.test("the sweep looks less and less often, and no more once it knows", async () => {
  await using shop = await openPaidWorld();
  const challenge = await lost(shop, "reset_before_effect");
  await shop.sweep({ minutes: 90 });
  const sweeps = (await shop.payment(challenge))?.sweeps ?? 0;
  assert(sweeps > 4 && sweeps < 12, `${sweeps} looks`);
  const { store, clock } = shop.services;
  const later = clock.now() + 365 * 86_400_000;
  assertEquals(await store.listDue("payments", later, { limit: 9 }), []);
});

Deno.test("a payer who has paid and does not come for a day has the money back", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await lose(shop, authorization, "reset_after_effect");
  await shop.sweep();
  const succeededAtMs = (await shop.payment(challenge))?.succeededAtMs ?? 0;
  shop.world.clock.set(succeededAtMs + 86_400_000 - 1);
  await shop.sweep();
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  shop.world.clock.advance(1);
  await shop.sweep();
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  await expect(shop, authorization, "402 verification-failed");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  assert(shop.world.log.events.includes("metrics.payment_unclaimed"));
});

Deno.test("a payer who comes within the day is answered, and the money is kept", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  await lose(shop, authorization, "reset_after_effect");
  await shop.sweep();
  shop.world.clock.advance(86_000_000);
  await expect(shop, authorization, "200");
  await shop.sweep({ minutes: 3_000, everyMinutes: 60 });
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

Deno.test("the sweep leaves alone what a request is at", async () => {
  await using shop = await openPaidWorld();
  const services = shop.world.another((real) => ({
    ...real,
    async chargeSharedToken(input, key) {
      await shop.sweep();
      return await real.chargeSharedToken(input, key);
    },
  })).services;
  const { challenge, authorization } = await offer(shop);
  const ask = await shop.asking(services);
  assertEquals(await outcomeOf(await ask({ authorization })), "200");
  assertEquals((await shop.payment(challenge))?.sweeps, 0);
});

Deno.test("two sweeps at once look once and give back once", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  await lose(shop, authorization, "reset_after_effect");
  const other = shop.world.another().services;
  const both = () =>
    Promise.all(
      [shop.services, other].map((services) =>
        settlePayments(services, { http_payment: () => Promise.resolve() })
      ),
    );
  await both();
  assertEquals((await shop.payment(challenge))?.sweeps, 1);
  shop.world.clock.advance(86_400_000);
  await both();
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  assertEquals((await shop.ledger()).length, 2);
});

Deno.test("one payment's trouble does not keep the others waiting", async () => {
  await using shop = await openPaidWorld();
  const one = await lost(shop, "reset_after_effect");
  const two = await lost(shop, "reset_after_effect");
  shop.world.kv.inject({
    on: "commit",
    key: keyOf("ledger"),
    fault: { kind: "fail_before" },
  });
  await shop.sweep();
  const states = [await shop.payment(one), await shop.payment(two)]
    .map((payment) => payment?.state);
  assertEquals(states.sort(), ["charging", "succeeded"]);
  assert(shop.world.log.events.includes("metrics.settle_failed"));
  await shop.sweep({ minutes: 3 });
  assertEquals((await shop.payment(one))?.state, "succeeded");
  assertEquals((await shop.payment(two))?.state, "succeeded");
  assertEquals((await shop.ledger()).length, 2);
});

Deno.test("what follows from an outcome is told once, in its commit, by the way it was bought", async () => {
  await using shop = await openPaidWorld();
  const told: string[] = [];
  const sweep = () =>
    settlePayments(shop.services, {
      checkout: (_tx, { id, state }) => {
        told.push(`${id} ${state}`);
        return Promise.resolve();
      },
    });
  await begin(shop.services, "cs_1.1", await shop.token());
  await begin(
    shop.services,
    "cs_2.1",
    await shop.token({
      card: "pm_card_chargeDeclined",
    }),
  );
  shop.world.clock.advance(46_000);
  await sweep();
  await sweep();
  assertEquals(told.sort(), ["cs_1.1 succeeded", "cs_2.1 refused"]);
  // Who bought in a checkout is waited for by nobody.
  shop.world.clock.advance(2 * 86_400_000);
  await sweep();
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

Deno.test("money that turns up after a payment was taken for not made is given back", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const asking = Promise.withResolvers<void>();
  const asleep = Promise.withResolvers<void>();
  const sleeper = shop.world.another((real) => ({
    ...real,
    async chargeSharedToken(input, key) {
      asking.resolve();
      await asleep.promise;
      return await real.chargeSharedToken(input, key);
    },
  }));
  const ask = await shop.asking(sleeper.services);
  const late = ask({ authorization });
  await asking.promise;
  // Longer than any call lives: the machine itself was asleep.
  shop.world.clock.advance(3_600_000);
  await shop.sweep();
  assertEquals((await shop.payment(challenge))?.refusal, "not_charged");
  asleep.resolve();
  assertEquals(await outcomeOf(await late), "402 verification-failed");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  const lines = (await shop.ledger()).flatMap(({ lines }) => lines);
  assertEquals(lines.reduce((sum, { amountCents }) => sum + amountCents, 0), 0);
});

Deno.test("money that a dead process took late is given back when the processor tells of it", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const doomed = shop.world.another((real) => ({
    ...real,
    async chargeSharedToken(input, key) {
      shop.world.clock.advance(4 * 3_600_000);
      await shop.sweep();
      await real.chargeSharedToken(input, key);
      doomed.kv.crash();
      throw new Crash();
    },
  }));
  await (await shop.asking(doomed.services))({ authorization });
  const { id: paymentId = "" } = challenge;
  assertEquals((await shop.payment(challenge))?.refusal, "not_charged");
  const intentId = shop.world.simulator.control.objects("payment_intent")
    .at(-1)?.id ?? "";
  const followed: string[] = [];
  const consequences = {
    http_payment: (_: unknown, { state }: MetricsPayment) => {
      followed.push(state);
      return Promise.resolve();
    },
  };
  const paid = certainValue(
    await shop.services.processor.retrievePayment(intentId),
  );
  const tell = (isPaid: boolean) => {
    const payment = isPaid ? paid : { ...paid, status: "refused" } as const;
    return settlePaymentNow(shop.services, consequences, {
      paymentId,
      payment,
    });
  };
  await tell(false);
  assertEquals((await shop.payment(challenge))?.state, "refused");
  for (let time = 0; time < 2; time++) await tell(true);
  assertEquals((await shop.payment(challenge))?.state, "refunded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
  assertEquals((await shop.ledger()).length, 2);
  // What was followed up as refused is not followed up again by its refund.
  assertEquals(followed, []);
});

Deno.test("a payment that the processor tells of is settled before its turn, and asked for once", async () => {
  await using shop = await openPaidWorld();
  const challenge = await lost(shop, "reset_after_effect");
  const intentId = shop.world.simulator.control.objects("payment_intent")
    .at(-1)?.id ?? "";
  let asked = 0;
  const { processor: real } = shop.services;
  const processor = {
    ...real,
    retrievePayment(id: string) {
      asked += 1;
      return real.retrievePayment(id);
    },
  };
  await syncPayment({ ...shop.services, processor }, intentId);
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  assertEquals(asked, 1);
});

Deno.test("a payment that is processing long after it was begun is waited for once the processor has told of it", async () => {
  await using shop = await openPaidWorld();
  const { clock, simulator: { control } } = shop.world;
  const challenge = await lost(shop, "reset_before_effect");
  clock.advance(4 * 3_600_000);
  control.addFault({ kind: "processing", ...CHARGE });
  const intentId = await payAgain(shop, challenge["id"] ?? "");
  await syncPayment(shop.services, intentId);
  const waiting = await shop.payment(challenge);
  assertEquals([waiting?.state, waiting?.intentId], ["charging", intentId]);
  control.resolvePayment(intentId, "succeed");
  await shop.sweep({ minutes: 16 });
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
});

/** Begins a checkout's payment and asks for it, as a request that then dies. */
async function begin(
  services: Services,
  id: string,
  token: string,
): Promise<void> {
  const { store, clock } = services;
  const purchase = { id, channel: "checkout", day: DAY, token } as const;
  const payment = await store.transact((tx) => {
    const begun = beginCharge(
      null,
      { ...purchase, keyHash: null },
      clock.now(),
    );
    tx.metricsPayments.save(begun);
    return begun;
  });
  await askProcessor(services, payment, token);
}

/** A challenge whose payer heard nothing. */
async function lost(shop: PaidWorld, kind: FaultKind): Promise<SeenChallenge> {
  const { challenge, authorization } = await offer(shop);
  await lose(shop, authorization, kind);
  return challenge;
}

async function lose(
  shop: PaidWorld,
  authorization: string,
  kind: FaultKind,
): Promise<void> {
  shop.world.simulator.control.addFault({ kind, ...CHARGE });
  await expect(shop, authorization, "503 temporarily-unavailable");
}

async function expect(
  shop: PaidWorld,
  authorization: string,
  outcome: string,
): Promise<void> {
  assertEquals(await outcomeOf(await shop.ask({ authorization })), outcome);
}
