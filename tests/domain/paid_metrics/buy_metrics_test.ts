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
