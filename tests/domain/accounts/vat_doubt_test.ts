/**
 * A no of the VAT registry to an id that is held. It is asked about that again
 * only because the owner wants another name, so the no is an operator's to act on.
 */
import { assert, assertEquals } from "@std/assert";
import { approveVat, releaseVat } from "../../../domain/accounts/decide_vat.ts";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { updateAccount } from "../../../domain/accounts/update_account.ts";
import type { VatAnswer } from "../../../domain/accounts/vat_registry.ts";
import { vatDoubtOf } from "../../../domain/accounts/vat_claim.ts";
import { verifyDueVats } from "../../../domain/accounts/verify_due_vats.ts";
import { verifyVat } from "../../../domain/accounts/verify_vat.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Services } from "../../../domain/ports.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import { waitingWords } from "../../../routes/site/operator/account_words.ts";
import {
  AUCTION_DAY as day,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { closeDay } from "../../support/settlement_outcome.ts";
import { DESK } from "../creatives/creative_world.ts";
import {
  openVatWorld,
  TestRegistry,
  VAT_ID,
  type VatWorld,
} from "./vat_world.ts";

const NO: VatAnswer = { outcome: "invalid", consultation: null, name: null };
const YES: VatAnswer = { outcome: "valid", consultation: "WAPI9", name: null };

const order = (accountId: string, companyName?: string) => ({
  accountId,
  by: DESK,
  reason: "Asked the tax office.",
  about: VAT_ID,
  companyName,
});

function wish(services: Services, accountId: string, name = "Another AG") {
  const changes = { parts: { name }, mails: {} };
  return updateAccount(services, { accountId, changes, binding: null });
}

/** Who holds the id, and is called invalid when another name is asked about. */
async function doubted(world: VatWorld): Promise<string> {
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  await wish(world.services, accountId);
  world.registry.answer = NO;
  await verifyDueVats(world.services);
  return accountId;
}

Deno.test("another name is no way to withdraw a bid: a no of the VAT registry waits for an operator", async () => {
  await using world = await openAuctionWorld();
  await openAuction(world.services, { day });
  const ada = await world.advertiser("ada");
  const eve = await world.advertiser("eve");
  await world.bid(ada, 50_000);
  await world.bid(eve, 1_000);
  const registry = new TestRegistry();
  registry.answer = NO;
  const services = { ...world.services, vatRegistry: registry };
  await wish(services, ada.account.id);
  await verifyDueVats(services);
  assertEquals(registry.asked.length, 1);
  const account = await services.store.accounts.find(ada.account.id);
  assert(account !== null);
  assertEquals(vatDoubtOf(account)?.vatId, account.company?.vatId);
  await closeDay(services);
  await settleDay(services, { day });
  const bids = await Promise.all(
    [ada, eve].map(({ account }) => services.store.bids.find(day, account.id)),
  );
  assertEquals(bids.map((bid) => bid?.status), ["won", "active"]);
});

Deno.test("a suspended company is no other account's by typing another name while the registry says no", async () => {
  await using world = await openVatWorld();
  const accountId = await world.onboard("ada");
  await verifyVat(world.services, { accountId });
  const by = DESK;
  const about = null;
  await suspendAccount(world.services, {
    accountId,
    by,
    about,
    reason: "Fraud.",
  });
  await wish(world.services, accountId);
  world.registry.answer = NO;
  await verifyDueVats(world.services);
  world.registry.answer = YES;
  const second = await world.onboard("eve");
  const { vatStatus, vatCase } = await verifyVat(world.services, {
    accountId: second,
  });
  assertEquals([vatStatus, vatCase?.why], ["unverified", "held"]);
});

Deno.test("approveVat() leaves an id that the registry doubts with its holder, as releaseVat() takes it", async () => {
  for (const isKept of [true, false]) {
    await using world = await openVatWorld();
    const { services, store } = world;
    const accountId = await doubted(world);
    const waiting = await store.listWaitingAccounts({ limit: 9 });
    assertEquals(waiting.map(({ id }) => id), [accountId]);
    const heldAtMs = (await world.account(accountId)).vatHeldAtMs;
    world.clock.advance(60_000);
    const after = isKept
      ? await approveVat(services, order(accountId, "ada GmbH"))
      : await releaseVat(services, order(accountId));
    assertEquals(after.vatStatus, isKept ? "valid" : "unverified");
    assertEquals(after.vatDoubt, undefined);
    if (isKept) assertEquals(after.vatHeldAtMs, heldAtMs);
    const [note] = await store.listAccountNotes(accountId, { limit: 9 });
    assertEquals(note?.event, isKept ? "vat_approved" : "vat_released");
    assertEquals(vatWords(after), []);
    await assertRefused(
      () => approveVat(services, order(accountId, "Other AG")),
      "decision_outdated",
    );
  }
});

Deno.test("a no of the VAT registry stays on the desk when the name is taken back, and ends by its yes", async () => {
  await using world = await openVatWorld();
  const accountId = await doubted(world);
  await wish(world.services, accountId, "ada GmbH");
  const account = await world.account(accountId);
  assertEquals([account.rename, vatWords(account).length], [undefined, 1]);
  // Nobody asks about what is held, until another name waits.
  await verifyVat(world.services, { accountId });
  assertEquals(world.registry.asked.length, 2);
  world.registry.answer = YES;
  await wish(world.services, accountId);
  await verifyDueVats(world.services);
  const after = await world.account(accountId);
  assertEquals([after.vatStatus, after.vatDoubt], ["valid", undefined]);
});

/** What the desk says of the registry's no. */
function vatWords(account: Parameters<typeof waitingWords>[0]): string[] {
  return waitingWords(account).filter((words) => words.includes(VAT_ID));
}
