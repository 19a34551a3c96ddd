import { assert, assertEquals } from "@std/assert";
import { moved } from "../../../domain/checkout/session.ts";
import { settleSession } from "../../../domain/checkout/settle_session.ts";
import { beginCharge } from "../../../domain/paid_metrics/charge.ts";
import type { MetricsPayment } from "../../../domain/paid_metrics/metrics_payment.ts";
import {
  type CheckoutWorld,
  openCheckoutWorld,
} from "../../support/checkout_world.ts";
import { create } from "./requests.ts";

/** A session whose second payment is under way. */
async function inItsSecondPayment(world: CheckoutWorld): Promise<string> {
  const ada = await world.buyer("ada");
  const id = await create(world.services, ada);
  await world.services.store.transact(async (tx) => {
    const session = await tx.checkoutSessions.find(id);
    assert(session);
    const paying = moved(session, "complete_in_progress", 1);
    tx.checkoutSessions.save({ ...paying, attempts: 2, payingKey: "k" });
  });
  return id;
}

async function paymentOf(
  { services }: CheckoutWorld,
  id: string,
  changes: Partial<MetricsPayment>,
): Promise<MetricsPayment> {
  const session = await services.store.checkoutSessions.find(
    id.split(".")[0] ?? "",
  );
  assert(session);
  const { day } = session;
  const purchase = {
    id,
    channel: "checkout",
    day,
    token: "t",
    keyHash: null,
  } as const;
  return { ...beginCharge(null, purchase, 1), ...changes };
}

Deno.test("settleSession() leaves a session alone that another payment is under way for", async () => {
  await using world = await openCheckoutWorld();
  const { store } = world.services;
  const id = await inItsSecondPayment(world);
  const before = await store.checkoutSessions.find(id);
  for (
    const changes of [
      { state: "refused", refusal: "declined" },
      { state: "refunding" },
      { state: "succeeded" },
    ] as const
  ) {
    const first = await paymentOf(world, `${id}.1`, changes);
    const answer = await store.transact((tx) =>
      settleSession(world.services, tx, first, 2)
    );
    assertEquals(answer, null);
    // Money that it took buys nothing, and goes back.
    const saved = await store.metricsPayments.find(first.id);
    const isToGoBack = changes.state === "succeeded";
    assertEquals(saved?.state, isToGoBack ? "refunding" : undefined);
  }
  assertEquals(await store.checkoutSessions.find(id), before);
});

Deno.test("settleSession() leaves a session alone that its payment has settled before", async () => {
  for (
    const changes of [
      { state: "refused", refusal: "declined" },
      { state: "succeeded" },
    ] as const
  ) {
    await using world = await openCheckoutWorld();
    const { store } = world.services;
    const id = await inItsSecondPayment(world);
    const payment = await paymentOf(world, `${id}.2`, changes);
    const settle = () => {
      const nowMs = world.services.clock.now();
      return store.transact((tx) =>
        settleSession(world.services, tx, payment, nowMs)
      );
    };
    assert(await settle() !== null);
    const settled = await store.checkoutSessions.find(id);
    assertEquals(await settle(), null);
    assertEquals(await store.checkoutSessions.find(id), settled);
  }
});

Deno.test("settleSession() gives the money back once, where the grant was revoked meanwhile", async () => {
  for (const state of ["succeeded", "refunding"] as const) {
    await using world = await openCheckoutWorld();
    const { store } = world.services;
    const id = await inItsSecondPayment(world);
    const paid = await paymentOf(world, `${id}.2`, { state });
    await store.transact(async (tx) => {
      const session = await tx.checkoutSessions.find(id);
      const grant = session && await tx.grants.find(session.grantId);
      assert(grant);
      tx.grants.save({ ...grant, revokedAtMs: 1 });
    });
    await store.transact((tx) => settleSession(world.services, tx, paid, 2));
    const session = await store.checkoutSessions.find(id);
    const payment = await store.metricsPayments.find(paid.id);
    const isBegun = state === "succeeded";
    assertEquals(
      [session?.status, session?.refundBegunAtMs, payment?.state],
      ["completed", isBegun ? 2 : null, isBegun ? "refunding" : undefined],
    );
  }
});

Deno.test("settleSession() does nothing while the payment is charging", async () => {
  await using world = await openCheckoutWorld();
  const { store } = world.services;
  const id = await inItsSecondPayment(world);
  const open = await paymentOf(world, `${id}.2`, {});
  const answer = await store.transact((tx) =>
    settleSession(world.services, tx, open, 2)
  );
  assertEquals(answer, null);
});

Deno.test("settleSession() settles although the key was forgotten meanwhile", async () => {
  await using world = await openCheckoutWorld();
  const { store } = world.services;
  const id = await inItsSecondPayment(world);
  const paid = await paymentOf(world, `${id}.2`, { state: "succeeded" });
  await store.transact((tx) => settleSession(world.services, tx, paid, 2));
  const session = await store.checkoutSessions.find(id);
  assertEquals([session?.status, session?.payingKey], ["completed", null]);
});
