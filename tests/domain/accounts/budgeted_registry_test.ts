import { assert, assertEquals } from "@std/assert";
import { budgetedRegistry } from "../../../domain/accounts/budgeted_registry.ts";
import { verifyDueVats } from "../../../domain/accounts/verify_due_vats.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import { rateBuckets, REMOTE_BATCH } from "../../../kv/rate_buckets.ts";
import { testPatience } from "../../support/store.ts";
import { openVatWorld, OUTAGE, type VatWorld } from "./vat_world.ts";

/** A process of its own over the world's store. */
function processOf({ kv, clock, registry, services }: VatWorld) {
  const limiter = createRateLimiter({
    rows: rateBuckets(kv, {
      maxBatch: REMOTE_BATCH,
      patience: testPatience(),
      nowMs: () => clock.now(),
    }),
    clock,
    hashId: (text) => text,
  });
  return {
    services: { ...services, vatRegistry: budgetedRegistry(registry, limiter) },
    close: () => limiter.close(),
  };
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
      processes[nth % 2]?.services.vatRegistry.check("DE1", `acc_${nth}`),
  );
  const answers = await Promise.all(asking);
  assertEquals(world.registry.asked.length, 300);
  const later = answers.filter((answer) => answer?.retryAfterMs !== undefined);
  assertEquals(later.length, 100);
  assert(later.every((answer) => answer?.outcome === "unknown"));
  for (const each of processes) await each.close();
});
