import { assert, assertEquals } from "@std/assert";
import { suspendAccount } from "../../../domain/accounts/suspend_account.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { Services } from "../../../domain/ports.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  outcomeOfDay,
  settleInTime,
  type SettlementOutcome,
} from "../../support/settlement_outcome.ts";

/** The ways a day can go whose every step is crashed at. */
const STORIES: Record<
  string,
  {
    /** Whether it is lived over threads and sockets; one is, the rest at hand. */
    isOutside?: boolean;
    cards: string[];
    /** What has happened before. */
    before?: (world: AuctionWorld) => Promise<void>;
    end: Partial<SettlementOutcome>;
  }
> = {
  "the winner pays": {
    isOutside: true,
    cards: ["pm_card_visa", "pm_card_visa"],
    end: {
      spotlight: "acc_adv0",
      chargedCents: [5000],
      bookedCents: [5000],
      bids: { acc_adv0: "won", acc_adv1: "lost" },
    },
  },
  "the first card is declined": {
    cards: ["pm_card_chargeCustomerFail", "pm_card_visa"],
    end: {
      spotlight: "acc_adv1",
      chargedCents: [4999],
      bookedCents: [4999],
      bids: { acc_adv0: "payment_failed", acc_adv1: "won" },
    },
  },
  "the best bidder is suspended while its payment is without an answer": {
    cards: ["pm_card_visa", "pm_card_visa"],
    before: suspendUnanswered("reset_before_effect"),
    end: {
      spotlight: "acc_adv1",
      chargedCents: [4999],
      bookedCents: [4999],
      bids: { acc_adv0: "void", acc_adv1: "won" },
    },
  },
  "the best bidder is suspended while only the processor knows that it has paid":
    {
      cards: ["pm_card_visa", "pm_card_visa"],
      before: suspendUnanswered("reset_after_effect"),
      end: {
        spotlight: "acc_adv1",
        chargedCents: [4999, 5000],
        bookedCents: [5000, 4999],
        bids: { acc_adv0: "void", acc_adv1: "won" },
      },
    },
  "a payment is without an answer for an hour": {
    cards: ["pm_card_visa", "pm_card_visa"],
    // A saved 500 is repeated whenever it is asked again.
    before: payingFor(60, "error_before_effect", 1),
    end: {
      spotlight: "acc_adv1",
      chargedCents: [4999],
      bookedCents: [4999],
      bids: { acc_adv0: "payment_failed", acc_adv1: "won" },
    },
  },
  "the processor took no calls for two hours, and then loses one": {
    cards: ["pm_card_visa", "pm_card_visa"],
    before: async (world) => {
      await payingFor(120, "rate_limit", null)(world);
      const { control } = world.simulator;
      control.clearFaults();
      const path = "/v1/invoices/*/pay";
      control.addFault({ kind: "reset_before_effect", method: "POST", path });
    },
    end: {
      spotlight: "acc_adv0",
      chargedCents: [5000],
      bookedCents: [5000],
      bids: { acc_adv0: "won", acc_adv1: "lost" },
    },
  },
  "nobody bids": {
    cards: [],
    end: {
      spotlight: "house_advertisement",
      chargedCents: [],
      bookedCents: [],
      bids: {},
    },
  },
};

for (const [story, { end, ...given }] of Object.entries(STORIES)) {
  const expected = { settlement: "settled", openInvoices: 0, ...end };

  Deno.test(`a crash before or after any commit ends the same when ${story}`, async () => {
    const points = await everyCrashPoint(async (point) => {
      await using world = await openDay(given);
      const doomed = world.another();
      doomed.kv.crashAt(point);
      await liveUntilCrash(doomed.services);
      await restart(world);
      assertEquals(await outcomeOfDay(world), expected, JSON.stringify(point));
      return doomed.kv.dead;
    });
    assert(points >= 6, `${points} crash points`);
  });

  Deno.test(`a crash before or after any processor call ends the same when ${story}`, async () => {
    for (let call = 1, alive = false; !alive; call++) {
      for (const when of ["before", "after"] as const) {
        await using world = await openDay(given);
        const doomed = world.another((real) =>
          crashingProcessor(real, { call, when }, () => doomed.kv.crash())
        );
        await liveUntilCrash(doomed.services);
        await restart(world);
        const point = `call ${call} ${when}`;
        assertEquals(await outcomeOfDay(world), expected, point);
        alive = !doomed.kv.dead;
      }
    }
  });
}

/** The auction day after its bids, just past closing time. */
async function openDay(
  { cards, before, isOutside = false }: Omit<typeof STORIES[string], "end">,
): Promise<AuctionWorld> {
  const world = await openAuctionWorld({ isAtHand: !isOutside });
  await openAuction(world.services, { day: AUCTION_DAY });
  for (const [nth, card] of cards.entries()) {
    await world.bid(await world.advertiser(`adv${nth}`, card), 5000 - nth);
  }
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await before?.(world);
  return world;
}

/** The best bidder's payment fails so, and its account is suspended then. */
function suspendUnanswered(kind: FaultKind) {
  return async (world: AuctionWorld) => {
    const { control } = world.simulator;
    const path = "/v1/invoices/*/pay";
    control.addFault({ kind, method: "POST", path });
    await advanceAuctions(world.services);
    await suspendAccount(world.services, {
      accountId: "acc_adv0",
      by: { kind: "operator_key" },
      reason: "A stolen card.",
      about: null,
    });
    control.clearFaults();
    world.clock.advance(60_000);
  };
}

/** The best bidder's payment is asked for every 5 minutes, and answered so. */
function payingFor(minutes: number, kind: FaultKind, times: number | null) {
  return async (world: AuctionWorld) => {
    const { control } = world.simulator;
    const path = "/v1/invoices/*/pay";
    control.addFault({ kind, method: "POST", path, times });
    for (let minute = 0; minute < minutes; minute += 5) {
      await advanceAuctions(world.services);
      world.clock.advance(5 * 60_000);
    }
  };
}

/** Runs what cron runs; whatever is thrown must come from the crash. */
async function liveUntilCrash(services: Services): Promise<void> {
  try {
    await advanceAuctions(services);
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

/** Another process takes over once the dead one's lease has run out. */
async function restart(world: AuctionWorld): Promise<void> {
  world.clock.advance(60_000);
  await advanceAuctions(world.services);
  await settleInTime(world);
}
