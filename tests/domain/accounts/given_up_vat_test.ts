import { assert, assertEquals } from "@std/assert";
import { secretKeys } from "../../../config/secret_keys.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { giveUpVatId } from "../../../domain/accounts/claim_vat.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import type { Services } from "../../../domain/ports.ts";
import { sha256Hex } from "../../../domain/sha256.ts";
import { openVatWorld, VAT_ID, type VatWorld } from "./vat_world.ts";

const [OLD, NEW] = ["old-".repeat(8), "new-".repeat(8)] as const;
/** What rows of earlier versions say. */
const UNKEYED = `sha256:${sha256Hex(`vat_id_given_up|${VAT_ID}`)}`;

/** The ids of the rows that say what an operator alone gives. */
async function rowsOf({ kv }: VatWorld): Promise<string[]> {
  const rows: string[] = [];
  for await (const { key } of kv.list({ prefix: ["contested_vat_ids"] })) {
    rows.push(String(key[1]));
  }
  return rows;
}

/** Why an operator decides about who claims the id now. */
async function claim(world: VatWorld, services: Services) {
  const accountId = await world.onboard("eve");
  await verifyVat(services, { accountId });
  return (await world.account(accountId)).vatCase?.why;
}

Deno.test("a VAT id that was given up is known by a keyed hash alone, also after a rotation of the secrets", async () => {
  await using world = await openVatWorld();
  const { store, clock } = world;
  const before = secretKeys({ secrets: [OLD] });
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  const account = await world.account(accountId);
  await store.transact((tx) => {
    const owing = { ...account, paidWins: 1 };
    giveUpVatId(before, tx, owing, clock.now());
    tx.accounts.remove(account);
    return Promise.resolve();
  });
  const rows = await rowsOf(world);
  assertEquals(rows.length, 1);
  assert(!rows.includes(UNKEYED) && !rows.join().includes(VAT_ID));
  const keys = secretKeys({ secrets: [NEW, OLD] });
  assertEquals(await claim(world, { ...world.services, keys }), "contested");
});

Deno.test("a VAT id that an earlier version has noted as given up stays an operator's to give", async () => {
  await using world = await openVatWorld();
  await world.store.transact((tx) => {
    tx.contestedVatIds.save({ vatId: UNKEYED, sinceMs: world.clock.now() });
    return Promise.resolve();
  });
  assertEquals(await claim(world, world.services), "contested");
});

const KNOWN = { outcome: "valid", consultation: "WAPI1" } as const;

/** What becomes of eve GmbH's claim of an id that ada typed and gave up. */
async function claimAfter(
  world: VatWorld,
  changes: Partial<Account>,
  name: string | null,
): Promise<string | undefined> {
  const { services, registry } = world;
  const ada = await world.onboard("ada", "DE111111111", {
    paidWins: 1,
    ...changes,
  });
  registry.answer = { ...KNOWN, name };
  const { company } = await world.account(ada);
  assert(company !== null);
  const typed = { ...company, vatId: VAT_ID };
  await saveCompany(services, { accountId: ada, company: typed });
  await verifyVat(services, { accountId: ada });
  await saveCompany(services, { accountId: ada, company });
  registry.answer = { ...KNOWN, name: name === null ? null : "eve GmbH" };
  return await claim(world, services);
}

const TYPED: [what: string, changes: Partial<Account>, name: string | null][] =
  [
    ["is another company's", {}, "eve GmbH"],
    ["came from nobody checked", { identityStatus: "unverified" }, null],
    ["came without a card", { defaultPaymentMethodId: null }, null],
  ];

for (const [what, changes, name] of TYPED) {
  Deno.test(`a VAT id that was only typed, which ${what}, stays its company's to hold`, async () => {
    await using world = await openVatWorld();
    assertEquals(await claimAfter(world, changes, name), undefined);
    assertEquals((await world.account("acc_eve")).vatStatus, "valid");
  });
}

Deno.test("a VAT id that was held and given up by who has paid for a day is an operator's to give", async () => {
  for (const name of [null, "ada GmbH"]) {
    await using world = await openVatWorld();
    assertEquals(await claimAfter(world, {}, name), "contested");
  }
});

Deno.test("a complete claim that waits is given up as a held id is", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  world.registry.answer = { ...KNOWN, name: "ada GmbH" };
  await verifyVat(world.services, { accountId });
  const account = await world.account(accountId);
  const waiting = { ...account, vatStatus: "unverified", paidWins: 1 } as const;
  const rows = async (given: Account) => {
    await world.store.transact((tx) => {
      giveUpVatId(world.services.keys, tx, given, world.clock.now());
      return Promise.resolve();
    });
    return (await rowsOf(world)).length;
  };
  assertEquals(await rows({ ...waiting, defaultPaymentMethodId: null }), 0);
  assertEquals(await rows(waiting), 1);
});
