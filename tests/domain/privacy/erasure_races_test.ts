/** What happens beside an erasure: copies, bids, days, payouts and sign-ins. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  EXPORT_KEPT_MS,
  REQUEST_LEASE_MS,
} from "../../../domain/privacy/data_requests.ts";
import {
  CopyTakenOver,
  PartWriter,
} from "../../../domain/privacy/export_parts.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import { keepAccount } from "../../../domain/privacy/request_erasure.ts";
import { requestExport } from "../../../domain/privacy/request_export.ts";
import type { Services } from "../../../domain/ports.ts";
import { redeemCode } from "../../../domain/sign_in/redeem_code.ts";
import { requestCode } from "../../../domain/sign_in/request_code.ts";
import { atCommit, BEGINS } from "../../support/at_commit.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import {
  BID_DAY,
  bidBy,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import {
  CANARY,
  familiesWith,
  fillWithCanaries,
  linesWith,
} from "../../support/canary_account.ts";
import { takeLease } from "../../support/data_copies.ts";
import { askForErasure } from "../../support/erasures.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { testLimiter } from "../../support/limiter.ts";
import { saveSession } from "../../support/sessions.ts";

const EMAIL = "canary-person@example.com";

async function canary(world: AuctionWorld): Promise<Advertiser> {
  const ada = await world.advertiser("ada");
  await fillWithCanaries(world.services, ada, { companyName: "Canary Person" });
  return ada;
}

async function ask({ services }: AuctionWorld, { account }: Advertiser) {
  const accountId = account.id;
  const session = await saveSession(services, accountId);
  const asked = { accountId, grantId: null, by: { session }, binding: null };
  return (await requestExport(services, asked)).value.id;
}

Deno.test("an erasure leaves nothing of a copy whose preparation died", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await canary(world);
  await askForErasure(services, ada.account.id);
  clock.advance(7 * DAY_MS - 1);
  await ask(world, ada);
  const dying = world.another();
  // Lease and part are written, and the outcome is not.
  dying.kv.crashAt({ commit: 3, when: "before" });
  await fulfilRequests(dying.services).catch(() => {});
  const found = await services.store.dataRequests.find(ada.account.id);
  const [{ id = "", parts = 1 } = {}] = found?.exports ?? [];
  assertEquals(parts, 0);
  assert(await services.store.exportParts.find(id, 0) !== null);
  clock.advance(REQUEST_LEASE_MS);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(ada.account.id), null);
  assertEquals(await services.store.exportParts.find(id, 0), null);
});

Deno.test("an attempt at a copy that lost its lease writes no part of it any more", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await canary(world);
  const accountId = ada.account.id;
  const id = await ask(world, ada);
  const lease = await takeLease(services, accountId);
  const expiresAtMs = clock.now() + EXPORT_KEPT_MS;
  const slow = new PartWriter(services, { id, expiresAtMs, lease });
  await slow.add("what the canary has to say");
  await services.store.transact(async (tx) => {
    const requests = await tx.dataRequests.find(accountId);
    assert(requests !== null);
    tx.dataRequests.save({ ...requests, leaseOwner: "another" });
  });
  await assertRejects(() => slow.end(), CopyTakenOver);
  assertEquals(await services.store.exportParts.find(id, 0), null);
});

Deno.test("a day that closes just as an erasure begins is settled without the account, of which nothing is left then", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await canary(world);
  await askForErasure(services, ada.account.id);
  await openAuction(services, { day: AUCTION_DAY });
  await world.bid(ada, 5_000);
  clock.advance(7 * DAY_MS);
  await fulfilRequests(
    atCommit(services, "before", BEGINS, () => closeDay(services)),
  );
  const waiting = await store.accounts.find(ada.account.id);
  assertEquals([waiting?.email, waiting?.company], ["", null]);
  await settleInTime(world);
  const spotlight = await store.spotlights.find(AUCTION_DAY);
  assertEquals(spotlight?.contentType, "house_advertisement");
  clock.advance(3_600_000);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(ada.account.id), null);
  assertEquals(await store.bids.find(AUCTION_DAY, ada.account.id), null);
  assertEquals(await familiesWith(world, CANARY), []);
});

Deno.test("an account that is kept just as its erasure begins stays, and is not called erased", async () => {
  await using world = await openAuctionWorld();
  const { services, clock, log } = world;
  const ada = await canary(world);
  const accountId = ada.account.id;
  await askForErasure(services, accountId);
  clock.advance(7 * DAY_MS);
  const keep = () => keepAccount(services, { accountId, erasureId: null });
  await fulfilRequests(atCommit(services, "before", BEGINS, keep));
  const kept = await services.store.accounts.find(accountId);
  assertEquals(kept?.email, EMAIL);
  const isCalledErased = log.events.includes("privacy.erased");
  assert(!isCalledErased, "a release would erase it again");
});

Deno.test("an erasure does not begin over a dispute that was opened since it was looked", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await canary(world);
  await askForErasure(services, ada.account.id);
  clock.advance(7 * DAY_MS);
  const dispute = () =>
    store.transact(async (tx) => {
      const account = await tx.accounts.find(ada.account.id);
      assert(account !== null);
      const blockingDisputes = ["dp_1"];
      tx.accounts.save({ ...account, disputeOpen: true, blockingDisputes });
    });
  await fulfilRequests(atCommit(services, "before", BEGINS, dispute));
  const account = await store.accounts.find(ada.account.id);
  assertEquals([account?.email, account?.disputeOpen], [EMAIL, true]);
});

/** Begins to sign in: the secret of the browser's cookie. */
async function askForCode(world: AuctionWorld): Promise<string> {
  const { services, testStore } = world;
  const { browserSecret } = await requestCode(
    { ...services, limiter: testLimiter(testStore) },
    {
      email: EMAIL,
      networks: networksOf("192.0.2.1"),
      deviceId: null,
      browserSecret: null,
      next: "/account",
      referralCode: null,
    },
  );
  return browserSecret;
}

/** The code of the newest mail. */
async function mailedCode({ services }: AuctionWorld): Promise<string> {
  const mails = await services.store.listMails({ limit: 20, reverse: true });
  const text = mails.find(({ to }) => to === EMAIL)?.text ?? "";
  return /#c=(\d{8})/.exec(text)?.[1] ?? "";
}

/** Ends to sign in. */
async function giveCode(
  world: AuctionWorld,
  browserSecret: string,
  code?: string,
) {
  return await redeemCode(world.services, {
    browserSecret,
    code: code ?? await mailedCode(world),
    previousSessionId: null,
    userAgent: "A browser",
  });
}

Deno.test("who signs in while an erasure is under way has a new account, which the erasure leaves alone and whose mails stay off as before", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const { store } = services;
  const ada = await canary(world);
  await askForErasure(services, ada.account.id);
  clock.advance(7 * DAY_MS);
  // Asked for before, given after.
  const secret = await askForCode(world);
  const code = await mailedCode(world);
  const processor = {
    ...services.processor,
    deleteCustomer: () => Promise.reject(new Error("out of reach")),
  };
  await fulfilRequests({ ...services, processor });
  const begunAtMs = clock.now();
  assertEquals((await store.accounts.find(ada.account.id))?.email, "");
  const { accountId, isNew } = await giveCode(world, secret, code);
  assertEquals(isNew, true);
  assert(accountId !== ada.account.id);
  const account = await store.accounts.find(accountId);
  assertEquals(account?.mutedMails, ["review"]);
  assertEquals(account?.company, null);
  clock.advance(60_000);
  await askForCode(world);
  await askForErasure(services, accountId);
  const mails = await store.listMails({ limit: 20 });
  clock.advance(3_600_000);
  await fulfilRequests(services);
  assertEquals(await store.accounts.find(ada.account.id), null);
  assertEquals(await store.accounts.find(accountId), account);
  assertEquals((await store.accountEmails.find(EMAIL))?.accountId, accountId);
  const own = mails.filter(({ createdAtMs }) => createdAtMs > begunAtMs);
  assert(own.length >= 2, `${own.length} mails`);
  for (const { id } of own) assert(await store.outbox.find(id), id);
  assertEquals((await store.listSessions(accountId, { limit: 9 })).length, 2);
});

Deno.test("what an address wanted none of is kept under a keyed hash alone, and given to its next account once", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const ada = await canary(world);
  await askForErasure(services, ada.account.id);
  clock.advance(7 * DAY_MS);
  await fulfilRequests(services);
  const kept = await linesWith(world, ["mail_suppressions"]);
  const [[key, row] = []] = kept;
  assertEquals(key, [
    "mail_suppressions",
    TEST_KEYS.mac(
      "suppression",
      EMAIL,
      TEST_KEYS.currentId,
    ),
  ]);
  assertEquals((row as { muted?: string[] }).muted, ["review"]);
  const { accountId } = await giveCode(world, await askForCode(world));
  const account = await services.store.accounts.find(accountId);
  assertEquals(account?.mutedMails, ["review"]);
  assertEquals(await linesWith(world, ["mail_suppressions"]), []);
});

/** As if the seven days were over: the auction of the bid is still open. */
function makeDueNow({ store, clock }: Services, accountId: string) {
  return store.transact(async (tx) => {
    const requests = await tx.dataRequests.find(accountId);
    assert(requests?.erasure);
    const eraseAtMs = clock.now();
    const erasure = { ...requests.erasure, eraseAtMs };
    tx.dataRequests.save({ ...requests, erasure, dueAtMs: eraseAtMs });
  });
}

Deno.test("of a bid and the beginning of an erasure at once each order leaves no bid", async () => {
  for (const isBidFirst of [true, false]) {
    await using there = await openAuctionWorld();
    await using world = await openBiddingWorld();
    const { processor } = there.services;
    const services = { ...world.services, processor };
    const { store } = services;
    const agent = await world.agent("ada");
    const accountId = agent.account.id;
    await askForErasure(services, accountId);
    await makeDueNow(services, accountId);
    let bid: Promise<unknown> = Promise.resolve();
    const place = () => {
      bid = placeBid(world.services, bidBy(agent)).catch((thrown) => thrown);
      return isBidFirst ? bid : Promise.resolve();
    };
    await fulfilRequests(atCommit(services, "before", BEGINS, place));
    await bid;
    assertEquals(await store.accounts.find(accountId), null);
    assertEquals(await store.bids.find(BID_DAY, accountId), null);
    const told = { testStore: world.testStore, clock: world.clock };
    const left = await linesWith(told, [accountId]);
    const families = left.map(([[family]]) => family);
    assertEquals(families, ["erased_accounts"], `${isBidFirst}`);
  }
});
