/**
 * For each kind of event, something that happened at the processor and that
 * nobody told us of yet, and whether our rows know of it.
 *
 * @module
 */
import { assert } from "@std/assert";
import { refundSpotlight } from "../../../../domain/invoices/refund_spotlight.ts";
import { PARTNER_ID } from "../../../support/partners.ts";
import { openPayoutWorld } from "../../../support/payout_world.ts";
import { readyAccount } from "../../../support/identity_ready.ts";
import { startIdentityCheck } from "../../../../domain/identity/start_identity_check.ts";
import type { Services } from "../../../../domain/ports.ts";
import type { Simulator } from "../../../../simulators/stripe/mod.ts";
import { openCardsWorld } from "../../../domain/cards/cards_world.ts";
import { submit } from "../../../simulators/stripe/browser.ts";
import {
  AUCTION_DAY,
  openAuctionWorld,
} from "../../../support/auction_world.ts";
import { openPaidDay } from "../../../support/paid_day.ts";
import { beginPurchase } from "../../../support/told_service.ts";
import { saveSession } from "../../../support/sessions.ts";

/** What happened, and how we come to know. */
export interface Happened extends AsyncDisposable {
  services: Services;
  simulator: Simulator;
  /** The processor's object that it happened to. */
  objectId: string;
  /** What our rows say of it. */
  known(): Promise<unknown>;
  /** What they say once it was looked at. */
  then: unknown;
}

/** By how the names of the events begin. */
export const WHAT_HAPPENED: Readonly<Record<string, () => Promise<Happened>>> =
  {
    "invoice.": paidLate,
    "payment_intent.": paidForFigures,
    "charge.dispute.": disputed,
    "identity.verification_session.": verified,
    "setup_intent.": () => cardSaved("setup_intent"),
    "checkout.session.": () => cardSaved("page"),
    "refund.": cameBack,
    "transfer.": sentBack,
    "account.updated": accountVerified,
  };

async function paidLate(): Promise<Happened> {
  const day = await openPaidDay();
  const { services, simulator } = day.world;
  const { id: objectId } = await day.voided();
  simulator.control.invoices.payLate(objectId);
  return {
    services,
    simulator,
    objectId,
    known: async () => (await day.voided()).money,
    then: "refunded",
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}

async function paidForFigures(): Promise<Happened> {
  const day = await openPaidDay();
  const { services, simulator, stripe } = day.world;
  const purchaseId = "purchase_1";
  const objectId = await beginPurchase(services, simulator, {
    purchaseId,
    stripe,
    day: AUCTION_DAY,
  });
  simulator.control.resolvePayment(objectId, "succeed");
  return {
    services,
    simulator,
    objectId,
    known: async () =>
      (await services.store.metricsPayments.find(purchaseId))?.state,
    then: "succeeded",
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}

async function disputed(): Promise<Happened> {
  const day = await openPaidDay();
  const { services, simulator } = day.world;
  const { paymentId } = await day.invoice();
  const { id: objectId } = simulator.control.disputes.open(paymentId ?? "");
  const accountId = day.winner.account.id;
  return {
    services,
    simulator,
    objectId,
    known: async () => [
      (await services.store.disputes.find(objectId))?.state,
      (await services.store.accounts.find(accountId))?.disputeOpen,
    ],
    then: ["open", true],
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}

async function verified(): Promise<Happened> {
  const world = await openAuctionWorld();
  const { services, simulator, stripe } = world;
  const accountId = "acc_ada";
  await services.store.transact((tx) =>
    tx.accounts.save(readyAccount(accountId, "ada@example.com"))
  );
  const { url } = await startIdentityCheck(services, {
    accountId,
    admit: () => Promise.resolve(),
    by: { session: await saveSession(services, accountId) },
  });
  await submit(url ?? "", { choice: "verify" });
  const { data } = await stripe.identity.verificationSessions.list();
  return {
    services,
    simulator,
    objectId: data[0]?.id ?? "",
    known: async () =>
      (await services.store.accounts.find(accountId))?.identityStatus,
    then: "verified",
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function cardSaved(of: "setup_intent" | "page"): Promise<Happened> {
  const world = await openCardsWorld();
  const accountId = await world.account("ada");
  const setup = await world.open(accountId);
  await world.pay(setup);
  const { data } = await world.stripe.setupIntents.list();
  return {
    services: world.services,
    simulator: world.simulator,
    objectId: of === "page" ? setup.sessionId : data[0]?.id ?? "",
    known: () => world.cards(accountId),
    then: ["4242*"],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** A refund that the payer's bank sent back. */
async function cameBack(): Promise<Happened> {
  const day = await openPaidDay();
  const { services, simulator } = day.world;
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  const [refund] = (await day.invoice()).refunds;
  assert(refund !== undefined);
  simulator.control.failRefund(refund.id);
  return {
    services,
    simulator,
    objectId: refund.id,
    known: async () => (await day.invoice()).money,
    then: "refund_failed",
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}

/** A transfer of which a bank sent a part back. */
async function sentBack(): Promise<Happened> {
  const day = await openPayoutWorld();
  const { services, simulator } = day.world;
  await day.ask();
  await day.send();
  const { transferId } = await day.payout();
  assert(transferId !== null);
  simulator.control.partners.reverse(transferId, 2_000);
  return {
    services,
    simulator,
    objectId: transferId,
    known: async () => (await day.payout()).returnedCents,
    then: 2_000,
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}

/** A partner's account that the processor pays to from now on. */
async function accountVerified(): Promise<Happened> {
  const day = await openPayoutWorld();
  const { services, simulator } = day.world;
  const { store } = services;
  await store.transact(async (tx) => {
    const partner = await tx.partners.find(PARTNER_ID);
    assert(partner !== null && partner.connectedAccount !== null);
    const connectedAccount = {
      ...partner.connectedAccount,
      payoutsEnabled: false,
    };
    tx.partners.save({ ...partner, connectedAccount });
  });
  return {
    services,
    simulator,
    objectId: day.destination,
    known: async () =>
      (await store.partners.find(PARTNER_ID))?.connectedAccount?.payoutsEnabled,
    then: true,
    [Symbol.asyncDispose]: () => day[Symbol.asyncDispose](),
  };
}
