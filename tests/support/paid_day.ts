/**
 * A day that was won and paid, and one that was passed over: where disputes,
 * refunds and payments that come late begin.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import type { LedgerAccount } from "../../domain/ledger/entry.ts";
import { balanceOf } from "../../domain/ledger/book_entry.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "./auction_world.ts";
import { closeDay, settleInTime } from "./settlement_outcome.ts";

/** What the winner bid, cents. */
export const PAID_CENTS = 700;

/** A world whose auction day is settled. */
export interface PaidDay extends AsyncDisposable {
  world: AuctionWorld;
  winner: Advertiser;
  /** Ranked first, but its card was declined. */
  passedOver: Advertiser;
  /** The winner's invoice, as it now stands. */
  invoice(): Promise<Invoice>;
  /** The invoice of who was passed over, as it now stands. */
  voided(): Promise<Invoice>;
  balance(account: LedgerAccount): Promise<number>;
}

/** Lives the auction day to its settlement. */
export async function openPaidDay(): Promise<PaidDay> {
  const world = await openAuctionWorld();
  const passedOver = await world.advertiser(
    "eager",
    "pm_card_chargeCustomerFail",
  );
  const winner = await world.advertiser("lucky");
  await world.bid(passedOver, PAID_CENTS + 100);
  await world.bid(winner, PAID_CENTS);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(world.services);
  await settleInTime(world);
  return {
    world,
    winner,
    passedOver,
    invoice: () => invoiceOf(world, winner),
    voided: () => invoiceOf(world, passedOver),
    async balance(account) {
      const { store } = world.services;
      return balanceOf(await store.listLedger({ limit: 1_000 }), account);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function invoiceOf(
  { services }: AuctionWorld,
  { account }: Advertiser,
): Promise<Invoice> {
  const [invoice] = await services.store.listInvoices(account.id, { limit: 9 });
  assert(invoice !== undefined, `${account.id} has an invoice`);
  return invoice;
}
