import { assertEquals, assertRejects } from "@std/assert";
import type { Company } from "../../../domain/accounts/account.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { queueCustomer } from "../../../domain/payments/customer_task.ts";
import { sweepCustomers } from "../../../domain/payments/sweep_customers.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { isCrash } from "../../support/faults.ts";

const ACME: Company = {
  name: "Acme GmbH",
  country: "DE",
  vatId: "DE123456789",
  address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
};
const ID = "acc_ada";

async function onboarded(world: AuctionWorld): Promise<void> {
  await world.services.store.transact((tx) => {
    tx.accounts.save(newAccount(ID, "ada@example.com", 0));
  });
  await save(world, ACME);
}

async function save(world: AuctionWorld, company: Company): Promise<void> {
  await saveCompany(world.services, { accountId: ID, company });
}

async function customers({ stripe }: AuctionWorld) {
  const { data } = await stripe.customers.list();
  return data.map(({ id, name, address, tax_exempt, metadata }) => ({
    id,
    name,
    city: address?.city,
    tax_exempt,
    account: metadata.account_id,
  }));
}

const stateOf = async ({ services: { store } }: AuctionWorld) =>
  (await store.customerTasks.find(ID))?.state;
const customerIdOf = async ({ services: { store } }: AuctionWorld) =>
  (await store.accounts.find(ID))?.processorCustomerId;

Deno.test("the processor is told of an onboarded company and its customer kept", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  assertEquals(await customers(world), []);
  await sweepCustomers(world.services);
  const [customer, ...others] = await customers(world);
  assertEquals(others, []);
  assertEquals(customer?.name, "Acme GmbH");
  assertEquals(customer?.account, ID);
  assertEquals(customer?.tax_exempt, "none");
  assertEquals(await customerIdOf(world), customer?.id);
  assertEquals(await stateOf(world), "done");
});

Deno.test("a verified VAT id outside the seller's country is reverse charge", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  await sweepCustomers(world.services);
  const { store, clock } = world.services;
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(ID);
    if (account) tx.accounts.save({ ...account, vatStatus: "valid" });
    await queueCustomer(tx, ID, clock.now());
  });
  await sweepCustomers(world.services);
  const all = await customers(world);
  assertEquals(all.map(({ tax_exempt }) => tax_exempt), ["reverse"]);
});

Deno.test("a change is told to the same customer, its VAT id replaced", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  await sweepCustomers(world.services);
  const id = await customerIdOf(world) ?? "";
  const moved = { ...ACME.address, city: "Köln" };
  await save(world, { ...ACME, address: moved, vatId: "DE987654321" });
  await sweepCustomers(world.services);
  const all = await customers(world);
  assertEquals(all.map((each) => [each.id, each.city]), [[id, "Köln"]]);
  const taxIds = await world.stripe.customers.listTaxIds(id);
  assertEquals(taxIds.data.map(({ value }) => value), ["DE987654321"]);
});

Deno.test("a change there and back is told each time", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  for (const name of ["One GmbH", "Two GmbH", "One GmbH", "Two GmbH"]) {
    await save(world, { ...ACME, name });
    await sweepCustomers(world.services);
    assertEquals((await customers(world)).map((each) => each.name), [name]);
  }
});

Deno.test("a processor that fails is asked again later, longer apart each time", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  const { clock, services: { store } } = world;
  const startMs = clock.now();
  // The SDK tries each call several times by itself.
  const fault = { kind: "reset_before_effect", path: "/v1/customers" } as const;
  world.simulator.control.addFault({ ...fault, times: 100 });
  for (const [failures, waitMs] of [[1, 60_000], [2, 120_000]] as const) {
    await sweepCustomers(world.services);
    const task = await store.customerTasks.find(ID);
    assertEquals([task?.failures, task?.dueAtMs], [
      failures,
      clock.now() + waitMs,
    ]);
    assertEquals(
      await store.listDue("customers", clock.now(), { limit: 9 }),
      [],
    );
    clock.advance(waitMs);
  }
  world.simulator.control.clearFaults();
  await sweepCustomers(world.services);
  assertEquals(await stateOf(world), "done");
  assertEquals((await customers(world)).length, 1);
  assertEquals(clock.now() > startMs, true);
});

Deno.test("a 500 that the processor saved keeps no company from being told", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  const fault = { kind: "error_before_effect", method: "POST" } as const;
  world.simulator.control.addFault({ ...fault, path: "/v1/customers" });
  await sweepCustomers(world.services);
  assertEquals(await customers(world), []);
  world.clock.advance(60_000);
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).length, 1);
  await save(world, { ...ACME, name: "New GmbH" });
  world.simulator.control.addFault({ ...fault, path: "/v1/customers/*" });
  await sweepCustomers(world.services);
  assertEquals(await stateOf(world), "waiting");
  world.clock.advance(60_000);
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).map(({ name }) => name), ["New GmbH"]);
  assertEquals(await stateOf(world), "done");
});

Deno.test("a change whose answer was lost, and that is taken back, is not left at the processor", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  await sweepCustomers(world.services);
  await save(world, { ...ACME, name: "New GmbH" });
  world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path: "/v1/customers/*",
  });
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).map(({ name }) => name), ["New GmbH"]);
  await save(world, ACME);
  world.clock.advance(60_000);
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).map(({ name }) => name), ["Acme GmbH"]);
  assertEquals(await stateOf(world), "done");
});

for (const when of ["before", "after"] as const) {
  Deno.test(`a crash ${when} the processor's call leaves one customer in the end`, async () => {
    await using world = await openAuctionWorld();
    await onboarded(world);
    const crashing = world.another((real) =>
      crashingProcessor(real, { call: 1, when }, () => {})
    );
    try {
      await sweepCustomers(crashing.services);
    } catch (thrown) {
      if (!isCrash(thrown)) throw thrown;
    }
    assertEquals(await customerIdOf(world), null);
    await sweepCustomers(world.services);
    const all = await customers(world);
    assertEquals(all.map(({ id }) => id), [await customerIdOf(world)]);
  });
}

Deno.test("two isolates that tell the processor at once make one customer", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  const other = world.another();
  await Promise.all([
    sweepCustomers(world.services),
    sweepCustomers(other.services),
  ]);
  // Whoever was told "in flight" tries again.
  world.clock.advance(3_600_000);
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).length, 1);
  assertEquals(await stateOf(world), "done");
});

Deno.test("a company that changes while the processor is asked is told again", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  const changing = world.another((real) => ({
    ...real,
    async createCustomer(details, key) {
      await save(world, { ...ACME, name: "New GmbH" });
      return await real.createCustomer(details, key);
    },
  }));
  await sweepCustomers(changing.services);
  assertEquals(await stateOf(world), "waiting");
  await sweepCustomers(world.services);
  assertEquals((await customers(world)).map(({ name }) => name), ["New GmbH"]);
  assertEquals(await stateOf(world), "done");
});

Deno.test("a company that meets a fault of ours keeps no other waiting", async () => {
  await using world = await openAuctionWorld();
  await onboarded(world);
  const { services } = world;
  const bob = "acc_bob";
  world.clock.advance(1_000);
  await services.store.transact((tx) => {
    tx.accounts.save(newAccount(bob, "bob@example.com", 0));
  });
  const company = { ...ACME, vatId: null };
  await saveCompany(services, { accountId: bob, company });
  const { processor } = services;
  const faulty = {
    ...processor,
    createCustomer(
      ...[details, key]: Parameters<typeof processor.createCustomer>
    ) {
      if (details.accountId === ID) throw new TypeError("a fault of ours");
      return processor.createCustomer(details, key);
    },
  };
  await assertRejects(
    () => sweepCustomers({ ...services, processor: faulty }),
    TypeError,
  );
  assertEquals(await stateOf(world), "waiting");
  const task = await services.store.customerTasks.find(bob);
  assertEquals(task?.state, "done");
});
