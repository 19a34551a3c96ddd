import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { claimVat } from "../../../domain/accounts/claim_vat.ts";
import {
  approveVat,
  declineVat,
  releaseVat,
} from "../../../domain/accounts/decide_vat.ts";
import { approveRename } from "../../../domain/accounts/decide_rename.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyDueVats } from "../../../domain/accounts/verify_due_vats.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { DESK } from "../creatives/creative_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { COMPLETE, openVatWorld, VAT_ID, type VatWorld } from "./vat_world.ts";

const INCOMPLETE: Partial<Account> = {
  identityStatus: "unverified",
  defaultPaymentMethodId: null,
};

const order = (accountId: string, reason = "Looked up.", about = VAT_ID) => ({
  accountId,
  by: DESK,
  reason,
  about,
});

/** As an operator does who compared the name that the company has now. */
async function approve(
  world: VatWorld,
  accountId: string,
  reason?: string,
): Promise<void> {
  const { company } = await world.account(accountId);
  const companyName = company?.name;
  await approveVat(world.services, {
    ...order(accountId, reason),
    companyName,
  });
}

async function change(
  { store }: VatWorld,
  accountId: string,
  changes: Partial<Account>,
): Promise<void> {
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account !== null) tx.accounts.save({ ...account, ...changes });
  });
}

async function holderOf({ store }: VatWorld): Promise<string | null> {
  return (await store.vatHolders.find(VAT_ID))?.accountId ?? null;
}

async function reasonsOf(world: VatWorld, accountId: string) {
  const { settings } = world.services;
  return eligibilityReasons(await world.account(accountId), settings);
}

async function verified(
  world: VatWorld,
  name: string,
  changes?: Partial<Account>,
): Promise<string> {
  const accountId = await world.onboard(name, VAT_ID, changes);
  await verifyVat(world.services, { accountId });
  return accountId;
}

Deno.test("a VAT id is nobody's until its account is identity-checked and has a card", async () => {
  await using world = await openVatWorld();
  const squatter = await verified(world, "eve", INCOMPLETE);
  assertEquals(await holderOf(world), null);
  assertEquals(await reasonsOf(world, squatter), [
    "identity_unverified",
    "no_payment_method",
  ]);
  const owner = await verified(world, "ada");
  assertEquals(await holderOf(world), owner);
  assertEquals(await reasonsOf(world, owner), []);
});

Deno.test("of two accounts that become complete at once exactly one holds the VAT id", async () => {
  for (let round = 0; round < 10; round++) {
    await using world = await openVatWorld();
    const ids = [
      await verified(world, "ada", INCOMPLETE),
      await verified(world, "eve", INCOMPLETE),
    ];
    for (const id of ids) await change(world, id, COMPLETE);
    await Promise.all(
      ids.map((accountId) => claimVat(world.services, { accountId })),
    );
    const accounts = await Promise.all(ids.map((id) => world.account(id)));
    const held = accounts.filter(({ vatStatus }) => vatStatus === "valid");
    assertEquals(held.length, 1);
    assertEquals(await holderOf(world), held[0]?.id);
    const waiting = await world.store.listWaitingAccounts({ limit: 9 });
    assertEquals(waiting.map(({ vatCase }) => vatCase?.why), ["held"]);
    for (const { id, vatStatus } of accounts) {
      const expected = vatStatus === "valid" ? [] : ["vat_unverified"];
      assertEquals(await reasonsOf(world, id), expected);
    }
  }
});

Deno.test("who typed a VAT id before claims waited and never went on makes room for its owner", async () => {
  await using world = await openVatWorld();
  const squatter = await world.onboard("eve", VAT_ID, {
    ...INCOMPLETE,
    vatStatus: "valid",
  });
  assertEquals(await holderOf(world), squatter);
  const owner = await verified(world, "ada");
  assertEquals(await holderOf(world), owner);
  assertEquals((await world.account(squatter)).vatStatus, "unverified");
  assertEquals((await world.account(owner)).vatStatus, "valid");
});

Deno.test("who held a VAT id before claims waited and is complete holds it on", async () => {
  await using world = await openVatWorld();
  const before = await world.onboard("ada", VAT_ID, { vatStatus: "valid" });
  const second = await verified(world, "eve");
  assertEquals(await holderOf(world), before);
  assertEquals((await world.account(second)).vatCase?.why, "held");
});

Deno.test("who held a VAT id before claims waited holds it on without a card: losing it would void a bid that stands", async () => {
  await using world = await openVatWorld();
  const before = await world.onboard("ada", VAT_ID, { vatStatus: "valid" });
  await change(world, before, { defaultPaymentMethodId: null });
  const second = await verified(world, "eve");
  assertEquals(await holderOf(world), before);
  assertEquals((await world.account(before)).vatStatus, "valid");
  assertEquals((await world.account(second)).vatCase?.why, "held");
});

Deno.test("an account that loses its card holds its VAT id on", async () => {
  await using world = await openVatWorld();
  const owner = await verified(world, "ada");
  await change(world, owner, { defaultPaymentMethodId: null });
  const second = await verified(world, "eve");
  assertEquals(await holderOf(world), owner);
  assertEquals((await world.account(second)).vatCase?.why, "held");
});

Deno.test("a company that the registry calls otherwise waits for an operator, until its name is right", async () => {
  await using world = await openVatWorld();
  world.registry.answer = {
    outcome: "valid",
    consultation: null,
    name: "ADA UND SOEHNE SE",
  };
  const accountId = await verified(world, "ada");
  const waiting = await world.account(accountId);
  assertEquals([waiting.vatStatus, waiting.vatCase?.why], [
    "unverified",
    "name",
  ]);
  assertEquals(await reasonsOf(world, accountId), ["vat_unverified"]);
  assertEquals((await world.store.listWaitingAccounts({ limit: 9 })).length, 1);
  assert(waiting.company !== null);
  const company = { ...waiting.company, name: "Ada und Soehne" };
  await saveCompany(world.services, { accountId, company });
  assertEquals(await world.due(), [accountId]);
  await verifyDueVats(world.services);
  const held = await world.account(accountId);
  assertEquals([held.vatStatus, held.vatCase], ["valid", undefined]);
  assertEquals(world.registry.asked.length, 1);
  assertEquals(await world.store.listWaitingAccounts({ limit: 9 }), []);
});

Deno.test("approveVat() and declineVat() decide a claim, and the owner reads why", async () => {
  for (const isApproved of [true, false]) {
    await using world = await openVatWorld();
    world.registry.answer = {
      outcome: "valid",
      consultation: null,
      name: "Other SE",
    };
    const accountId = await verified(world, "ada");
    await (isApproved
      ? approve(world, accountId, "Compared.")
      : declineVat(world.services, order(accountId, "Compared.")));
    const account = await world.account(accountId);
    assertEquals(account.vatStatus, isApproved ? "valid" : "unverified");
    assertEquals(await holderOf(world), isApproved ? accountId : null);
    assertEquals(await world.store.listWaitingAccounts({ limit: 9 }), []);
    assertEquals(await world.due(), []);
    const [mail] = await world.store.listMails({ limit: 9 });
    assertStringIncludes(mail?.text ?? "", "Compared.");
    const notes = await world.store.listAccountNotes(accountId, { limit: 9 });
    assertEquals(notes.map(({ event }) => event), [
      isApproved ? "vat_approved" : "vat_declined",
    ]);
    // No claim settles by itself what an operator has declined.
    await claimVat(world.services, { accountId });
    assertEquals((await world.account(accountId)).vatStatus, account.vatStatus);
  }
});

Deno.test("releaseVat() frees an id for its owner, and nobody takes it back by asking again", async () => {
  await using world = await openVatWorld();
  const squatter = await verified(world, "eve");
  const owner = await verified(world, "ada");
  await assertRefused(
    () => approve(world, owner),
    "vat_id_taken",
  );
  await releaseVat(world.services, order(squatter, "Not your company."));
  assertEquals(await holderOf(world), null);
  const { company } = await world.account(squatter);
  assert(company !== null);
  for (const vatId of ["DE987654321", VAT_ID]) {
    await saveCompany(world.services, {
      accountId: squatter,
      company: { ...company, name: `Eve ${vatId}`, vatId },
    });
    await verifyVat(world.services, { accountId: squatter });
  }
  assertEquals(await holderOf(world), null);
  assertEquals(await reasonsOf(world, squatter), ["vat_unverified"]);
  await approve(world, owner);
  assertEquals(await holderOf(world), owner);
  const [note] = await world.store.listAccountNotes(squatter, { limit: 9 });
  assertEquals([note?.event, note?.reason], [
    "vat_released",
    "Not your company.",
  ]);
});

Deno.test("an id that was released goes to nobody but by an operator's approval", async () => {
  for (const isClaimed of [true, false]) {
    await using world = await openVatWorld();
    const squatter = await verified(world, "eve");
    const owner = isClaimed ? await verified(world, "ada") : null;
    await releaseVat(world.services, order(squatter, "Not your company."));
    const second = await verified(world, "second");
    const waiting = await world.account(second);
    assertEquals([waiting.vatStatus, waiting.vatCase?.why], [
      "unverified",
      "contested",
    ]);
    assertEquals(await holderOf(world), null);
    const rightful = owner ?? await verified(world, "ada");
    await approve(world, rightful);
    assertEquals(await holderOf(world), rightful);
  }
});

Deno.test("an id that others claim goes to none of them when its holder gives it up", async () => {
  await using world = await openVatWorld();
  const holder = await verified(world, "eve");
  const owner = await verified(world, "ada");
  const { company } = await world.account(holder);
  assert(company !== null);
  await saveCompany(world.services, {
    accountId: holder,
    company: { ...company, vatId: "DE987654321" },
  });
  assertEquals(await holderOf(world), null);
  const second = await verified(world, "second");
  assertEquals((await world.account(second)).vatCase?.why, "contested");
  assertEquals(await holderOf(world), null);
  await approve(world, owner);
  assertEquals(await holderOf(world), owner);
});

Deno.test("a decision about a VAT id is refused where it is not the one that was seen", async () => {
  await using world = await openVatWorld();
  const accountId = await verified(world, "ada");
  for (const verb of [approveVat, declineVat]) {
    await assertRefused(
      () => verb(world.services, order(accountId)),
      "decision_outdated",
    );
  }
  await assertRefused(
    () => releaseVat(world.services, order(accountId, "Why.", "DE987654321")),
    "decision_outdated",
  );
  assertEquals(await holderOf(world), accountId);
});

Deno.test("a claim that a crash left is settled by the job", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openVatWorld();
    const accountId = await world.onboard("ada");
    const dying = world.another();
    dying.kv.crashAt(point);
    await verifyVat(dying.services, { accountId }).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    await verifyDueVats(world.services);
    assertEquals((await world.account(accountId)).vatStatus, "valid");
    assertEquals(await holderOf(world), accountId);
    assertEquals(await world.due(), []);
    return dying.kv.dead;
  });
  assert(points >= 4);
});

Deno.test("another name that an operator approves settles the claim that waits for it", async () => {
  await using world = await openVatWorld();
  world.registry.answer = {
    outcome: "valid",
    consultation: null,
    name: "Musterfirma GmbH",
  };
  const accountId = await verified(world, "ada", {
    rename: { name: "Musterfirma", askedAtMs: 0 },
  });
  assertEquals((await world.account(accountId)).vatCase?.why, "name");
  await approveRename(world.services, {
    ...order(accountId),
    about: "Musterfirma",
  });
  assertEquals((await world.account(accountId)).vatStatus, "valid");
  assertEquals(await holderOf(world), accountId);
});

Deno.test("an operator who compared one name does not give another one, that came meanwhile, its id", async () => {
  await using world = await openVatWorld();
  world.registry.answer = {
    outcome: "valid",
    consultation: null,
    name: "Adas Rennraeder",
  };
  const accountId = await verified(world, "ada");
  const { company } = await world.account(accountId);
  assert(company !== null);
  const seen = { ...order(accountId), companyName: company.name };
  const other = { ...company, name: "Well-known Shoes GmbH" };
  await saveCompany(world.services, { accountId, company: other });
  await claimVat(world.services, { accountId });
  for (const said of [seen, order(accountId)]) {
    await assertRefused(
      () => approveVat(world.services, said),
      "decision_outdated",
    );
  }
  assertEquals(await holderOf(world), null);
  await approve(world, accountId);
  assertEquals(await holderOf(world), accountId);
});
