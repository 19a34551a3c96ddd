import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import Stripe from "stripe";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { sweepDisputes } from "../../../domain/disputes/sweep_disputes.ts";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

/** What is disputed of a payment, cents. */
const PART = 300;
/** What whoever was passed over paid late, cents. */
const LATE_CENTS = PAID_CENTS + 100;

/** A dispute over a part of what an invoice's payment took. */
function disputePart(day: PaidDay, paymentId: string | null): string {
  const { disputes } = day.world.simulator.control;
  return disputes.open(paymentId ?? "", { amount: PART }).id;
}

function refundsOf({ world }: PaidDay): number[] {
  return world.simulator.control.objects("refund").map(({ amount }) => amount);
}

/** The simulator knows no money that a bank moves after its decision. */
function movedBy(
  { world }: PaidDay,
  further: readonly [id: string, amountCents: number][],
) {
  const more = further.map(([id, amountCents]) => ({ id, amountCents }));
  return world.another((real) => ({
    ...real,
    async retrieveDispute(disputeId) {
      const found = await real.retrieveDispute(disputeId);
      if (!found.ok) return found;
      const movements = [...found.value.movements, ...more];
      return { ok: true, value: { ...found.value, movements } };
    },
  }));
}

/** A late success of which a part is disputed before anybody looked. */
async function lateAndDisputed(day: PaidDay): Promise<string> {
  const { id } = await day.voided();
  const payment = day.world.simulator.control.invoices.payLate(id);
  const dispute = disputePart(day, payment.id);
  await syncDispute(day.world.services, dispute);
  return dispute;
}

async function laterRefunds({ world }: PaidDay): Promise<void> {
  world.clock.advance(2 * 86_400_000);
  await refundDueInvoices(world.services);
}

Deno.test("a lost dispute over a part writes off that part; the rest stays sold", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = disputePart(day, (await day.invoice()).paymentId);
  await syncDispute(services, id);
  assertEquals(await day.balance("disputed_funds"), PART);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  assertEquals(await day.balance("dispute_losses"), PART);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS - PART);
  assertEquals((await day.invoice()).money, "sold");
});

Deno.test("an invoice keeps the sum of what several disputes of its payment took", async () => {
  await using day = await openPaidDay();
  const { services, simulator: { control: { disputes } } } = day.world;
  const { paymentId } = await day.invoice();
  const sums = async () => {
    const { lostCents, disputedCents } = await day.invoice();
    return [lostCents, disputedCents];
  };
  for (const lost of [1, 2]) {
    const { id } = disputes.open(paymentId ?? "", { amount: 200 });
    await syncDispute(services, id);
    assertEquals(await sums(), [(lost - 1) * 200, 200]);
    disputes.turn(id, "lost");
    await syncDispute(services, id);
    assertEquals(await sums(), [lost * 200, 0]);
  }
});

Deno.test("what a lost dispute left of a late payment is given back, no more and no less", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await lateAndDisputed(day);
  assertEquals(refundsOf(day), [], "it waits for the bank");
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  await laterRefunds(day);
  assertEquals(refundsOf(day), [LATE_CENTS - PART]);
  assertEquals((await day.voided()).money, "refunded");
  assertEquals(await day.balance("refunds_due"), 0);
  assertEquals(await day.balance("dispute_losses"), 0);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
});

Deno.test("what a bank brings back of a late payment it had decided on is owed to the payer, and none of it is a loss", async () => {
  await using day = await openPaidDay();
  const { simulator } = day.world;
  const { id } = await day.voided();
  const payment = simulator.control.invoices.payLate(id);
  const dispute = simulator.control.disputes.open(payment.id).id;
  simulator.control.disputes.turn(dispute, "lost");
  await syncDispute(day.world.services, dispute);
  assertEquals(await day.balance("refunds_due"), 0);
  const later = movedBy(day, [["txn_1", 500]]);
  await syncDispute(later.services, dispute);
  assertEquals(await day.balance("dispute_losses"), 0);
  assertEquals(await day.balance("refunds_due"), -500);
});

Deno.test("what a bank brings back of more than was due lessens the loss, and the payer is owed as much as before", async () => {
  await using day = await openPaidDay();
  const { simulator, stripe, services } = day.world;
  const { id } = await day.voided();
  const payment = simulator.control.invoices.payLate(id);
  await stripe.refunds.create({ payment_intent: payment.id, amount: PART });
  const dispute = simulator.control.disputes.open(payment.id).id;
  simulator.control.disputes.turn(dispute, "lost");
  await syncInvoice(services, id);
  // The bank takes what was given back as well, then brings some of it back.
  const whole = movedBy(day, [["txn_1", -PART]]);
  await syncDispute(whole.services, dispute);
  assertEquals(await day.balance("dispute_losses"), PART);
  const later = movedBy(day, [["txn_1", -PART], ["txn_2", 200]]);
  await syncDispute(later.services, dispute);
  assertEquals(await day.balance("dispute_losses"), PART - 200);
  assertEquals(await day.balance("refunds_due"), 0);
});

Deno.test("a late payment is given back whole when the dispute over a part is won", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = await lateAndDisputed(day);
  simulator.control.disputes.turn(id, "won");
  await syncDispute(services, id);
  await laterRefunds(day);
  assertEquals(refundsOf(day), [LATE_CENTS]);
  assertEquals(await day.balance("refunds_due"), 0);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
});

Deno.test("an operator's refund after a lost dispute over a part gives back the rest with a credit note", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const id = disputePart(day, (await day.invoice()).paymentId);
  simulator.control.disputes.turn(id, "lost");
  await syncDispute(services, id);
  const { money, creditNotes } = await refundSpotlight(services, {
    day: AUCTION_DAY,
    note: "goodwill",
  });
  assertEquals(money, "refunded");
  assertEquals(creditNotes.map(({ totalCents }) => totalCents), [
    PAID_CENTS - PART,
  ]);
  assertEquals(refundsOf(day), [PAID_CENTS - PART]);
  assertEquals(await day.balance("processor_clearing"), 0);
  assertEquals(await day.balance("dispute_losses"), PART);
});

Deno.test("a dispute that is lost though a part of it came back books what the bank kept", async () => {
  await using day = await openPaidDay();
  const { services, simulator, clock } = day.world;
  const { paymentId } = await day.invoice();
  const id = simulator.control.disputes.open(paymentId ?? "").id;
  await syncDispute(services, id);
  simulator.control.disputes.turn(id, "partly_won");
  await syncDispute(services, id);
  const kept = PAID_CENTS - Math.floor(PAID_CENTS / 2);
  assertEquals(await day.balance("dispute_losses"), kept);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS - kept);
  assertEquals((await day.invoice()).money, "sold");
  clock.set("2026-11-21T02:30:00.000Z");
  const { differences } = await reconcileDay(services, AUCTION_DAY);
  assertEquals(differences, []);
});

Deno.test("an inquiry that withdraws less than was asked about books what was withdrawn", async () => {
  await using day = await openPaidDay();
  const { services, simulator, stripe } = day.world;
  const { paymentId } = await day.invoice();
  const { id } = simulator.control.disputes.open(paymentId ?? "", {
    kind: "inquiry",
  });
  await syncDispute(services, id);
  await stripe.refunds.create({ payment_intent: paymentId ?? "", amount: 200 });
  simulator.control.disputes.turn(id, "escalated");
  await syncDispute(services, id);
  assertEquals(await day.balance("disputed_funds"), PAID_CENTS - 200);
});

Deno.test("whatever a bank does with parts of a late payment, what we hold of it ends at nothing", async () => {
  const step = fc.constantFrom(
    "dispute",
    "won",
    "lost",
    "partly_won",
    "hand",
    "look",
    "sweep",
    "refund",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.integer({ min: 1, max: 400 })), {
        maxLength: 8,
      }),
      async (story) => {
        await using day = await openPaidDay();
        const { id } = await day.voided();
        const payment = day.world.simulator.control.invoices.payLate(id);
        for (const [what, cents] of story) {
          await live(day, {
            what,
            cents,
            invoiceId: id,
            paymentId: payment.id,
          });
        }
        await endAll(day, id);
        assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
        assertEquals(await day.balance("refunds_due"), 0);
        assertEquals(await day.balance("disputed_funds"), 0);
      },
    ),
    { numRuns: 25 },
  );
});

async function live(
  { world }: PaidDay,
  { what, cents, invoiceId, paymentId }: {
    what: string;
    cents: number;
    invoiceId: string;
    paymentId: string;
  },
): Promise<void> {
  const { services, simulator, stripe, clock } = world;
  const { disputes } = simulator.control;
  clock.advance(3_600_000);
  try {
    switch (what) {
      case "dispute":
        disputes.open(paymentId, { amount: cents });
        return;
      case "won":
      case "lost":
      case "partly_won":
        for (const { id, status } of simulator.control.objects("dispute")) {
          if (status === "needs_response") disputes.turn(id, what);
        }
        return;
      case "hand":
        await stripe.refunds.create({
          payment_intent: paymentId,
          amount: cents,
        });
        return;
      case "look":
        return await syncInvoice(services, invoiceId);
      case "sweep":
        await sweepDisputes(services);
        return;
      case "refund":
        return await refundDueInvoices(services);
    }
  } catch (error) {
    // More than is left, or disputed: nothing happened then.
    const isRefusal = error instanceof RangeError ||
      error instanceof Stripe.errors.StripeInvalidRequestError;
    if (!isRefusal) throw error;
  }
}

/** The bank decides all there is, and the jobs run until nothing is due. */
async function endAll({ world }: PaidDay, invoiceId: string): Promise<void> {
  const { services, simulator, clock } = world;
  for (const { id, status } of simulator.control.objects("dispute")) {
    if (status === "needs_response") simulator.control.disputes.turn(id, "won");
  }
  await syncInvoice(services, invoiceId);
  for (let nth = 0; nth < 3; nth++) {
    clock.advance(2 * 86_400_000);
    await sweepDisputes(services);
    await syncInvoice(services, invoiceId);
    await refundDueInvoices(services);
  }
  const invoice = await services.store.invoices.find(invoiceId);
  assert(invoice?.money !== "refunding", "it came to an end");
}
