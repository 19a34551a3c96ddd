import { assert, assertEquals } from "@std/assert";
import type { MetricsPayment } from "../../../domain/paid_metrics/metrics_payment.ts";
import {
  offer,
  openPaidWorld,
  outcomeOf,
  type PaidWorld,
  type SeenChallenge,
} from "../../support/paid_world.ts";

/** Changes the row of a payment, as another version or worker left it. */
async function change(
  { services: { store } }: PaidWorld,
  { id = "" }: SeenChallenge,
  changed: (payment: MetricsPayment) => MetricsPayment,
): Promise<void> {
  await store.transact(async (tx) => {
    const payment = await tx.metricsPayments.find(id);
    assert(payment);
    tx.metricsPayments.save(changed(payment));
  });
}

Deno.test("a report that does not say whether it was final is given again as one that was not", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const first = await shop.ask({ authorization, key: "key-1" });
  assertEquals(first.status, 200);
  await first.body?.cancel();
  await change(shop, challenge, (payment) => {
    assert(payment.delivery);
    const { isFinal: _isFinal, ...delivery } = payment.delivery;
    return { ...payment, delivery };
  });
  const again = await shop.ask({ authorization, key: "key-1" });
  await again.body?.cancel();
  assertEquals(
    [again.status, again.headers.get("metrics-final")],
    [200, "false"],
  );
});

Deno.test("a payer who comes for a payment that is to go back is told so, and has the money at once", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const first = await shop.ask({ authorization, key: "key-1" });
  await first.body?.cancel();
  const dueAtMs = shop.world.clock.now();
  await change(shop, challenge, (payment) => ({
    ...payment,
    state: "refunding",
    delivery: null,
    leaseUntilMs: 0,
    dueAtMs,
  }));
  const again = await shop.ask({ authorization, key: "key-1" });
  assertEquals(await outcomeOf(again), "402 verification-failed");
  assertEquals(await shop.taken(), { charged: [100], refunded: [100] });
});

Deno.test("when the figures have left is noted once: repeats change nothing of their payment", async () => {
  await using shop = await openPaidWorld();
  const { challenge, authorization } = await offer(shop);
  const asked = { authorization, key: "key-1" };
  await (await shop.ask(asked)).body?.cancel();
  const first = await shop.payment(challenge);
  assertEquals(first?.delivery?.handedOverAtMs, shop.world.clock.now());
  shop.world.clock.advance(60_000);
  assertEquals(await outcomeOf(await shop.ask(asked)), "200");
  assertEquals(await shop.payment(challenge), first);
});

Deno.test("a payment that stays open is told in the log", async () => {
  await using shop = await openPaidWorld();
  const { authorization } = await offer(shop);
  shop.world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/payment_intents",
  });
  const answer = await shop.ask({ authorization });
  assertEquals(await outcomeOf(answer), "503 temporarily-unavailable");
  assert(shop.world.log.events.includes("metrics.payment_open"));
});
