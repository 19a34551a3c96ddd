import { assert, assertEquals } from "@std/assert";
import { secretKeys } from "../../../config/secret_keys.ts";
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
