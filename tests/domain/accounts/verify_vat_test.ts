import { assert, assertEquals } from "@std/assert";
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
    name: null,
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
  world.registry.answer = {
    outcome: "invalid",
    consultation: null,
    name: null,
  };
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
  world.registry.answer = { outcome: "valid", consultation: null, name: null };
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

Deno.test("verifyVat() asks nobody about an id that is verified or confirmed", async () => {
  await using world = await openVatWorld();
  const held = await world.onboard("ada");
  const claimed = await world.onboard("eve", "DE987654321", {
    identityStatus: "unverified",
  });
  for (let count = 0; count < 3; count++) {
    await verifyVat(world.services, { accountId: held });
    await verifyVat(world.services, { accountId: claimed });
  }
  assertEquals(world.registry.asked, [VAT_ID, "DE987654321"]);
  assertEquals(await world.due(), []);
});

Deno.test("verifyVat() asks about another name of the company, and a no takes away no id that is held", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const { company } = await verifyVat(world.services, { accountId });
  assert(company !== null);
  const wanted = { ...company, name: "Ada AG" };
  await saveCompany(world.services, { accountId, company: wanted });
  assertEquals(await world.due(), [accountId]);
  world.registry.answer = {
    outcome: "valid",
    consultation: "WAPI2",
    name: "ADA AG",
  };
  const asked = await verifyVat(world.services, { accountId });
  assertEquals(asked.vatStatus, "valid");
  assertEquals(asked.rename?.registered, "ADA AG");
  assertEquals(await world.due(), []);
  await verifyVat(world.services, { accountId });
  assertEquals(world.registry.asked.length, 2);
  await saveCompany(world.services, {
    accountId,
    company: { ...company, name: "Ada SE" },
  });
  world.registry.answer = {
    outcome: "invalid",
    consultation: null,
    name: null,
  };
  const account = await verifyVat(world.services, { accountId });
  assertEquals([account.vatStatus, account.company?.name], [
    "valid",
    "ada GmbH",
  ]);
  // The evidence of the yes stays, and nobody goes on asking.
  assertEquals(account.vatCheck?.consultation, "WAPI2");
  assertEquals(account.rename?.registered, null);
  assertEquals(await world.due(), []);
  assertEquals(
    (await world.store.vatHolders.find(VAT_ID))?.accountId,
    accountId,
  );
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

Deno.test("verifyVat() makes one of two accounts the holder, and the other waits for an operator", async () => {
  await using world = await openVatWorld();
  const ids = [await world.onboard("ada"), await world.onboard("eve")];
  await Promise.all(
    ids.map((accountId) => verifyVat(world.services, { accountId })),
  );
  const accounts = await Promise.all(ids.map((id) => world.account(id)));
  const statuses = accounts.map(({ vatStatus }) => vatStatus);
  assertEquals(statuses.toSorted(), ["unverified", "valid"]);
  const waits = accounts.find(({ vatStatus }) => vatStatus === "unverified");
  assertEquals(waits?.vatCase?.why, "held");
  assertEquals(
    (await world.store.vatHolders.find(VAT_ID))?.accountId,
    accounts.find(({ vatStatus }) => vatStatus === "valid")?.id,
  );
  assertEquals(await world.due(), []);
});

Deno.test("verifyVat() has the processor told when VAT is charged differently", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  const tasks = () =>
    world.store.listDue("customers", world.clock.now(), { limit: 10 });
  world.registry.answer = OUTAGE;
  await verifyVat(world.services, { accountId });
  assertEquals(await tasks(), []);
  world.registry.answer = { outcome: "valid", consultation: null, name: null };
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
    '{"event":"vat.claimed","account":"acc_ada","outcome":"held"}',
  ]);
});
