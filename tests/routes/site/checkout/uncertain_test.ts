import { assertEquals, assertNotEquals } from "@std/assert";
import {
  METRICS_CHARGE_WITHIN_MS,
  METRICS_LEASE_MS,
  METRICS_UNCERTAIN_MS,
} from "../../../../domain/paid_metrics/limits.ts";
import {
  bookings,
  codeOf,
  newSession,
  onlyTheSameGoesOn,
  pay,
  payHeld,
  payUncertain,
  refresh,
  report,
  see,
  waiting,
} from "../../../support/checkout_calls.ts";
import {
  CHARGE,
  DAY,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";
import { keyOf } from "../../../support/faults.ts";
import type { FaultOrder } from "../../../../simulators/stripe/mod.ts";

/** Ways in which nobody knows whether the money was taken. */
const UNCERTAIN: readonly (FaultOrder & { takes: boolean })[] = [
  { kind: "timeout_after_effect", takes: true },
  { kind: "error_after_effect", takes: true },
  { kind: "reset_after_effect", takes: true },
  { kind: "error_before_effect", saved: false, takes: false },
  { kind: "reset_before_effect", takes: false },
  { kind: "rate_limit", takes: false },
  { kind: "lock_timeout", takes: false },
];

for (const { takes, ...fault } of UNCERTAIN) {
  Deno.test(`an uncertain payment (${fault.kind}) is 503, only the same request goes on, and it is charged once`, async () => {
    await using world = await openCheckoutWorld();
    const { ask } = world;
    const { ada, session } = await waiting(world);
    const token = await world.token({ maxAmount: 1_000 });
    world.world.simulator.control.addFault({ ...fault, ...CHARGE });
    // A time-out is not waited for longer than a test likes to.
    const isSilent = fault.kind === "timeout_after_effect";
    const first = isSilent ? world.asking(world.impatient) : ask;
    const answer = await pay(first, ada, session, token);
    assertEquals(answer.status, 503);
    assertEquals(answer.headers.get("retry-after"), "2");
    assertEquals(answer.headers.get("idempotency-key"), "complete-1");
    assertEquals((await answer.json()).type, "service_unavailable");
    assertEquals(world.paid().length, takes ? 1 : 0);
    const seen = await see(ask, ada, session);
    assertEquals(seen.status, "complete_in_progress");
    await onlyTheSameGoesOn(world, ada, session, token);
    const again = await pay(ask, ada, session, token);
    assertEquals(again.status, 200);
    assertEquals((await again.json()).status, "completed");
    assertEquals(world.paid().length, 1);
    assertEquals((await bookings(world)).length, 1);
    assertEquals((await report(ask, ada, session)).status, 200);
  });
}

Deno.test("a no that a payment under way causes is not stored: it may be another one soon", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session } = await waiting(world);
  const bad = await world.token({ card: "pm_card_chargeDeclined" });
  world.world.simulator.control.addFault({ kind: "rate_limit", ...CHARGE });
  await pay(ask, ada, session, bad);
  const good = await world.token();
  const early = await pay(ask, ada, session, good, "k2");
  assertEquals(early.headers.get("retry-after"), "2");
  assertEquals(await codeOf(early), "409 payment_in_progress");
  assertEquals(
    (await (await pay(ask, ada, session, bad)).json()).status,
    "ready_for_payment",
  );
  const late = await pay(ask, ada, session, good, "k2");
  assertEquals((await late.json()).status, "completed");
});

Deno.test("a payment the bank has not decided is 503 until it has, and expires nothing meanwhile", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { simulator } = world.world;
  const { ada, session, token } = await payUncertain(world, "processing");
  world.world.clock.advance(59 * 60_000);
  assertEquals((await pay(ask, ada, session, token)).status, 503);
  await refresh(world, ada, 2 * 60_000);
  assertEquals((await see(ask, ada, session)).status, "complete_in_progress");
  const [intent] = simulator.control.objects("payment_intent");
  simulator.control.resolvePayment(intent?.id ?? "", "succeed");
  const answer = await pay(ask, ada, session, token);
  assertEquals((await answer.json()).status, "completed");
  assertEquals(world.paid().length, 1);
});

Deno.test("a payment declined after the hour leaves an expired session", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { simulator } = world.world;
  const { ada, session, token } = await payUncertain(world, "processing");
  await refresh(world, ada, 61 * 60_000);
  const [intent] = simulator.control.objects("payment_intent");
  simulator.control.resolvePayment(intent?.id ?? "", "fail");
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.status, 200);
  const seen = await answer.json();
  assertEquals(seen.status, "expired");
  assertEquals(
    seen.messages.map(({ code }: { code: string }) => code),
    ["payment_declined", "expired"],
  );
  const late = await pay(ask, ada, session, await world.token(), "k2");
  assertEquals(await codeOf(late), "409 session_not_payable");
});

Deno.test("a request whose payment the sweep has decided meanwhile is answered what the sweep stored", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { control } = world.world.simulator;
  const slow = { kind: "slow", delay_ms: 600_000 } as const;
  const { ada, session, paying } = await payHeld(world, slow);
  world.world.clock.advance(METRICS_LEASE_MS);
  await world.sweep();
  const seen = await see(ask, ada, session);
  assertEquals(seen.status, "completed");
  control.releaseRequests();
  const answer = await paying;
  assertEquals([answer.status, await answer.json()], [200, seen]);
  assertEquals((await bookings(world)).length, 1);
});

Deno.test("money that turns up after a payment was given up is given back", async () => {
  await using world = await openCheckoutWorld();
  const { control } = world.world.simulator;
  const { session, paying } = await payHeld(world);
  world.world.clock.advance(METRICS_UNCERTAIN_MS);
  await world.sweep();
  control.releaseRequests();
  const answer = await paying;
  assertEquals([answer.status, (await answer.json()).status], [200, "expired"]);
  await world.sweep();
  assertEquals([world.paid().length, world.refunded()], [1, [100]]);
  assertEquals((await bookings(world)).length, 2);
  const row = await world.services.store.checkoutSessions.find(session.id);
  assertEquals(row?.status, "ready_for_payment");
});

Deno.test("a request that slept past its lease before it asked the processor charges nothing", async () => {
  await using world = await openCheckoutWorld();
  const { ask, services } = world;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  let hasSlept = false;
  const store = new Proxy(services.store, {
    get(real, name, self) {
      if (name !== "transact") return Reflect.get(real, name, self);
      return async (work: Parameters<typeof real.transact>[0]) => {
        const result = await real.transact(work);
        const row = await real.checkoutSessions.find(session.id);
        if (hasSlept || row?.status !== "complete_in_progress") return result;
        hasSlept = true;
        world.world.clock.advance(METRICS_UNCERTAIN_MS);
        await world.sweep();
        return result;
      };
    },
  });
  const late = world.asking({ ...services, store });
  const answer = await pay(late, ada, session, token);
  assertEquals(await codeOf(answer), "503 payment_uncertain");
  assertEquals([hasSlept, world.paid()], [true, []]);
  await refresh(world, ada, 0);
  const again = await pay(ask, ada, session, token);
  assertEquals((await again.json()).status, "expired");
  assertEquals(world.paid(), []);
});

Deno.test("the sweep finds an outcome nobody came for, and the repeat is told of it", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session, token } = await payUncertain(
    world,
    "error_after_effect",
  );
  world.world.clock.advance(METRICS_LEASE_MS);
  await world.sweep();
  assertEquals((await see(ask, ada, session)).status, "completed");
  assertEquals((await report(ask, ada, session)).status, 200);
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.headers.get("idempotent-replayed"), "true");
  assertEquals(
    (await answer.json()).order.id,
    session.id.replace("cs_", "ord_"),
  );
  assertEquals([world.paid().length, await bookings(world)], [1, [
    `metrics:${session.id}.1`,
  ]]);
});

Deno.test("a payment the processor never heard of is given up after an hour: nothing was charged, another may be made", async () => {
  await using world = await openCheckoutWorld();
  const { ask } = world;
  const { ada, session, token } = await payUncertain(
    world,
    "reset_before_effect",
  );
  await refresh(world, ada, METRICS_CHARGE_WITHIN_MS);
  const late = await pay(ask, ada, session, token);
  assertEquals(await codeOf(late), "503 payment_uncertain");
  assertEquals(world.paid(), []);
  await refresh(world, ada, METRICS_UNCERTAIN_MS - METRICS_CHARGE_WITHIN_MS);
  await world.sweep();
  const answer = await pay(ask, ada, session, token);
  assertEquals(answer.headers.get("idempotent-replayed"), "true");
  const seen = await answer.json();
  assertEquals(seen.status, "expired");
  assertEquals(seen.messages[0].code, "payment_declined");
  const next = await newSession(ask, ada, DAY, "create-2");
  assertNotEquals(next.id, session.id);
  const paid = await pay(ask, ada, next, token);
  assertEquals((await paid.json()).status, "completed");
  assertEquals(world.paid().length, 1);
});

for (const kind of ["fail_before", "fail_after"] as const) {
  for (const nth of [1, 2]) {
    Deno.test(`a store that loses commit ${nth} of a payment (${kind}) is 503, and the same request ends it with one charge`, async () => {
      await using world = await openCheckoutWorld();
      const { ada, session } = await waiting(world);
      const token = await world.token();
      const troubled = world.another();
      const isSession = keyOf("checkout_sessions");
      troubled.kv.inject({
        on: "commit",
        fault: { kind },
        nth,
        key: isSession,
      });
      const ask = world.asking(troubled.services);
      const answer = await pay(ask, ada, session, token);
      assertEquals(answer.headers.get("idempotency-key"), "complete-1");
      assertEquals(await codeOf(answer), "503 service_unavailable");
      world.world.clock.advance(METRICS_LEASE_MS);
      const again = await pay(world.ask, ada, session, token);
      assertEquals((await again.json()).status, "completed");
      assertEquals(world.paid().length, 1);
      assertEquals((await bookings(world)).length, 1);
    });
  }
}
