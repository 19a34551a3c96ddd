/** Erasures of who was passed over, while the day goes to somebody else. */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { eraseAgain, noteErased } from "../../../domain/privacy/erase_again.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { linesWith } from "../../support/canary_account.ts";
import { askForErasure } from "../../support/erasures.ts";
import { closeDay, settleInTime } from "../../support/settlement_outcome.ts";

const NAME = "kanariq";
/** Asked for seven days before: due while the day is being settled. */
const STARTS_AT = "2026-11-14T00:10:00.000Z";

/** The best bidder is passed over, and the payment of the next one processes. */
async function passOverFirst(
  world: AuctionWorld,
  { card = "pm_card_visa", isSuspended = false, asks = true },
): Promise<Advertiser> {
  const { services, clock, simulator: { control } } = world;
  const { store } = services;
  const first = await world.advertiser(NAME, card);
  const next = await world.advertiser("winner");
  if (asks) await askForErasure(services, first.account.id);
  clock.set(`${AUCTION_DAY}T08:00:00.000Z`);
  await world.bid(first, 5_000);
  await world.bid(next, 4_000);
  if (isSuspended) {
    await store.transact(async (tx) => {
      const account = await tx.accounts.find(first.account.id);
      assert(account !== null);
      tx.accounts.save({ ...account, suspendedAtMs: clock.now() });
    });
  }
  clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(services);
  const { services: slow } = world.another((real) => ({
    ...real,
    payInvoice: (id, cardId, key) => {
      if (cardId === next.paymentMethodId) {
        control.addFault({ kind: "processing", path: "/v1/invoices/*/pay" });
      }
      return real.payInvoice(id, cardId, key);
    },
  }));
  const day = await settleDay(slow, { day: AUCTION_DAY });
  const steps = day.candidates.map(({ step }) => step);
  assertEquals(steps, ["passed_over", "paying"]);
  return first;
}

/** The next one's payment succeeds, and the erasure goes on. */
async function payNext(world: AuctionWorld): Promise<void> {
  const { services, clock, simulator: { control } } = world;
  for (const { id, status } of control.objects("payment_intent")) {
    if (status === "processing") control.resolvePayment(id, "succeed");
  }
  clock.advance(3_600_000);
  const { state } = await settleDay(services, {
    day: AUCTION_DAY,
    force: true,
  });
  assertEquals(state, "settled");
  await fulfilRequests(services);
}

/** The families that still name the bidder, or its bid. */
async function left(world: AuctionWorld, { account }: Advertiser) {
  const { store } = world.services;
  assert(await store.erasedAccounts.find(account.id) !== null);
  const day = await store.settlements.find(AUCTION_DAY);
  const copies = day?.candidates
    .filter(({ accountId }) => accountId === account.id)
    .map(({ copy }) => copy);
  const lines = await linesWith(world, [`"${account.id}"`]);
  return [copies, lines.map(([[family]]) => family).toSorted()];
}

Deno.test("an erasure waits for a day that has passed the account over, and takes its ad from there", async () => {
  await using world = await openAuctionWorld({ startsAt: STARTS_AT });
  const card = "pm_card_chargeCustomerFail";
  const gone = await passOverFirst(world, { card });
  world.clock.set("2026-11-21T00:11:00.000Z");
  await fulfilRequests(world.services);
  const waiting = await world.services.store.accounts.find(gone.account.id);
  assert(waiting?.company, "nothing was begun");
  await payNext(world);
  const [copies] = await left(world, gone);
  assertEquals(copies, [null]);
});

Deno.test("an erasure waits for a day that has passed the account over without an invoice, and takes its bid from there", async () => {
  await using world = await openAuctionWorld({ startsAt: STARTS_AT });
  const gone = await passOverFirst(world, { isSuspended: true });
  world.clock.set("2026-11-21T00:11:00.000Z");
  await fulfilRequests(world.services);
  await payNext(world);
  const families = ["erased_accounts", "settlements"];
  assertEquals(await left(world, gone), [[null], families]);
});

Deno.test("a release empties who was passed over on a day that is still to be settled, and ends the erasure after that", async () => {
  await using world = await openAuctionWorld({ startsAt: STARTS_AT });
  const { services } = world;
  const gone = await passOverFirst(world, { isSuspended: true, asks: false });
  const { id } = gone.account;
  await noteErased(services, id);
  await eraseAgain(services);
  const waiting = await services.store.accounts.find(id);
  assertEquals([waiting?.email, waiting?.company], ["", null]);
  await payNext(world);
  const families = ["erased_accounts", "settlements"];
  assertEquals(await left(world, gone), [[null], families]);
});

Deno.test("an erasure does not end over a day that closes after it was looked for one", async () => {
  await using world = await openAuctionWorld({ startsAt: STARTS_AT });
  const { services, clock } = world;
  const { store } = services;
  const gone = await world.advertiser(NAME);
  await askForErasure(services, gone.account.id);
  clock.set(`${AUCTION_DAY}T08:00:00.000Z`);
  await openAuction(services, { day: AUCTION_DAY });
  await world.bid(gone, 5_000);
  clock.set("2026-11-21T00:10:00.000Z");
  // It is read of which bids there is an invoice: days were looked for before.
  const listInvoices: typeof store.listInvoices = async (...asked) => {
    await closeDay(services);
    return await store.listInvoices(...asked);
  };
  await fulfilRequests({ ...services, store: { ...store, listInvoices } });
  assertEquals((await store.accounts.find(gone.account.id))?.email, "");
  await settleInTime(world);
  clock.advance(3_600_000);
  await fulfilRequests(services);
  const families = ["erased_accounts", "settlements"];
  assertEquals(await left(world, gone), [[null], families]);
});
