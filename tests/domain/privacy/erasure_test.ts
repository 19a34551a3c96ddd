import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { addDays, DAY_MS } from "../../../domain/day.ts";
import { CONFIRM_WITHIN_MS } from "../../../domain/privacy/erasure.ts";
import { erasureUrl } from "../../../domain/privacy/erasure_link.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  confirmErasure,
  keepAccount,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import type { Services } from "../../../domain/ports.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
} from "../../support/canary_account.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { sellDay } from "../../support/restored_world.ts";
import { saveSession } from "../../support/sessions.ts";

/** Asks for the erasure as the owner, in a browser. */
async function ask(services: Services, { account }: Advertiser) {
  const session = await saveSession(services, account.id);
  await requestErasure(services, {
    accountId: account.id,
    grantId: null,
    by: { session },
    binding: null,
  });
  const erasure = await readErasure(services, account.id);
  assert(erasure !== null, "an erasure was asked for");
  const { id: accountId } = account;
  const found = await services.store.accounts.find(accountId);
  assert(found !== null);
  return { accountId, erasureId: erasure.id, to: mailedTo(found) };
}

async function askAndConfirm(services: Services, who: Advertiser) {
  const link = await ask(services, who);
  await confirmErasure(services, link);
  return link;
}

async function mailsTo({ services }: AuctionWorld, kind: string) {
  const mails = await services.store.listMails({ limit: 100 });
  return mails.filter((mail) => mail.kind === kind);
}

Deno.test("an erasure is confirmed by mail, waits seven days, and leaves of the account its id and the books", async () => {
  await using world = await openAuctionWorld();
  const { services, clock, stripe } = world;
  const ada = await world.advertiser("ada");
  await fillWithCanaries(services, ada, { companyName: "Canary Person" });
  const bid = await world.bid(ada, 5_000);
  await sellDay(world);
  const link = await ask(services, ada);
  const [asked] = await mailsTo(world, "erasure_asked");
  assertStringIncludes(
    asked?.text ?? "",
    erasureUrl(services, { ...link, act: "confirm" }),
  );
  clock.advance(DAY_MS / 2);
  await fulfilRequests(services);
  await confirmErasure(services, link);
  const [way] = await mailsTo(world, "erasure_confirmed");
  assertStringIncludes(
    way?.text ?? "",
    erasureUrl(services, { ...link, act: "keep" }),
  );
  clock.advance(7 * DAY_MS - 1);
  await fulfilRequests(services);
  assert(await services.store.accounts.find(ada.account.id) !== null);
  clock.advance(1);
  await fulfilRequests(services);
  const { store } = services;
  assertEquals(await store.accounts.find(ada.account.id), null);
  assertEquals(await store.erasedAccounts.find(ada.account.id), {
    accountId: ada.account.id,
    erasedAtMs: clock.now(),
  });
  const customer = await stripe.customers.list({ limit: 10 });
  assertEquals(customer.data, []);
  const kept = await store.bids.find(AUCTION_DAY, ada.account.id);
  assertEquals(kept?.id, bid.id);
  const [invoice] = await store.listInvoices(ada.account.id, { limit: 10 });
  assertEquals(invoice?.state, "paid");
  const ledger = await store.listLedger({ limit: 100 });
  const cents = ledger.flatMap(({ lines }) => lines)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  assertEquals([ledger.length > 0, cents], [true, 0]);
  // The ad is published, and stays.
  assertEquals(await familiesWith(world, CANARY), ["spotlights"]);
  const spotlight = await store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.advertiser, "Former advertiser");
});

Deno.test("bids that stand are void when the seven days are over, and not before", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await world.advertiser("ada");
  const day = addDays(AUCTION_DAY, 8);
  await openAuction(services, { day: AUCTION_DAY });
  await openAuction(services, { day });
  await world.bid(ada, 5_000, day);
  await askAndConfirm(services, ada);
  clock.advance(7 * DAY_MS - 1);
  await fulfilRequests(services);
  assertEquals((await store.bids.find(day, ada.account.id))?.status, "active");
  clock.advance(1);
  await fulfilRequests(services);
  assertEquals(await store.bids.find(day, ada.account.id), null);
  assertEquals(await store.accounts.find(ada.account.id), null);
});

Deno.test("an erasure waits while a day is being settled that the account bid for", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await world.advertiser("ada");
  await openAuction(services, { day: AUCTION_DAY });
  await world.bid(ada, 5_000);
  await askAndConfirm(services, ada);
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeAuction(services, { day: AUCTION_DAY });
  clock.advance(8 * DAY_MS);
  await fulfilRequests(services);
  const account = await store.accounts.find(ada.account.id);
  assertEquals(account?.email, ada.account.email);
  await sellDay(world);
  clock.advance(9 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(ada.account.id), null);
  const spotlight = await store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.accountId, ada.account.id);
});

Deno.test("an erasure waits while a bank has not decided a dispute, which would block nobody any more", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await world.advertiser("ada");
  const { account } = ada;
  const change = (changes: Partial<typeof account>) =>
    store.transact(async (tx) => {
      const found = await tx.accounts.find(account.id);
      assert(found !== null);
      tx.accounts.save({ ...found, ...changes });
    });
  await change({ disputeOpen: true, blockingDisputes: ["dp_1"] });
  await askAndConfirm(services, ada);
  clock.advance(8 * DAY_MS);
  await fulfilRequests(services);
  assertEquals((await store.accounts.find(account.id))?.email, account.email);
  await change({ lostDisputes: ["dp_1"] });
  clock.advance(9 * DAY_MS);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(account.id), null);
});

Deno.test("an erasure is called off by its link until it begins, and confirmed by none that lapsed or was called off", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const first = await ask(services, ada);
  clock.advance(CONFIRM_WITHIN_MS);
  await assertRefused(() => confirmErasure(services, first), "not_found");
  const second = await askAndConfirm(services, ada);
  // The link of an earlier request is about that one alone.
  await assertRefused(() => keepAccount(services, first), "not_found");
  assertEquals(await keepAccount(services, second), true);
  assertEquals(await keepAccount(services, second), true);
  await assertRefused(() => confirmErasure(services, second), "not_found");
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  assert(await services.store.accounts.find(ada.account.id) !== null);
});

Deno.test("of confirming and calling off at once each order leaves one of the two, and a late way back says so", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const link = await ask(services, ada);
  const [, kept] = await Promise.allSettled([
    confirmErasure(services, link),
    keepAccount(services, link),
  ]);
  assertEquals(kept.status, "fulfilled");
  assertEquals(await readErasure(services, ada.account.id), null);
  const again = await askAndConfirm(services, ada);
  clock.advance(7 * DAY_MS);
  await Promise.all([fulfilRequests(services), fulfilRequests(services)]);
  assertEquals(await keepAccount(services, again), false);
});

Deno.test("asking again is told of the erasure that stands, and mailed once an hour", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  const first = await ask(services, ada);
  assertEquals(await ask(services, ada), first);
  assertEquals((await mailsTo(world, "erasure_asked")).length, 1);
  clock.advance(3_600_000);
  const second = await ask(services, ada);
  assert(second.erasureId !== first.erasureId);
  await assertRefused(() => confirmErasure(services, first), "not_found");
});

/** The account of a day that was won, a bid of another and all the rest. */
async function erasable(world: AuctionWorld): Promise<Advertiser> {
  const ada = await world.advertiser("ada");
  await fillWithCanaries(world.services, ada, { companyName: "Canary Person" });
  await world.bid(ada, 5_000);
  await sellDay(world);
  const day = addDays(AUCTION_DAY, 9);
  await openAuction(world.services, { day });
  await world.bid(ada, 7_000, day);
  await askAndConfirm(world.services, ada);
  world.clock.advance(7 * DAY_MS);
  return ada;
}

Deno.test("a process that dies at any commit of an erasure leaves it to be finished by the next", async () => {
  const deaths = await everyCrashPoint(async (point) => {
    await using world = await openAuctionWorld({ isAtHand: true });
    const ada = await erasable(world);
    const dying = world.another();
    dying.kv.crashAt(point);
    await fulfilRequests(dying.services).catch((thrown) => {
      if (!isCrash(thrown)) throw thrown;
    });
    await dying.kv.arrive();
    const died = dying.kv.wentWrong;
    for (let hour = 0; hour < 3; hour++) {
      world.clock.advance(3_600_000);
      await fulfilRequests(world.services);
    }
    const { store } = world.services;
    const told = JSON.stringify(point);
    assertEquals(await store.accounts.find(ada.account.id), null, told);
    assertEquals(await familiesWith(world, CANARY), ["spotlights"], told);
    assert(await store.erasedAccounts.find(ada.account.id), told);
    return died;
  });
  assert(deaths > 40, `${deaths} deaths`);
});

Deno.test("a process that dies around deleting the customer leaves it to be finished by the next", async () => {
  for (const when of ["before", "after"] as const) {
    await using world = await openAuctionWorld();
    const ada = await erasable(world);
    const dying = world.another((real) =>
      crashingProcessor(real, { call: 1, when }, () => dying.kv.crash())
    );
    await fulfilRequests(dying.services).catch(() => {});
    world.clock.advance(3_600_000);
    await fulfilRequests(world.services);
    assertEquals(
      await world.services.store.accounts.find(ada.account.id),
      null,
    );
    const { data } = await world.stripe.customers.list({ limit: 10 });
    assertEquals(data, []);
  }
});

Deno.test("while an erasure waits for the processor nobody is signed in, and no agent acts", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const ada = await erasable(world);
  const { store } = services;
  const processor = {
    ...services.processor,
    deleteCustomer: () => Promise.reject(new Error("out of reach")),
  };
  await fulfilRequests({ ...services, processor });
  const account = await store.accounts.find(ada.account.id);
  assertEquals([account?.email, account?.company], ["", null]);
  assert(account?.suspendedAtMs);
  assertEquals(
    await store.accountEmails.find("canary-person@example.com"),
    null,
  );
  const grants = await store.listGrants(ada.account.id, { limit: 10 });
  assertEquals(grants, []);
  assertEquals((await store.credentials.find(ada.account.id))?.passkeys, []);
});

/** Checks of the account's identity at the processor, as they stand there. */
function checksOf({ simulator }: AuctionWorld, { account }: Advertiser) {
  return simulator.control.objects("verification_session")
    .filter((each) => each.client_reference_id === account.id)
    .map(({ status, redaction }) => `${status} ${redaction?.status ?? "kept"}`)
    .toSorted();
}

async function beginCheck(world: AuctionWorld, who: Advertiser, nth: number) {
  const { services } = world;
  const made = await services.processor.createIdentitySession({
    accountId: who.account.id,
    returnUrl: "https://spotlight.example/back",
  }, `check:${who.account.id}:${nth}`);
  assert(made.ok);
  return made.value.id;
}

Deno.test("an erasure has the processor remove what every check of identity collected, also those of long ago", async () => {
  await using world = await openAuctionWorld();
  const { simulator, services } = world;
  const [ada, bob] = [
    await world.advertiser("ada"),
    await world.advertiser("bob"),
  ];
  await beginCheck(world, ada, 1);
  const verified = await beginCheck(world, ada, 2);
  const underWay = await beginCheck(world, ada, 3);
  await beginCheck(world, bob, 1);
  simulator.control.people.checkIdentity(verified, "verified");
  simulator.control.people.checkIdentity(underWay, "processing");
  await askAndConfirm(services, ada);
  world.clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  // What is under way is decided first; the account is empty all the same.
  const waiting = await services.store.accounts.find(ada.account.id);
  assertEquals(waiting?.email, "");
  simulator.control.people.checkIdentity(underWay, "verified");
  world.clock.advance(3_600_000);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(ada.account.id), null);
  assertEquals(checksOf(world, ada), [
    "canceled redacted",
    "verified redacted",
    "verified redacted",
  ]);
  assertEquals(checksOf(world, bob), ["requires_input kept"]);
});

Deno.test("a process that dies around any call to the processor leaves an erasure to be finished by the next", async () => {
  for (const call of [1, 2, 3, 4]) {
    for (const when of ["before", "after"] as const) {
      await using world = await openAuctionWorld();
      const ada = await world.advertiser("ada");
      await beginCheck(world, ada, 1);
      await beginCheck(world, ada, 2);
      await askAndConfirm(world.services, ada);
      world.clock.advance(7 * DAY_MS);
      const dying = world.another((real) =>
        crashingProcessor(real, { call, when }, () => dying.kv.crash())
      );
      await fulfilRequests(dying.services).catch(() => {});
      assert(dying.kv.dead, `call ${call}`);
      world.clock.advance(3_600_000);
      await fulfilRequests(world.services);
      const told = `${call} ${when}`;
      const { store } = world.services;
      assertEquals(await store.accounts.find(ada.account.id), null, told);
      assertEquals(
        checksOf(world, ada),
        ["canceled redacted", "canceled redacted"],
        told,
      );
    }
  }
});
