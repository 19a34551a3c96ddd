import { assertEquals } from "@std/assert";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { refusalOf } from "../../support/refused.ts";
import { openVatWorld, OUTAGE, VAT_ID } from "./vat_world.ts";

Deno.test("verifyVat() records a yes with its number and moment", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  assertEquals(await world.due(), [accountId]);
  const account = await verifyVat(world.services, { accountId });
  assertEquals(account, await world.account(accountId));
  assertEquals(account.vatStatus, "valid");
  assertEquals(account.vatCheck, {
    vatId: VAT_ID,
    outcome: "valid",
    atMs: world.clock.now(),
    consultation: "WAPI1",
    failures: 0,
    dueAtMs: world.clock.now(),
  });
  assertEquals(await world.due(), []);
  assertEquals(
    (await world.store.vatHolders.find(VAT_ID))?.accountId,
    accountId,
  );
});

Deno.test("verifyVat() records a no, which is not asked again", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = { outcome: "invalid", consultation: null };
  const { vatStatus, vatCheck } = await verifyVat(world.services, {
    accountId,
  });
  assertEquals([vatStatus, vatCheck?.outcome], ["invalid", "invalid"]);
  assertEquals(await world.due(), []);
});

Deno.test("verifyVat() leaves an id unverified in an outage and due again", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = OUTAGE;
  const pauses: number[] = [];
  for (let count = 0; count < 12; count++) {
    const { vatStatus, vatCheck } = await verifyVat(world.services, {
      accountId,
    });
    assertEquals([vatStatus, vatCheck?.outcome], ["unverified", null]);
    const dueAtMs = vatCheck?.dueAtMs ?? 0;
    pauses.push((dueAtMs - world.clock.now()) / 60_000);
    assertEquals(await world.due(), []);
    world.clock.set(dueAtMs);
    assertEquals(await world.due(), [accountId]);
  }
  assertEquals(pauses.slice(0, 5), [5, 10, 20, 40, 80]);
  assertEquals(pauses.slice(-3), [1_440, 1_440, 1_440]);
});

Deno.test("verifyVat() gives up by itself after a month of outages", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = OUTAGE;
  for (let count = 0; count < 40; count++) {
    await verifyVat(world.services, { accountId });
  }
  world.clock.advance(365 * 86_400_000);
  assertEquals(await world.due(), []);
  world.registry.answer = { outcome: "valid", consultation: null };
  const { vatStatus } = await verifyVat(world.services, { accountId });
  assertEquals(vatStatus, "valid");
});

Deno.test("verifyVat() keeps an earlier yes and its evidence in an outage", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const before = await verifyVat(world.services, { accountId });
  world.clock.advance(86_400_000);
  world.registry.answer = OUTAGE;
  const after = await verifyVat(world.services, { accountId });
  assertEquals(after.vatStatus, "valid");
  assertEquals(after.vatCheck?.consultation, before.vatCheck?.consultation);
  assertEquals(after.vatCheck?.atMs, before.vatCheck?.atMs);
  world.clock.advance(86_400_000);
  assertEquals(await world.due(), []);
});

Deno.test("verifyVat() takes a later no for what it is", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  world.registry.answer = { outcome: "invalid", consultation: "WAPI2" };
  const account = await verifyVat(world.services, { accountId });
  assertEquals(account.vatStatus, "invalid");
  assertEquals(await world.store.vatHolders.find(VAT_ID), null);
});

Deno.test("verifyVat() drops the answer about an id that has changed meanwhile", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const { company } = await world.account(accountId);
  world.registry.before = async () => {
    world.registry.before = () => {};
    if (company === null) return;
    await saveCompany(world.services, {
      accountId,
      company: { ...company, vatId: "DE987654321" },
    });
  };
  const account = await verifyVat(world.services, { accountId });
  assertEquals([account.vatStatus, account.vatCheck], [
    "unverified",
    undefined,
  ]);
  assertEquals(await world.due(), [accountId]);
  await verifyVat(world.services, { accountId });
  assertEquals(world.registry.asked, [VAT_ID, "DE987654321"]);
});

Deno.test("verifyVat() makes a changed id due at once whatever failed before", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = OUTAGE;
  const { company } = await verifyVat(world.services, { accountId });
  assertEquals(await world.due(), []);
  if (company !== null) {
    const changed = { ...company, vatId: "DE987654321" };
    await saveCompany(world.services, { accountId, company: changed });
  }
  assertEquals(await world.due(), [accountId]);
});

Deno.test("verifyVat() gives a company to one of two accounts", async () => {
  await using world = await openVatWorld();
  const ids = [await world.onboard("ada"), await world.onboard("eve")];
  const outcomes = await Promise.allSettled(
    ids.map((accountId) => verifyVat(world.services, { accountId })),
  );
  const refused = outcomes.filter(({ status }) => status === "rejected");
  assertEquals(refused.length, 1);
  const statuses = await Promise.all(
    ids.map(async (id) => (await world.account(id)).vatStatus),
  );
  assertEquals(statuses.toSorted(), ["unverified", "valid"]);
});

Deno.test("verifyVat() refuses an id that is another's and waits like after an outage", async () => {
  await using world = await openVatWorld();
  const ada = await world.onboard("ada");
  const eve = await world.onboard("eve");
  await verifyVat(world.services, { accountId: ada });
  const refusal = await refusalOf(() =>
    verifyVat(world.services, { accountId: eve })
  );
  assertEquals(refusal, { code: "vat_id_taken" });
  const account = await world.account(eve);
  assertEquals([account.vatStatus, account.vatCheck?.failures], [
    "unverified",
    1,
  ]);
  assertEquals(await world.due(), []);
});

Deno.test("verifyVat() has the processor told when VAT is charged differently", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const tasks = () =>
    world.store.listDueCustomers(world.clock.now(), { limit: 10 });
  world.registry.answer = OUTAGE;
  await verifyVat(world.services, { accountId });
  assertEquals(await tasks(), []);
  world.registry.answer = { outcome: "valid", consultation: null };
  await verifyVat(world.services, { accountId });
  await verifyVat(world.services, { accountId });
  assertEquals((await tasks()).map(({ version }) => version), [1]);
});

Deno.test("verifyVat() asks nobody for an account without an id", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada", null);
  const account = await verifyVat(world.services, { accountId });
  assertEquals(account.vatStatus, "unverified");
  assertEquals([world.registry.asked, await world.due()], [[], []]);
});

Deno.test("verifyVat() refuses an unknown account", async () => {
  await using world = await openVatWorld();
  const refusal = await refusalOf(() =>
    verifyVat(world.services, { accountId: "acc_none" })
  );
  assertEquals(refusal, { code: "account_not_found" });
});

Deno.test("verifyVat() logs the outcome and never the id", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  assertEquals(world.log.lines, [
    '{"event":"vat.checked","account":"acc_ada","outcome":"valid"}',
  ]);
});
