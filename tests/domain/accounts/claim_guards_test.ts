/** What keeps a claim of a VAT id from being settled, and what giving one up leaves. */
import { assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import {
  claimVat,
  freeVatIdFor,
  giveUpVatId,
} from "../../../domain/accounts/claim_vat.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { keys } from "../../../kv/keys.ts";
import { openVatWorld, VAT_ID, type VatWorld } from "./vat_world.ts";

async function save({ store }: VatWorld, account: Account): Promise<void> {
  await store.transact((tx) => tx.accounts.save(account));
}

/** An account whose claim has only to be settled. */
async function claimant(world: VatWorld): Promise<Account> {
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  const account = await world.account(accountId);
  const ripe: Account = { ...account, vatStatus: "unverified" };
  await save(world, ripe);
  return ripe;
}

Deno.test("claimVat() asks for no commit of an account that is not there, or has nothing to claim", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada", null);
  const { services, kv } = world.another();
  for (const id of [accountId, "acc_none"]) {
    await claimVat(services, { accountId: id });
  }
  assertEquals(kv.commits.length, 0);
  assertEquals(world.log.events, []);
});

Deno.test("claimVat() leaves alone an account that was erased, or has given its claim up", async () => {
  for (const isErased of [true, false]) {
    await using world = await openVatWorld();
    const ripe = await claimant(world);
    const { vatCheck: _, ...unripe } = ripe;
    await world.store.transact((tx) =>
      isErased ? tx.accounts.remove(ripe) : tx.accounts.save(unripe)
    );
    world.log.events.length = 0;
    await claimVat(world.services, { accountId: ripe.id });
    assertEquals(
      await world.store.accounts.find(ripe.id),
      isErased ? null : unripe,
    );
    assertEquals(world.log.events, []);
  }
});

/** Whether giving the id up is noted, of an account that is so. */
async function isNoted(
  changed: (account: Account) => Account,
): Promise<boolean> {
  await using world = await openVatWorld();
  const { id } = await claimant(world);
  const account = await world.account(id);
  const { keys } = world.services;
  await world.store.transact((tx) => {
    giveUpVatId(keys, tx, changed(account), 0);
    return Promise.resolve();
  });
  const rows = world.kv.list({ prefix: ["contested_vat_ids"] });
  return (await Array.fromAsync(rows)).length > 0;
}

Deno.test("giving up a VAT id is noted of who was paid for or is kept from bidding, whichever it is, and of nobody else", async () => {
  const held = (kept: Partial<Account>) => (account: Account): Account => ({
    ...account,
    vatStatus: "valid",
    ...kept,
  });
  assertEquals(await isNoted(held({})), false);
  for (
    const kept of [
      { paidWins: 1 },
      { suspendedAtMs: 0 },
      { disputeOpen: true },
      { cardRefused: true },
    ]
  ) assertEquals(await isNoted(held(kept)), true, Object.keys(kept).join());
});

Deno.test("giving up a VAT id that nobody has checked is not noted", async () => {
  const unchecked = ({ vatCheck: _, ...account }: Account): Account => ({
    ...account,
    paidWins: 1,
  });
  assertEquals(await isNoted(unchecked), false);
});

Deno.test("freeVatIdFor() frees none for who claims none, and one whose holder is gone", async () => {
  await using world = await openVatWorld();
  const ripe = await claimant(world);
  const { vatCheck: _, ...unripe } = ripe;
  const gone = world.kv.atomic();
  gone.set(keys.vatHolder(VAT_ID), { vatId: VAT_ID, accountId: "acc_gone" });
  await gone.commit();
  for (const [account, isFree] of [[unripe, false], [ripe, true]] as const) {
    assertEquals(
      await world.store.transact((tx) => freeVatIdFor(tx, account, 0)),
      isFree,
    );
  }
});

Deno.test("the processor is told of who only typed a VAT id and has made room for its owner", async () => {
  await using world = await openVatWorld();
  const squatter = await world.onboard("eve", VAT_ID, {
    identityStatus: "unverified",
    defaultPaymentMethodId: null,
    vatStatus: "valid",
  });
  const owner = await world.onboard("ada");
  await verifyVat(world.services, { accountId: owner });
  const due = await world.store.listDue("customers", world.clock.now(), {
    limit: 9,
  });
  assertEquals(due.map(({ accountId }) => accountId).toSorted(), [
    owner,
    squatter,
  ]);
});
