import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { compareBids } from "../../../domain/bids/bid.ts";
import type { FaultKind, FaultOrder } from "../../../simulators/stripe/mod.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { isCrash } from "../../support/faults.ts";
import {
  outcomeOfDay,
  settleInTime,
} from "../../support/settlement_outcome.ts";

const CARDS = [
  "pm_card_visa",
  "pm_card_mastercard",
  "pm_card_chargeCustomerFail",
  "pm_card_authenticationRequired",
];

const KINDS: FaultKind[] = [
  "error_after_effect",
  "error_before_effect",
  "reset_before_effect",
  "reset_after_effect",
  "rate_limit",
  "lock_timeout",
  "decline",
  "requires_action",
];

const PATHS = ["/v1/invoices", "/v1/invoiceitems", "/v1/invoices/**"];

const fault: fc.Arbitrary<FaultOrder> = fc.record({
  kind: fc.constantFrom(...KINDS),
  method: fc.constantFrom("GET" as const, "POST" as const),
  path: fc.constantFrom(...PATHS),
  times: fc.integer({ min: 1, max: 4 }),
});

const story = fc.record({
  bidders: fc.array(
    fc.record({
      card: fc.constantFrom(...CARDS),
      amountCents: fc.integer({ min: 100, max: 105 }),
      waitMs: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 4 },
  ),
  faults: fc.array(fault, { maxLength: 4 }),
  crashes: fc.array(
    fc.record({
      call: fc.integer({ min: 1, max: 12 }),
      when: fc.constantFrom("before" as const, "after" as const),
    }),
    { maxLength: 3 },
  ),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

Deno.test("any faults and crashes end in one Spotlight, at most one charge, true books", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      await using world = await openAuctionWorld();
      await live(world, told);
      await checkPromises(world);
    }),
    { numRuns: 60 },
  );
});

async function live(world: AuctionWorld, told: Story): Promise<void> {
  await openAuction(world.services, { day: AUCTION_DAY });
  for (const [nth, { card, amountCents, waitMs }] of told.bidders.entries()) {
    world.clock.advance(waitMs);
    await world.bid(await world.advertiser(`adv${nth}`, card), amountCents);
  }
  told.faults.forEach((order) => world.simulator.control.addFault(order));
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  for (const crash of told.crashes) {
    const doomed = world.another((real) =>
      crashingProcessor(real, crash, () => doomed.kv.crash())
    );
    await advanceAuctions(doomed.services).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    world.clock.advance(60_000);
  }
  await settleInTime(world, world.services, { minutes: 400 });
  world.simulator.control.clearFaults();
}

async function checkPromises(world: AuctionWorld): Promise<void> {
  const outcome = await outcomeOfDay(world);
  const { store } = world.services;
  const bids = await store.listBids(AUCTION_DAY, { limit: 10 });
  const ranked = bids.toSorted(compareBids);
  const winner = ranked.find(({ status }) => status === "won");
  assertEquals(outcome.openInvoices, 0);
  assertEquals(outcome.bookedCents, outcome.chargedCents);
  assertEquals(
    outcome.chargedCents,
    winner === undefined ? [] : [winner.amountCents],
  );
  assertEquals(
    outcome.spotlight,
    winner?.accountId ?? "house_advertisement",
  );
  const before = winner === undefined ? ranked : ranked.slice(
    0,
    ranked.indexOf(winner),
  );
  assert(
    before.every(({ status }) => status === "payment_failed"),
    "whoever ranked before the winner was passed over",
  );
  const ledger = await store.listLedger({ limit: 10 });
  const sum = ledger.flatMap(({ lines }) => lines)
    .reduce((total, { amountCents }) => total + amountCents, 0);
  assertEquals(sum, 0);
}
