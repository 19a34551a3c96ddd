import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { saveSession } from "../../support/sessions.ts";
import { openVatWorld, VAT_ID, type VatWorld } from "../accounts/vat_world.ts";

/** How an account gives its VAT id up. */
const WAYS: Readonly<
  Record<string, (world: VatWorld, accountId: string) => Promise<void>>
> = { "had the account erased": erase, "typed another VAT id": typeAnother };

async function erase(world: VatWorld, accountId: string): Promise<void> {
  const { services, store, clock } = world;
  await using auction = await openAuctionWorld();
  const { processor } = auction.services;
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestErasure(services, asked);
  const { id: erasureId = "" } = await readErasure(services, accountId) ?? {};
  const to = mailedTo(await world.account(accountId));
  await confirmErasure(services, { accountId, erasureId, to });
  clock.advance(7 * DAY_MS);
  assertEquals(
    await eraseAccount({ ...services, processor }, { accountId }),
    "erased",
  );
  assertEquals(await store.accounts.find(accountId), null);
}

async function typeAnother(world: VatWorld, accountId: string): Promise<void> {
  const { company } = await world.account(accountId);
  assert(company !== null);
  await saveCompany(world.services, {
    accountId,
    company: { ...company, vatId: "DE987654321" },
  });
}

/** Has the owner of an account give its VAT id up, and come back with it. */
async function comeBack(
  world: VatWorld,
  giveUp: (world: VatWorld, accountId: string) => Promise<void>,
  changes: Partial<Account>,
): Promise<Account> {
  const { services, store } = world;
  const accountId = await world.onboard("ada");
  await verifyVat(services, { accountId });
  const account = { ...await world.account(accountId), ...changes };
  await store.transact((tx) => {
    tx.accounts.save(account);
    return Promise.resolve();
  });
  await giveUp(world, accountId);
  const again = await world.onboard("eve");
  await verifyVat(services, { accountId: again });
  return await world.account(again);
}

const ANSWERABLE: Readonly<Record<string, Partial<Account>>> = {
  "was suspended": { suspendedAtMs: 1 },
  "was blocked by a lost dispute": {
    disputeOpen: true,
    blockingDisputes: ["dp_1"],
    lostDisputes: ["dp_1"],
  },
  "was blocked by a refused card": { cardRefused: true },
  "paid for a day, which the bank can still take back": { paidWins: 1 },
};

for (const [what, changes] of Object.entries(ANSWERABLE)) {
  for (const [how, giveUp] of Object.entries(WAYS)) {
    Deno.test(`who ${what} and ${how} holds the VAT id again by an operator's approval alone`, async () => {
      await using world = await openVatWorld();
      const account = await comeBack(world, giveUp, changes);
      const reasons = eligibilityReasons(account, world.services.settings);
      assertEquals(reasons, ["vat_unverified"]);
      assertEquals(account.vatCase?.why, "contested");
      // What outlives the account is a hash.
      assert(await world.store.contestedVatIds.find(VAT_ID) === null);
    });
  }
}

for (const [how, giveUp] of Object.entries(WAYS)) {
  Deno.test(`who owes nothing and ${how} holds the VAT id again as anybody does`, async () => {
    await using world = await openVatWorld();
    const account = await comeBack(world, giveUp, {});
    assertEquals(eligibilityReasons(account, world.services.settings), []);
  });
}
