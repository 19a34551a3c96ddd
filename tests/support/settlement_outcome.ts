import { assertEquals } from "@std/assert";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { bidStatus } from "../../domain/bids/bid.ts";
import type { Services } from "../../domain/ports.ts";
import { AUCTION_DAY, type AuctionWorld } from "./auction_world.ts";

/** All that a settlement leaves behind, in the store and at the processor. */
export interface SettlementOutcome {
  settlement: string | undefined;
  spotlight: string | null;
  /** Account id → status of its bid. */
  bids: Record<string, string>;
  /** Amounts of charges that succeeded and were not given back, cents. */
  chargedCents: number[];
  /** Invoices that could still be paid. */
  openInvoices: number;
  /** What the books say was earned, cents. */
  bookedCents: number[];
}

/** Looks at everything a settlement of the auction day left behind. */
export async function outcomeOfDay(
  world: AuctionWorld,
): Promise<SettlementOutcome> {
  const { store } = world.services;
  const [auction, settlement, spotlight] = await store.getMany([
    store.auctions.ref(AUCTION_DAY),
    store.settlements.ref(AUCTION_DAY),
    store.spotlights.ref(AUCTION_DAY),
  ]);
  const bids = await store.listBids(AUCTION_DAY, { limit: 100 });
  const charges = await world.stripe.charges.list({ limit: 100 });
  const open = await world.stripe.invoices.list({ status: "open", limit: 100 });
  const ledger = await store.listLedger({ limit: 100 });
  return {
    settlement: settlement?.state,
    spotlight: spotlight === null
      ? null
      : spotlight.accountId ?? spotlight.contentType,
    bids: Object.fromEntries(
      bids.map((bid) => [bid.accountId, bidStatus(bid, auction)]),
    ),
    chargedCents: charges.data
      .filter(({ status, refunded }) => status === "succeeded" && !refunded)
      .map(({ amount }) => amount),
    openInvoices: open.data.length,
    bookedCents: ledger.map(({ lines }) => lines[0]?.amountCents ?? 0),
  };
}

/** Opens and closes the auction day of a world whose bids are placed. */
export async function closeDay(services: Services): Promise<void> {
  await openAuction(services, { day: AUCTION_DAY });
  await closeAuction(services, { day: AUCTION_DAY });
}

/** Tries again and again, as cron does, until the day has settled. */
export async function settleInTime(
  world: AuctionWorld,
  services: Services = world.services,
  { minutes = 100 }: { minutes?: number } = {},
): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    const { state } = await settleDay(services, { day: AUCTION_DAY });
    if (state === "settled") return;
    world.clock.advance(60_000);
  }
  const { settlement } = await outcomeOfDay(world);
  assertEquals(settlement, "settled", `settled within ${minutes} minutes`);
}
