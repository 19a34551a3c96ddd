/**
 * A partner with money to be paid, its account at the simulated processor, and
 * what the tests look at afterwards.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { balanceOf, bookEntry } from "../../domain/ledger/book_entry.ts";
import {
  commissionEntryId,
  commissionMovement,
} from "../../domain/ledger/commission.ts";
import type { Commission } from "../../domain/partners/commission.ts";
import type { Month } from "../../domain/month.ts";
import {
  earnedCents,
  emptyBalance,
  type PartnerBalance,
  withCommission,
} from "../../domain/partners/partner_balance.ts";
import type { Payout } from "../../domain/partners/payout.ts";
import { sendPayouts } from "../../domain/partners/send_payouts.ts";
import { requestPayout } from "../../domain/partners/request_payout.ts";
import type { Services } from "../../domain/ports.ts";
import type { FaultKind, FaultOrder } from "../../simulators/stripe/mod.ts";
import { type AuctionWorld, openAuctionWorld } from "./auction_world.ts";
import { PARTNER_ID, savePartner } from "./partners.ts";
import { byBrowser, saveSession } from "./sessions.ts";

/** What the partner earned, payable; cents. */
export const EARNED_CENTS = 12_000;
/** The month it earned that in, and has a statement of. */
export const EARNED_IN = "2026-09" as Month;
/** What our balance at the processor holds, cents. */
export const FUNDS_CENTS = 100_000;

/** The world of one test. */
export interface PayoutWorld extends AsyncDisposable {
  world: AuctionWorld;
  /** The partner's account at the processor. */
  destination: string;
  /** Asks for a payout. */
  ask(services?: Services): Promise<string>;
  /** Does what is due. */
  send(services?: Services): Promise<void>;
  /** Has the processor answer otherwise when a transfer is asked of it. */
  failTransfers(kind: FaultKind, more?: Partial<FaultOrder>): void;
  /** Takes so much of what was earned back, as a refund does. */
  takeBack(cents: number, services?: Services): Promise<void>;
  payout(): Promise<Payout>;
  balance(): Promise<PartnerBalance>;
  /** The amounts of the processor's transfers, cents. */
  transfers(): number[];
  /** Checks that store, ledger and processor agree about every cent. */
  checkBooks(): Promise<void>;
}

/** Opens a world in which EUR 120 are payable. */
export async function openPayoutWorld(
  { fundsCents = FUNDS_CENTS }: { fundsCents?: number } = {},
): Promise<PayoutWorld> {
  const world = await openAuctionWorld();
  const { services, simulator: { control } } = world;
  const made = await services.processor.createPartnerAccount({
    accountId: PARTNER_ID,
    email: "grace@newsletter.example",
    country: "AT",
  }, "partner");
  if (!made.ok) throw new Error(made.message);
  const { id } = made.value;
  control.partners.turn(id, "complete");
  if (fundsCents > 0) control.partners.topUp(fundsCents);
  const nowMs = world.clock.now();
  await savePartner(services, {
    partner: {
      connectedAccount: {
        id,
        createdAtMs: nowMs,
        detailsSubmitted: true,
        payoutsEnabled: true,
        syncedAtMs: nowMs,
      },
    },
  });
  await saveSession(services, PARTNER_ID);
  await earn(services, nowMs);
  return { ...partOf(world), destination: id };
}

/** An amount that was earned of one invoice and is in a statement. */
async function earn({ store }: Services, nowMs: number): Promise<void> {
  const commission: Commission = {
    invoiceId: "in_1",
    partnerId: PARTNER_ID,
    accountId: "acc_brought",
    paymentId: "pi_1",
    amountCents: EARNED_CENTS,
    month: EARNED_IN,
    countedIn: EARNED_IN,
    createdAtMs: nowMs,
    changes: 1,
  };
  await store.transact((tx) => {
    tx.commissions.save(commission);
    tx.partnerBalances.save({
      ...emptyBalance(PARTNER_ID),
      payableCents: EARNED_CENTS,
      releasedThrough: EARNED_IN,
      statements: 1,
    });
    bookEntry(tx, {
      id: commissionEntryId("in_1", 1),
      atMs: nowMs,
      kind: "commission",
      paymentId: "pi_1",
      movement: commissionMovement(EARNED_CENTS),
    });
  });
}

/** The same, as a refund or dispute changes it. */
function change(
  { store, clock }: Services,
  cents: number,
): Promise<void> {
  return store.transact(async (tx) => {
    const [commission, balance] = await tx.getMany([
      tx.commissions.ref("in_1"),
      tx.partnerBalances.ref(PARTNER_ID),
    ]);
    if (commission === null || balance === null) throw new Error("not earned");
    const amountCents = commission.amountCents - cents;
    const nowMs = clock.now();
    const after = withCommission(balance, commission, amountCents, nowMs);
    tx.partnerBalances.save(after.balance);
    tx.commissions.save(after.commission);
    bookEntry(tx, {
      id: commissionEntryId("in_1", after.commission.changes),
      atMs: nowMs,
      kind: "commission",
      paymentId: "pi_1",
      movement: commissionMovement(-cents),
    });
  });
}

function partOf(world: AuctionWorld): Omit<PayoutWorld, "destination"> {
  const { services, simulator: { control } } = world;
  const { store } = services;
  const balance = async () => {
    const found = await store.partnerBalances.find(PARTNER_ID);
    if (found === null) throw new Error("no balance");
    return found;
  };
  const payouts = () => store.listPayouts(PARTNER_ID, { limit: 99 });
  return {
    world,
    balance,
    async ask(by = services) {
      const answered = await requestPayout(by, {
        partnerId: PARTNER_ID,
        by: byBrowser(PARTNER_ID),
        binding: null,
      });
      return answered.value.id;
    },
    send: (by = services) => sendPayouts(by),
    failTransfers: (kind, more = {}) =>
      void control.addFault({
        kind,
        method: "POST",
        path: "/v1/transfers",
        ...more,
      }),
    takeBack: (cents, by = services) => change(by, cents),
    async payout() {
      const [newest] = (await payouts()).toReversed();
      if (newest === undefined) throw new Error("no payout");
      return newest;
    },
    transfers: () =>
      control.objects("transfer").map(({ amount, amount_reversed }) =>
        amount - amount_reversed
      ),
    async checkBooks() {
      const ledger = await store.listLedger({ limit: 999 });
      const now = await balance();
      const { paidCents } = now;
      const owed = earnedCents(now) - paidCents;
      assertEquals(balanceOf(ledger, "partner_payable") + owed, 0);
      assertEquals(balanceOf(ledger, "processor_clearing") + paidCents, 0);
      const sent = control.objects("transfer").reduce(
        (sum, each) => sum + each.amount - each.amount_reversed,
        0,
      );
      assertEquals(sent, paidCents);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
