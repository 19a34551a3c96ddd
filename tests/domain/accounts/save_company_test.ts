import { assertEquals } from "@std/assert";
import type { Company } from "../../../domain/accounts/account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { CountingIds } from "../../support/ids.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore } from "../../support/store.ts";

const ACME: Company = {
  name: "Acme GmbH",
  country: "DE",
  vatId: "DE123456789",
  address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
};

async function openWorld(...names: string[]) {
  const test = await openTestStore();
  const { store, clock } = test;
  const ids = new CountingIds();
  const save = (name: string, company: Company = ACME) =>
    saveCompany({ store, clock, ids, keys: TEST_KEYS }, {
      accountId: `acc_${name}`,
      company,
    });
  for (const name of names) {
    await store.transact((tx) => {
      tx.accounts.save(newAccount(`acc_${name}`, `${name}@example.com`, 0));
    });
  }
  /** What the registry's yes does to an account. */
  const verify = (name: string) =>
    store.transact(async (tx) => {
      const account = await tx.accounts.find(`acc_${name}`);
      if (!account?.company?.vatId) throw new TypeError("no VAT id to verify");
      tx.accounts.save({ ...account, vatStatus: "valid" });
    });
  return {
    store,
    test,
    save,
    verify,
    [Symbol.asyncDispose]: () => test.close(),
  };
}

Deno.test("saveCompany() completes onboarding and leaves a task for the processor", async () => {
  await using world = await openWorld("ada");
  const saved = await world.save("ada");
  assertEquals(saved.company, ACME);
  assertEquals(saved.vatStatus, "unverified");
  assertEquals(await world.store.accounts.find("acc_ada"), saved);
  const nowMs = world.test.clock.now();
  const due = await world.store.listDue("customers", nowMs, { limit: 10 });
  assertEquals(due, [{
    accountId: "acc_ada",
    state: "waiting",
    version: 1,
    dueAtMs: nowMs,
    failures: 0,
  }]);
});

Deno.test("saveCompany() writes nothing when nothing changed", async () => {
  await using world = await openWorld("ada");
  await world.save("ada");
  await world.save("ada", structuredClone(ACME));
  assertEquals((await world.store.customerTasks.find("acc_ada"))?.version, 1);
});

Deno.test("saveCompany() keeps a verified VAT id verified through a new address", async () => {
  await using world = await openWorld("ada");
  await world.save("ada");
  await world.verify("ada");
  const address = { ...ACME.address, city: "Köln" };
  const moved = await world.save("ada", { ...ACME, address });
  assertEquals(moved.vatStatus, "valid");
  assertEquals((await world.store.customerTasks.find("acc_ada"))?.version, 2);
});

Deno.test("saveCompany() has another VAT id verified anew and lets go of the first", async () => {
  await using world = await openWorld("ada");
  await world.save("ada");
  await world.verify("ada");
  assertEquals(await world.store.vatHolders.find("DE123456789"), {
    vatId: "DE123456789",
    accountId: "acc_ada",
  });
  const changed = await world.save("ada", { ...ACME, vatId: "DE987654321" });
  assertEquals(changed.vatStatus, "unverified");
  assertEquals(await world.store.vatHolders.find("DE123456789"), null);
  assertEquals(await world.store.vatHolders.find("DE987654321"), null);
});

Deno.test("saveCompany() takes a VAT id that another account holds, and says nothing of it", async () => {
  await using world = await openWorld("ada", "bob");
  await world.save("ada");
  await world.verify("ada");
  const saved = await world.save("bob");
  assertEquals([saved.company, saved.vatStatus], [ACME, "unverified"]);
  assertEquals(await world.store.vatHolders.find("DE123456789"), {
    vatId: "DE123456789",
    accountId: "acc_ada",
  });
});

Deno.test("saveCompany() refuses an account that is gone", async () => {
  await using world = await openWorld();
  await assertRefused(() => world.save("ada"), "account_not_found");
});
