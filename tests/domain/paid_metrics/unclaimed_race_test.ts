/** A payer who comes back as the money is about to go back. */
import { assert, assertEquals } from "@std/assert";
import { metricsConsequences } from "../../../domain/checkout/metrics_consequences.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { settlePayments } from "../../../domain/paid_metrics/settle_payments.ts";
import type { Services, Transaction } from "../../../domain/ports.ts";
import { offer, openPaidWorld } from "../../support/paid_world.ts";

const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;

/** The store, with each of its transactions in other hands. */
function storeWith(
  store: Services["store"],
  around: (commit: () => Promise<unknown>) => Promise<unknown>,
): Services["store"] {
  const transact = (run: (tx: Transaction) => Promise<unknown>) =>
    around(() => store.transact(run));
  return new Proxy(store, {
    get(target, name) {
      if (name === "transact") return transact;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

Deno.test("a payer who comes with the key as the money is about to go back has the figures, and pays for them", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  shop.world.simulator.control.addFault({
    kind: "reset_after_effect",
    ...CHARGE,
  });
  const lost = await shop.ask({ authorization, key: "key-1" });
  assertEquals(lost.status, 503);
  await lost.body?.cancel();
  await shop.sweep();
  shop.world.clock.advance(DAY_MS + 60_000);
  // The payer's answer is stored between the sweep's lease and its refund, and
  // is noted as gone only after the sweep.
  const stored = Promise.withResolvers<void>();
  const swept = Promise.withResolvers<void>();
  let commits = 0;
  const store = storeWith(shop.services.store, async (commit) => {
    commits += 1;
    if (commits === 2) await swept.promise;
    const done = await commit();
    stored.resolve();
    return done;
  });
  const askAgain = await shop.asking({ ...shop.services, store });
  let answer: Promise<Response> | null = null;
  const sweeping = storeWith(shop.services.store, async (commit) => {
    const row = await shop.payment(challenge);
    const isLeased = (row?.leaseUntilMs ?? 0) > shop.world.clock.now();
    if (answer === null && isLeased) {
      answer = askAgain({ authorization, key: "key-1" });
      await stored.promise;
    }
    return await commit();
  });
  const consequences = metricsConsequences(shop.services);
  await settlePayments({ ...shop.services, store: sweeping }, consequences);
  swept.resolve();
  assert(answer !== null);
  assertEquals((await (answer as Promise<Response>)).status, 200);
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
  assert(!shop.world.log.events.includes("metrics.payment_unclaimed"));
});

Deno.test("a payment whose figures leave as its money is about to go back is kept, and nothing is told", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  shop.world.simulator.control.addFault({
    kind: "reset_after_effect",
    ...CHARGE,
  });
  await (await shop.ask({ authorization, key: "key-1" })).body?.cancel();
  await shop.sweep();
  shop.world.clock.advance(DAY_MS + 60_000);
  const { store, clock } = shop.services;
  let isHandedOver = false;
  const sweeping = storeWith(store, async (commit) => {
    const row = await shop.payment(challenge);
    const isLeased = (row?.leaseUntilMs ?? 0) > clock.now();
    if (row && isLeased && !isHandedOver) {
      isHandedOver = true;
      const atMs = clock.now();
      await store.transact(async (tx) => {
        const payment = await tx.metricsPayments.find(row.id);
        assert(payment);
        const left = { body: "{}", receipt: "r", atMs, handedOverAtMs: atMs };
        tx.metricsPayments.save({ ...payment, delivery: left });
      });
    }
    return await commit();
  });
  const consequences = metricsConsequences(shop.services);
  await settlePayments({ ...shop.services, store: sweeping }, consequences);
  assert(isHandedOver);
  assertEquals((await shop.payment(challenge))?.state, "succeeded");
  assertEquals(await shop.taken(), { charged: [100], refunded: [] });
  assert(!shop.world.log.events.includes("metrics.payment_unclaimed"));
});
