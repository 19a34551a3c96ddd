import { assertEquals, assertRejects } from "@std/assert";
import {
  VATS_PER_RUN,
  verifyDueVats,
} from "../../../domain/accounts/verify_due_vats.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { openVatWorld, OUTAGE, type VatWorld } from "./vat_world.ts";

/** What an account has that cost nothing to make. */
const FREE = {
  identityStatus: "unverified",
  defaultPaymentMethodId: null,
} as const;

/** A registry that accounts which nobody knows may not ask for a minute. */
function closedToNewcomers(
  { services, registry }: VatWorld,
): VatWorld["services"] {
  const vatRegistry: typeof services.vatRegistry = {
    read: () => registry.read(),
    check: (vatId, { isKnown }) =>
      isKnown
        ? registry.check(vatId)
        : Promise.resolve({ ...OUTAGE, retryAfterMs: 60_000 }),
  };
  return { ...services, vatRegistry };
}

Deno.test("verifyDueVats() verifies what an outage left over", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = OUTAGE;
  await verifyVat(world.services, { accountId });
  world.registry.answer = { outcome: "valid", consultation: null, name: null };
  await verifyDueVats(world.services);
  assertEquals((await world.account(accountId)).vatStatus, "unverified");
  world.clock.advance(5 * 60_000);
  await verifyDueVats(world.services);
  assertEquals((await world.account(accountId)).vatStatus, "valid");
});

Deno.test("verifyDueVats() verifies an id whose process died before asking", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  await verifyDueVats(world.services);
  assertEquals((await world.account(accountId)).vatStatus, "valid");
});

Deno.test("verifyDueVats() stops asking a registry that is down", async () => {
  await using world = await openVatWorld();
  for (let count = 0; count < 10; count++) await world.onboard(`a${count}`);
  world.registry.answer = OUTAGE;
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, 3);
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, 6);
});

Deno.test("verifyDueVats() goes on past accounts that may not ask now, which are due when they may", async () => {
  await using world = await openVatWorld();
  const services = closedToNewcomers(world);
  for (let count = 0; count < 12; count++) {
    await world.onboard(`a${count}`, "DE987654321", FREE);
  }
  await verifyDueVats(services);
  assertEquals(await world.due(), []);
  const zoe = await world.onboard("zoe");
  await verifyDueVats(services);
  assertEquals((await world.account(zoe)).vatStatus, "valid");
  world.clock.advance(60_000);
  assertEquals((await world.due()).length, 12);
  await verifyDueVats(world.services);
  assertEquals(await world.due(), []);
});

Deno.test("verifyDueVats() comes to a newcomer in the same run, however many accounts of one card may not ask now", async () => {
  await using world = await openVatWorld();
  const { services, registry } = world;
  for (let count = 0; count < 2 * VATS_PER_RUN; count++) {
    await world.onboard(`a${count}`, "DE987654321", {
      ...FREE,
      defaultPaymentMethodId: "pm_1",
    });
  }
  const zoe = await world.onboard("zoe", "DE123456789", FREE);
  const vatRegistry: typeof services.vatRegistry = {
    read: () => registry.read(),
    check: (vatId, { card }) =>
      card === null
        ? registry.check(vatId)
        : Promise.resolve({ ...OUTAGE, retryAfterMs: 60_000 }),
  };
  await verifyDueVats({ ...services, vatRegistry });
  const { vatCheck } = await world.account(zoe);
  assertEquals(vatCheck?.outcome, "valid");
});

Deno.test("verifyDueVats() asks for accounts that are known first, whether the registry answers the others or not", async () => {
  await using world = await openVatWorld();
  for (let count = 0; count < 210; count++) {
    await world.onboard(`a${count}`, "DE987654321", FREE);
  }
  const zoe = await world.onboard("zoe");
  const { registry } = world;
  registry.before = () => {
    registry.answer = registry.asked.length === 1
      ? { outcome: "valid", consultation: null, name: null }
      : OUTAGE;
  };
  await verifyDueVats(world.services);
  assertEquals((await world.account(zoe)).vatStatus, "valid");
  assertEquals(registry.asked.length, 4);
});

Deno.test("verifyDueVats() leaves ids of a member state whose register is down, and asks for those of others", async () => {
  await using world = await openVatWorld();
  const { registry } = world;
  for (let count = 0; count < 60; count++) {
    await world.onboard(`a${count}`, `DE${100_000_000 + count}`);
  }
  const zoe = await world.onboard("zoe", "LV40003245752");
  registry.before = () => {
    registry.answer = registry.asked.at(-1)?.startsWith("DE")
      ? OUTAGE
      : { outcome: "valid", consultation: null, name: null };
  };
  await verifyDueVats(world.services);
  assertEquals((await world.account(zoe)).vatStatus, "valid");
  assertEquals(registry.asked.length, 4);
});

Deno.test("verifyDueVats() takes no claim that it settles for a sign that the register is back", async () => {
  await using world = await openVatWorld();
  for (let count = 0; count < 10; count++) {
    const vatId = `DE${100_000_000 + count}`;
    await world.onboard(
      `a${count}`,
      vatId,
      count % 2 === 0 ? {} : {
        vatCheck: {
          vatId,
          outcome: "valid",
          atMs: 0,
          consultation: null,
          failures: 0,
          dueAtMs: 0,
        },
      },
    );
  }
  world.registry.answer = OUTAGE;
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, 3);
  assertEquals((await world.account("acc_a9")).vatStatus, "valid");
});

Deno.test("verifyDueVats() stops once the registers of two member states are down", async () => {
  await using world = await openVatWorld();
  for (const state of ["DE", "LV", "FR"]) {
    for (let count = 0; count < 4; count++) {
      await world.onboard(`${state}${count}`, `${state}98765432${count}`);
    }
  }
  world.registry.answer = OUTAGE;
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, 6);
});

Deno.test("verifyDueVats() goes on past an id that is another's", async () => {
  await using world = await openVatWorld();
  const ada = await world.onboard("ada");
  await verifyVat(world.services, { accountId: ada });
  for (const name of ["b1", "b2", "b3", "b4"]) await world.onboard(name);
  const late = await world.onboard("zoe", "DE987654321");
  await verifyDueVats(world.services);
  assertEquals((await world.account(late)).vatStatus, "valid");
});

Deno.test("verifyDueVats() does a bounded part of the work", async () => {
  await using world = await openVatWorld();
  for (let count = 0; count <= VATS_PER_RUN; count++) {
    await world.onboard(`a${count}`, `DE${100_000_000 + count}`);
  }
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, VATS_PER_RUN);
  await verifyDueVats(world.services);
  assertEquals(await world.due(), []);
});

Deno.test("verifyDueVats() begins no check once its time is over", async () => {
  await using world = await openVatWorld();
  await world.onboard("ada");
  await world.onboard("eve", "DE987654321");
  world.registry.before = () => world.clock.advance(46_000);
  await verifyDueVats(world.services);
  assertEquals(world.registry.asked.length, 1);
});

Deno.test("verifyDueVats() in two isolates leaves one yes each", async () => {
  await using world = await openVatWorld();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    ids.push(await world.onboard(`a${count}`, `DE${100_000_000 + count}`));
  }
  await Promise.all([
    verifyDueVats(world.services),
    verifyDueVats(world.services),
  ]);
  for (const accountId of ids) {
    const { vatStatus, vatCheck } = await world.account(accountId);
    assertEquals([vatStatus, vatCheck?.failures], ["valid", 0]);
  }
});

Deno.test("verifyDueVats() throws what is no expected no", async () => {
  await using world = await openVatWorld();
  await world.onboard("ada");
  world.registry.before = () => Promise.reject(new Error("a bug"));
  await assertRejects(() => verifyDueVats(world.services), Error, "a bug");
});

Deno.test("verifyDueVats() goes on past an id that meets a fault of ours", async () => {
  await using world = await openVatWorld();
  const ada = await world.onboard("ada");
  const zoe = await world.onboard("zoe", "DE987654321");
  const { vatRegistry } = world.services;
  const faulty: typeof vatRegistry = {
    read: (text) => vatRegistry.read(text),
    check(vatId, asker) {
      if (asker.accountId === ada) throw new TypeError("a fault of ours");
      return vatRegistry.check(vatId, asker);
    },
  };
  await assertRejects(
    () => verifyDueVats({ ...world.services, vatRegistry: faulty }),
    TypeError,
  );
  assertEquals((await world.account(ada)).vatStatus, "unverified");
  assertEquals((await world.account(zoe)).vatStatus, "valid");
});
