import { assert } from "@std/assert";
import type { Account } from "../../domain/accounts/account.ts";
import { balanceOf } from "../../domain/ledger/book_entry.ts";
import type { LedgerAccount } from "../../domain/ledger/entry.ts";
import { commissionState } from "./commission_state.ts";
import { countCommission } from "../../domain/partners/count_commission.ts";
import type { Partner } from "../../domain/partners/partner.ts";
import type { Referral } from "../../domain/partners/referral.ts";
import {
  type Advertiser,
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "./auction_world.ts";
import { PARTNER_ID, refer, savePartner } from "./partners.ts";
import { closeDay, settleInTime } from "./settlement_outcome.ts";

const PRICE_CENTS = 7_005;

/** What of the usual day is another. */
export interface Given {
  partner?: Partial<Partner>;
  account?: Partial<Account>;
  referral?: Partial<Referral> | null;
}

/** An auction day won by an advertiser whom a partner brought. */
export async function openReferredDay(given: Given = {}) {
  const world = await openAuctionWorld();
  const { services } = world;
  const winner = await world.advertiser("lucky");
  await savePartner(services, given);
  if (given.referral !== null) {
    await refer(services, winner.account.id, given.referral);
  }
  await world.bid(winner, PRICE_CENTS);
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await closeDay(services);
  await settleInTime(world);
  return { world, winner, ...look(world, winner) };
}

function look({ services }: AuctionWorld, { account }: Advertiser) {
  const { store } = services;
  const invoice = async () => {
    const [found] = await store.listInvoices(account.id, { limit: 9 });
    assert(found !== undefined);
    return found;
  };
  return {
    invoice,
    commission: async () => store.commissions.find((await invoice()).id),
    balance: () => store.partnerBalances.find(PARTNER_ID),
    count: async () =>
      countCommission(services, { invoiceId: (await invoice()).id }),
    async booked(name: LedgerAccount) {
      return balanceOf(await store.listLedger({ limit: 1_000 }), name);
    },
    async state() {
      const commission = await store.commissions.find((await invoice()).id);
      const balance = await store.partnerBalances.find(PARTNER_ID);
      return commission && balance && commissionState(commission, balance);
    },
  };
}
