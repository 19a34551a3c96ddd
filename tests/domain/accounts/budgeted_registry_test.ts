import { startTimer } from "../../../adapters/time/system_time.ts";
import { assert, assertEquals } from "@std/assert";
import { budgetedRegistry } from "../../../domain/accounts/budgeted_registry.ts";
import type { VatAsker } from "../../../domain/accounts/vat_registry.ts";
import { verifyDueVats } from "../../../domain/accounts/verify_due_vats.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { rateBuckets, REMOTE_LANES } from "../../../kv/rate_buckets.ts";
import { giveCard } from "../../support/identity_ready.ts";
import { testPatience } from "../../support/store.ts";
import { openVatWorld, OUTAGE, type VatWorld } from "./vat_world.ts";

/** A process of its own over the world's store. */
function processOf({ kv, clock, registry, services }: VatWorld) {
  const limiter = createRateLimiter({
    rows: rateBuckets(kv, {
      lanes: REMOTE_LANES,
      patience: testPatience(),
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  return {
    services: { ...services, vatRegistry: budgetedRegistry(registry, limiter) },
    close: () => limiter.close(),
  };
}

/** An account with a checked identity. */
function known(nth: number): VatAsker {
  return { accountId: `acc_${nth}`, isKnown: true, card: null, networks: [] };
}

/** One that has nothing but a card. */
function withCard(nth: number, card: string): VatAsker {
  return { ...known(nth), card };
}

/** One that was made a moment ago. */
function newcomer(nth: number, address: string | null): VatAsker {
  const networks = address === null ? [] : networksOf(address);
  const accountId = `acc_new_${nth}`;
  return { accountId, isKnown: false, card: null, networks };
}

const HOUR_MS = 3_600_000;

Deno.test("an account has the registry asked ten times an hour at most, over all processes", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = OUTAGE;
  const processes = [processOf(world), processOf(world)];
  for (let minute = 0; minute < 60; minute++) {
    await Promise.all(
      processes.map(({ services }) => verifyVat(services, { accountId })),
    );
    world.clock.advance(HOUR_MS / 60);
  }
  const { length } = world.registry.asked;
  assert(length > 5 && length <= 10, `asked ${length} times`);
  for (const each of processes) await each.close();
});

Deno.test("out of budget is unknown and tried later, never invalid, and no failure", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const { services, close } = processOf(world);
  world.registry.answer = OUTAGE;
  for (let count = 0; count < 60; count++) {
    await verifyVat(services, { accountId });
  }
  assertEquals(world.registry.asked.length, 5);
  const { vatStatus, vatCheck } = await world.account(accountId);
  assertEquals([vatStatus, vatCheck?.outcome, vatCheck?.failures], [
    "unverified",
    null,
    5,
  ]);
  assert((vatCheck?.dueAtMs ?? 0) > world.clock.now());
  world.registry.answer = { outcome: "valid", consultation: null, name: null };
  world.clock.set(vatCheck?.dueAtMs ?? 0);
  await verifyDueVats(services);
  assertEquals((await world.account(accountId)).vatStatus, "valid");
  await close();
});

Deno.test("all accounts together have the registry asked so often, whoever asks", async () => {
  await using world = await openVatWorld();
  world.registry.answer = OUTAGE;
  const processes = [processOf(world), processOf(world)];
  const asking = Array.from(
    { length: 400 },
    (_, nth) =>
      processes[nth % 2]?.services.vatRegistry.check("DE1", known(nth)),
  );
  const answers = await Promise.all(asking);
  assertEquals(world.registry.asked.length, 300);
  const later = answers.filter((answer) => answer?.retryAfterMs !== undefined);
  assertEquals(later.length, 100);
  assert(later.every((answer) => answer?.outcome === "unknown"));
  for (const each of processes) await each.close();
});

Deno.test("throwaway accounts of one network use up its own look-ups and nobody else's", async () => {
  await using world = await openVatWorld();
  const { services: { vatRegistry }, close } = processOf(world);
  for (let nth = 0; nth < 40; nth++) {
    await vatRegistry.check("DE1", newcomer(nth, "192.0.2.1"));
  }
  assertEquals(world.registry.asked.length, 20);
  const elsewhere = newcomer(40, "198.51.100.1");
  const { outcome } = await vatRegistry.check("DE1", elsewhere);
  assertEquals(outcome, "valid");
  await close();
});

Deno.test("throwaway accounts of many networks leave look-ups to those with an identity or a card", async () => {
  await using world = await openVatWorld();
  const { services: { vatRegistry }, close } = processOf(world);
  for (let nth = 0; nth < 400; nth++) {
    const address = nth % 2 === 0 ? `203.0.${nth % 200}.${nth % 250}` : null;
    await vatRegistry.check("DE1", newcomer(nth, address));
  }
  const { length } = world.registry.asked;
  assert(length <= 200, `asked ${length} times`);
  for (let nth = 0; nth < 100; nth++) {
    const { outcome } = await vatRegistry.check("DE1", known(nth));
    assertEquals(outcome, "valid");
  }
  await close();
});

Deno.test("throwaway accounts of eight IPv6 sites leave look-ups to newcomers of other networks", async () => {
  await using world = await openVatWorld();
  const { services: { vatRegistry }, close } = processOf(world);
  for (let nth = 0; nth < 400; nth++) {
    const address = `2001:db8:${nth % 8}:${(nth % 40).toString(16)}00::/64`;
    await vatRegistry.check("DE1", newcomer(nth, address));
  }
  for (let nth = 400; nth < 440; nth++) {
    const elsewhere = newcomer(nth, `198.51.100.${nth - 400}`);
    const { outcome } = await vatRegistry.check("DE1", elsewhere);
    assertEquals(outcome, "valid");
  }
  await close();
});

Deno.test("one card under many accounts has the registry asked ten times at once, and leaves the rest to others", async () => {
  await using world = await openVatWorld();
  const { services: { vatRegistry }, close } = processOf(world);
  for (let nth = 0; nth < 400; nth++) {
    await vatRegistry.check("DE1", withCard(nth, "one"));
  }
  assertEquals(world.registry.asked.length, 10);
  const { outcome } = await vatRegistry.check("DE1", withCard(400, "other"));
  assertEquals(outcome, "valid");
  await close();
});

Deno.test("verifyVat() counts a card by its number, and a checked identity by nothing but its account", async () => {
  await using world = await openVatWorld();
  const askers: VatAsker[] = [];
  const vatRegistry = {
    ...world.services.vatRegistry,
    check(vatId: string, asker: VatAsker) {
      askers.push(asker);
      return world.services.vatRegistry.check(vatId, asker);
    },
  };
  world.registry.answer = OUTAGE;
  const services = { ...world.services, vatRegistry };
  for (const identityStatus of ["unverified", "verified"] as const) {
    for (const name of ["ada", "eve"]) {
      const accountId = await world.onboard(name, undefined, {
        identityStatus,
        defaultPaymentMethodId: "pm_1",
      });
      await giveCard(world.services, accountId, "one");
      await verifyVat(services, { accountId });
    }
  }
  assertEquals(askers.map(({ isKnown, card }) => [isKnown, card]), [
    [true, "one"],
    [true, "one"],
    [true, null],
    [true, null],
  ]);
});
