/**
 * What payers, banks and operators do about days gone by.
 *
 * @module
 */
import Stripe from "stripe";
import { addDays, type Day } from "../../domain/day.ts";
import { liftBlock } from "../../domain/disputes/lift_block.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { refundSpotlight } from "../../domain/invoices/refund_spotlight.ts";
import { Refused } from "../../domain/refusal.ts";
import type { Dispute } from "../../simulators/stripe/objects.ts";
import { isCrash } from "../support/faults.ts";
import type { Life } from "./world.ts";

/** Tells a refund that somebody made at the processor from ours. */
export const BY_HAND = { by: "hand" };

/** What payers, banks and operators do about days gone by. */
export async function liveElsewhere(life: Life, day: Day): Promise<void> {
  mendCards(life);
  await mendAccounts(life);
  if (life.random.chance(0.15)) openDispute(life);
  if (life.random.chance(0.3)) decideDispute(life);
  if (life.random.chance(0.2)) payLate(life);
  if (life.random.chance(0.12)) await refundByHand(life);
  if (life.random.chance(0.08)) await refund(life, day);
}

/** Cards are exchanged, which also makes others of good ones. */
function mendCards({ random, world, advertisers }: Life): void {
  const who = random.any(advertisers);
  if (who === undefined || !random.chance(0.3)) return;
  const behaviour = random.pick([
    "visa",
    "visa",
    "decline:insufficient_funds",
    "authenticationRequired",
  ]);
  world.simulator.control.setCard(who.paymentMethodId, behaviour);
}

/** Whoever was refused or blocked comes back, sooner or later. */
async function mendAccounts({ services, random }: Life): Promise<void> {
  const accounts = await services.store.listAccounts({ limit: 100 });
  for (const { id, cardRefused, disputeOpen } of accounts) {
    if (disputeOpen && random.chance(0.2)) {
      await liftBlock(services, {
        accountId: id,
        by: { kind: "operator_key" },
        reason: "Paid again.",
        about: null,
      });
    }
    if (!cardRefused || !random.chance(0.3)) continue;
    await services.store.transact(async (tx) => {
      const account = await tx.accounts.find(id);
      if (account) tx.accounts.save({ ...account, cardRefused: false });
    });
  }
}

/** The payer objects to all that is left of a charge, or to a part of it. */
function openDispute(life: Life): void {
  const { random, world } = life;
  const charges = undisputed(life);
  const charge = random.any(charges);
  if (charge === undefined) return;
  const isPart = random.chance(0.5);
  const amount = isPart ? random.between(1, charge.leftCents) : undefined;
  const kind = random.pick(["chargeback", "chargeback", "inquiry"]);
  world.simulator.control.disputes.open(charge.id, { kind, amount });
  life.count(isPart ? `${kind} over a part` : kind);
}

/** Charges of which we have something, and no bank looks at. */
function undisputed({ world }: Life): { id: string; leftCents: number }[] {
  const { control } = world.simulator;
  const disputes = Map.groupBy(
    control.objects("dispute"),
    ({ charge }) => charge,
  );
  return control.objects("charge").filter(({ paid }) => paid)
    .flatMap(({ id, amount, amount_refunded, payment_intent }) => {
      const own = disputes.get(id) ?? [];
      if (own.some(isUnderWay)) return [];
      const moved = own.flatMap((each) => each.balance_transactions)
        .reduce((sum, each) => sum + each.amount, 0);
      const leftCents = amount - amount_refunded + moved;
      return leftCents > 0 ? [{ id, leftCents, payment_intent }] : [];
    });
}

/** Whether a bank has still to decide about it. */
export function isUnderWay({ status }: Dispute): boolean {
  return status === "needs_response" || status.startsWith("warning_needs");
}

function decideDispute(life: Life): void {
  const { control } = life.world.simulator;
  const dispute = life.random.any(
    control.objects("dispute").filter(isUnderWay),
  );
  if (dispute === undefined) return;
  const turn = dispute.status === "needs_response"
    ? life.random.pick(["won", "lost", "partly_won"])
    : life.random.pick(["warning_closed", "escalated"]);
  control.disputes.turn(dispute.id, turn);
  life.count(`dispute ${turn}`);
}

/** Somebody gives money back at the processor, past us. */
async function refundByHand(life: Life): Promise<void> {
  const { random, world } = life;
  const charge = random.any(undisputed(life));
  if (charge === undefined) return;
  const isPart = random.chance(0.7);
  try {
    await world.stripe.refunds.create({
      charge: charge.id,
      amount: isPart ? random.between(1, charge.leftCents) : charge.leftCents,
      metadata: BY_HAND,
    });
    life.count("refund by hand");
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    life.count("refund by hand failed");
  }
}

/** The bank lets a payment through that was given up long ago. */
function payLate(life: Life): void {
  const { control } = life.world.simulator;
  const unpaid = new Set(
    control.objects("payment_intent")
      .filter(({ status, last_payment_error }) =>
        status === "canceled" && last_payment_error !== null
      )
      .map(({ id }) => id),
  );
  const payments = control.objects("invoice_payment")
    .filter(({ payment }) => unpaid.has(payment.payment_intent));
  const invoiceId = life.random.any(payments)?.invoice;
  if (invoiceId === undefined) return;
  try {
    control.invoices.payLate(invoiceId);
    life.count("late payment");
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

async function refund(life: Life, today: Day): Promise<void> {
  // Some of it long ago: by then a partner was paid for it.
  const back = life.random.chance(0.3) ? 60 : 10;
  const day = addDays(today, -life.random.between(1, back));
  try {
    await refundSpotlight(life.services, { day, note: "by the simulation" });
    life.count("refund");
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count("refund not begun");
  }
}
