import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
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

/** Erases an account, and has its owner come back with the same company. */
async function comeBack(
  world: VatWorld,
  changes: Partial<Account>,
): Promise<Account> {
  const { services, store, clock } = world;
  await using auction = await openAuctionWorld();
  const { processor } = auction.services;
  const accountId = await world.onboard("ada");
  await verifyVat(services, { accountId });
  const account = { ...await world.account(accountId), ...changes };
  await store.transact((tx) => {
    tx.accounts.save(account);
    return Promise.resolve();
  });
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  await requestErasure(services, asked);
  const { id: erasureId = "" } = await readErasure(services, accountId) ?? {};
  const to = mailedTo(account);
  await confirmErasure(services, { accountId, erasureId, to });
  clock.advance(7 * DAY_MS);
  assertEquals(
    await eraseAccount({ ...services, processor }, { accountId }),
    "erased",
  );
  assertEquals(await store.accounts.find(accountId), null);
  const again = await world.onboard("eve");
  await verifyVat(services, { accountId: again });
  return await world.account(again);
}

const BLOCKED: Readonly<Record<string, Partial<Account>>> = {
  suspended: { suspendedAtMs: 1 },
  "blocked by a lost dispute": {
    disputeOpen: true,
    blockingDisputes: ["dp_1"],
    lostDisputes: ["dp_1"],
  },
};

for (const [how, changes] of Object.entries(BLOCKED)) {
  Deno.test(`who was ${how} and had the account erased holds the VAT id again by an operator's approval alone`, async () => {
    await using world = await openVatWorld();
    const account = await comeBack(world, changes);
    const reasons = eligibilityReasons(account, world.services.settings);
    assertEquals(reasons, ["vat_unverified"]);
    assertEquals(account.vatCase?.why, "contested");
  });
}

Deno.test("who was not blocked holds the VAT id again as anybody does", async () => {
  await using world = await openVatWorld();
  const account = await comeBack(world, {});
  assertEquals(eligibilityReasons(account, world.services.settings), []);
  assert(await world.store.contestedVatIds.find(VAT_ID) === null);
});
