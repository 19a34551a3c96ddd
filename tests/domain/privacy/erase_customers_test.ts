import { assertEquals } from "@std/assert";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { sweepCustomers } from "../../../domain/payments/sweep_customers.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { eraseOwn } from "../../support/erasures.ts";
import {
  backupOf,
  endHold,
  gatedOver,
  restoreInto,
} from "../../support/restored_world.ts";
import { openTestStore } from "../../support/store.ts";

const HOUR_MS = 3_600_000;

async function onboard({ services }: AuctionWorld, name: string) {
  const accountId = `acc_${name}`;
  const account = newAccount(accountId, `${name}@example.com`, 0);
  await services.store.transact((tx) => {
    tx.accounts.save(account);
  });
  const address = {
    line1: "Hauptstraße 1",
    city: "Berlin",
    postalCode: "10115",
  };
  const company = { name: "Ada & Co", country: "DE", vatId: null, address };
  await saveCompany(services, { accountId, company });
  return accountId;
}

const known = async ({ stripe }: AuctionWorld) =>
  (await stripe.customers.list()).data.map(({ email }) => email);

Deno.test("an erasure leaves no customer behind whose making was answered to nobody", async () => {
  await using world = await openAuctionWorld();
  const ada = await onboard(world, "ada");
  const path = "/v1/customers";
  world.simulator.control.addFault({
    kind: "reset_after_effect",
    method: "POST",
    path,
    times: 1,
  });
  await sweepCustomers(world.services);
  world.clock.advance(HOUR_MS);
  await onboard(world, "bob");
  await sweepCustomers(world.services);
  const email = "ada@example.com";
  assertEquals(await known(world), ["bob@example.com", email, email]);
  await eraseOwn(world.services, world.clock, ada);
  assertEquals(await known(world), ["bob@example.com"]);
});

Deno.test("an erasure after a restore leaves no customer behind that was made after the backup", async () => {
  await using world = await openAuctionWorld();
  const ada = await onboard(world, "ada");
  const backup = await backupOf(world);
  await sweepCustomers(world.services);
  await using into = await openTestStore({ clock: world.clock });
  await restoreInto(into, backup);
  const services = gatedOver(world, into);
  await endHold(services);
  world.clock.advance(2 * DAY_MS);
  await sweepCustomers(services);
  await eraseOwn(services, world.clock, ada);
  assertEquals(await known(world), []);
});

Deno.test("an erasure leaves no customer behind that has an address of before, however many there are", async () => {
  await using world = await openAuctionWorld();
  const { services, stripe, simulator } = world;
  const ada = await onboard(world, "ada");
  const metadata = { account_id: ada };
  await sweepCustomers(services);
  for (let nth = 0; nth < 101; nth++) {
    await stripe.customers.create({ metadata, email: `${nth}@old.example` });
  }
  const bob = await onboard(world, "bob");
  await sweepCustomers(services);
  await eraseOwn(services, world.clock, ada);
  const left = simulator.control.objects("customer");
  assertEquals(left.map(({ metadata }) => metadata["account_id"]), [bob]);
});
