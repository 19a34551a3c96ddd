/** What an erasure does that has begun, and that is not to be done yet. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Account } from "../../../domain/accounts/account.ts";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import {
  CONFIRM_WITHIN_MS,
  type Erasure,
  standingErasure,
} from "../../../domain/privacy/erasure.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { credentialsOf } from "../../../domain/sessions/credentials.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { askForErasure } from "../../support/erasures.ts";
import { saveSession } from "../../support/sessions.ts";

/** An advertiser with a bid, an agent and a session, whose erasure is due. */
async function openDue() {
  const world = await openAuctionWorld();
  const { services, clock } = world;
  const { account } = await bidder(world);
  const accountId = account.id;
  const { grant } = await createGrant(services, {
    accountId,
    clientId: "client_demo",
    scopes: ["account:read"],
    mandate: null,
  });
  await askForErasure(services, accountId);
  clock.advance(7 * DAY_MS);
  return { world, accountId, grantId: grant.id };
}

async function bidder(world: AuctionWorld) {
  const ada = await world.advertiser("ada");
  await openAuction(world.services, { day: AUCTION_DAY });
  await world.bid(ada, 5_000);
  return ada;
}

/** Has the erasure begin, and the process die of it straight afterwards. */
async function begin(
  { services }: AuctionWorld,
  accountId: string,
  isRepeated = false,
): Promise<void> {
  const listGrants = () => Promise.reject(new Error("died"));
  const dying = { ...services, store: { ...services.store, listGrants } };
  await assertRejects(
    () => eraseAccount(dying, { accountId, isRepeated }),
    Error,
    "died",
  );
}

async function change(
  { store }: Services,
  accountId: string,
  changes: Partial<Account>,
): Promise<void> {
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, ...changes });
  });
}

async function closeDay({ services, clock }: AuctionWorld): Promise<void> {
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeAuction(services, { day: AUCTION_DAY });
}

function customersOf({ simulator }: AuctionWorld): number {
  return simulator.control.objects("customer").length;
}

Deno.test("beginning an erasure signs every browser out and leaves its lease as it is", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services } = world;
  const { store } = services;
  const before = await credentialsOf(store, accountId);
  const leases: unknown[] = [];
  const listGrants = async () => {
    leases.push((await store.dataRequests.find(accountId))?.dueAtMs);
    throw new Error("died");
  };
  const due = await store.dataRequests.find(accountId);
  assert(due !== null);
  const dueAtMs = services.clock.now() + 60_000;
  await store.transact((tx) => tx.dataRequests.save({ ...due, dueAtMs }));
  const dying = { ...services, store: { ...store, listGrants } };
  await assertRejects(() => eraseAccount(dying, { accountId }), Error, "died");
  assertEquals(leases, [dueAtMs]);
  const { generation } = await credentialsOf(store, accountId);
  assertEquals(generation, before.generation + 1);
});

Deno.test("a day that closes once an erasure has begun is settled first, with the customer still at the processor and no agent let in", async () => {
  const { world, accountId, grantId } = await openDue();
  await using _ = world;
  const { services } = world;
  await begin(world, accountId);
  await closeDay(world);
  assertEquals(await eraseAccount(services, { accountId }), "waits");
  assertEquals(customersOf(world), 1);
  const grant = await services.store.grants.find(grantId);
  assert(grant !== null && grant.revokedAtMs !== null);
});

Deno.test("a dispute that is opened once an erasure has begun is waited for, with the customer still at the processor", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services } = world;
  await begin(world, accountId);
  const open = { disputeOpen: true, blockingDisputes: ["dp_1"] };
  await change(services, accountId, open);
  assertEquals(await eraseAccount(services, { accountId }), "waits");
  assertEquals(customersOf(world), 1);
});

Deno.test("an erasure that is repeated waits for no dispute, and for a day that is being settled only with its last row", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services } = world;
  const open = { disputeOpen: true, blockingDisputes: ["dp_1"] };
  await change(services, accountId, open);
  await closeDay(world);
  const again = { accountId, isRepeated: true };
  assertEquals(await eraseAccount(services, again), "waits");
  assertEquals((await services.store.accounts.find(accountId))?.email, "");
  const mails = await services.store.listMails({ limit: 100 });
  assertEquals(mails.filter((mail) => mail.accountId === accountId), []);
});

Deno.test("what a request that was let through before writes behind an erasure is erased as well", async () => {
  const { world, accountId } = await openDue();
  await using _ = world;
  const { services } = world;
  const { store } = services;
  let late: string | null = null;
  const listReferralLinks: typeof store.listReferralLinks = async (
    ...asked
  ) => {
    if (late === null) {
      const session = await saveSession(services, accountId);
      late = session.hash;
    }
    return await store.listReferralLinks(...asked);
  };
  const raced = { ...services, store: { ...store, listReferralLinks } };
  assertEquals(await eraseAccount(raced, { accountId }), "erased");
  assert(late !== null);
  assertEquals(await store.sessions.find(late), null);
});

Deno.test("an account is not erased before its day, nor a request read or mailed again that stands", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { account } = await world.advertiser("ada");
  const accountId = account.id;
  const session = await saveSession(services, accountId);
  const by = { session };
  const ask = () =>
    requestErasure(services, { accountId, grantId: null, by, binding: null });
  const idOf = async () => (await readErasure(services, accountId))?.id;
  await ask();
  const first = await idOf();
  clock.advance(3_600_000 - 1);
  await ask();
  assertEquals(await idOf(), first);
  clock.advance(1);
  await ask();
  const erasureId = await idOf() ?? "";
  assert(erasureId !== first);
  await confirmErasure(services, {
    accountId,
    erasureId,
    to: mailedTo(account),
  });
  clock.advance(7 * DAY_MS - 1);
  await eraseAccount(services, { accountId });
  assertEquals(
    (await services.store.accounts.find(accountId))?.email,
    account.email,
  );
  clock.advance(1);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(accountId), null);
});

Deno.test("a request for an erasure that nobody confirmed stands until its day is over, and not at its end", () => {
  const erasure: Erasure = {
    id: "era_1",
    state: "asked",
    grantId: null,
    askedAtMs: 0,
    confirmUntilMs: CONFIRM_WITHIN_MS,
    eraseAtMs: null,
  };
  assertEquals(standingErasure({ erasure }, CONFIRM_WITHIN_MS - 1), erasure);
  assertEquals(standingErasure({ erasure }, CONFIRM_WITHIN_MS), null);
  const confirmed = { ...erasure, state: "confirmed" as const };
  const later = { erasure: confirmed };
  assertEquals(standingErasure(later, CONFIRM_WITHIN_MS), confirmed);
});
