/**
 * The VAT id and country of an account while its bids stand: a bid would be void
 * without them, and a bid can't be withdrawn.
 */
import { assert, assertEquals } from "@std/assert";
import type { Company } from "../../../domain/accounts/account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import type { Services } from "../../../domain/ports.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { atCommit } from "../../support/at_commit.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import {
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";
import {
  browserBid,
  type CardsWorld,
  openCardsWorld,
} from "../cards/cards_world.ts";

const day = AUCTION_DAY;

/** An account that may bid, and its company with changes. */
async function withCard(world: CardsWorld) {
  const accountId = await world.account("ada");
  await world.save(accountId, "visa");
  const { company } = await world.accountOf(accountId);
  assert(company !== null);
  const change = (changes: Partial<Company>, services = world.services) =>
    saveCompany(services, { accountId, company: { ...company, ...changes } });
  return { accountId, change };
}

const MOVES: Readonly<Record<string, Partial<Company>>> = {
  "another VAT id": { vatId: "DE987654321" },
  "another country": { country: "FR" },
};

for (const [what, changes] of Object.entries(MOVES)) {
  Deno.test(`${what} is no way to withdraw a bid: it waits until the auction has settled`, async () => {
    await using world = await openCardsWorld();
    const { accountId, change } = await withCard(world);
    await placeBid(world.services, await browserBid(world, accountId));
    const take = () => change(changes);
    await assertRefused(take, "company_of_live_bid");
    await closeAuction(world.services, { day });
    await assertRefused(take, "company_of_live_bid");
    assertEquals((await world.accountOf(accountId)).vatMove, undefined);
    await settleInTime(world, world.services);
    const { bids, chargedCents } = await outcomeOfDay(world);
    assertEquals([bids, chargedCents], [{ acc_ada: "won" }, [1_000]]);
    const { company } = await take();
    assertEquals({ ...company, ...changes }, company);
  });
}

Deno.test("what no bid depends on is changed beside a bid that stands", async () => {
  await using world = await openCardsWorld();
  const { accountId, change } = await withCard(world);
  await placeBid(world.services, await browserBid(world, accountId));
  const address = { line1: "Am Markt 2", city: "Kiel", postalCode: "24103" };
  const saved = await change({ address });
  assertEquals([saved.company?.address, saved.vatStatus], [address, "valid"]);
});

Deno.test("an account whose VAT id is not valid changes it though a bid stands", async () => {
  await using world = await openCardsWorld();
  const { accountId, change } = await withCard(world);
  await placeBid(world.services, await browserBid(world, accountId));
  await world.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account) tx.accounts.save({ ...account, vatStatus: "invalid" });
  });
  const saved = await change({ vatId: "DE987654321" });
  assertEquals(saved.company?.vatId, "DE987654321");
});

/** The same services; before the given commit a bid of others lands. */
function overtakenAt(
  world: CardsWorld,
  bid: PlaceBid,
  nth: number,
): Services {
  const other = world.isolate().services;
  return atCommit(other, "before", nth, () => placeBid(world.services, bid));
}

for (const nth of [1, 2]) {
  Deno.test(`a bid that lands before commit ${nth} of a change of the VAT id keeps it`, async () => {
    await using world = await openCardsWorld();
    const { accountId, change } = await withCard(world);
    const bid = await browserBid(world, accountId);
    const services = overtakenAt(world, bid, nth);
    const take = () => change({ vatId: "DE987654321" }, services);
    await assertRefused(take, "company_of_live_bid");
    const { vatStatus, vatMove } = await world.accountOf(accountId);
    assertEquals([vatStatus, vatMove], ["valid", undefined]);
  });
}

Deno.test("of a change of the VAT id and a bid at once one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    await using world = await openCardsWorld();
    const { accountId, change } = await withCard(world);
    const bid = await browserBid(world, accountId);
    const [placed, changed] = await Promise.allSettled([
      placeBid(world.services, bid),
      change({ vatId: "DE987654321" }, world.isolate().services),
    ]);
    assertEquals(placed.status === "fulfilled", changed.status === "rejected");
    const { vatStatus } = await world.accountOf(accountId);
    assertEquals(vatStatus === "valid", placed.status === "fulfilled");
  }
});

Deno.test("a crash in a change of the VAT id keeps nobody from bidding", async () => {
  await everyCrashPoint(async (point) => {
    await using world = await openCardsWorld();
    const { accountId, change } = await withCard(world);
    const doomed = world.isolate();
    doomed.kv.crashAt(point);
    try {
      await change({ vatId: "DE987654321" }, doomed.services);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    const { vatStatus } = await world.accountOf(accountId);
    if (vatStatus === "valid") {
      await placeBid(world.services, await browserBid(world, accountId));
      const { vatMove } = await world.accountOf(accountId);
      assertEquals(vatMove, undefined);
    }
    return doomed.kv.dead;
  });
});
