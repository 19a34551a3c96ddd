import { assert, assertEquals } from "@std/assert";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { reconcileDay } from "../../../domain/reconciliation/reconcile_day.ts";
import type { Difference } from "../../../domain/reconciliation/reconciliation.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

const LATE_CENTS = PAID_CENTS + 100;
const ORDER = { day: AUCTION_DAY, note: "goodwill" };

/** Somebody gives back a part at the processor, past us. */
async function refundByHand(
  { world }: PaidDay,
  paymentId: string | null,
  amount: number,
): Promise<void> {
  await world.stripe.refunds.create({
    payment_intent: paymentId ?? "",
    amount,
  });
}

function refundsOf({ world }: PaidDay): number[] {
  return world.simulator.control.objects("refund").map(({ amount }) => amount);
}

async function nightly({ world }: PaidDay): Promise<readonly Difference[]> {
  world.clock.set("2026-11-21T02:30:00.000Z");
  const report = await reconcileDay(world.services, AUCTION_DAY);
  return report.differences;
}

/** Tries again for so many hours. */
async function retry({ world }: PaidDay, hours: number): Promise<void> {
  for (let nth = 0; nth < hours; nth++) {
    world.clock.advance(3_600_000);
    await refundDueInvoices(world.services);
  }
}

Deno.test("an operator's refund takes over what was given back by hand and gives back only the rest", async () => {
  await using day = await openPaidDay();
  await refundByHand(day, (await day.invoice()).paymentId, 250);
  const { money, creditNotes } = await refundSpotlight(
    day.world.services,
    ORDER,
  );
  assertEquals(money, "refunded");
  assertEquals(refundsOf(day), [250, PAID_CENTS - 250]);
  assertEquals(creditNotes.map(({ totalCents }) => totalCents), [PAID_CENTS]);
  assertEquals(await day.balance("processor_clearing"), 0);
  assertEquals(await day.balance("spotlight_revenue"), 0);
  assertEquals(await day.balance("vat_payable"), 0);
  const { lines } = day.world.log;
  const told = lines.find((line) => line.includes("refund_taken_over"));
  assert(told?.includes("refunds"), "it says how many");
  const isAmount = (line: string) => /cents|\b250\b/.test(line);
  assertEquals(lines.filter(isAmount), [], "no line names an amount");
  assertEquals(await nightly(day), []);
});

Deno.test("an operator's refund of what was given back by hand already ends, with a credit note for it", async () => {
  await using day = await openPaidDay();
  const { paymentId } = await day.invoice();
  await refundByHand(day, paymentId, 300);
  await refundByHand(day, paymentId, PAID_CENTS - 300);
  const { money, creditNotes } = await refundSpotlight(
    day.world.services,
    ORDER,
  );
  assertEquals(money, "refunded");
  assertEquals(refundsOf(day), [300, PAID_CENTS - 300]);
  assertEquals(creditNotes.map(({ totalCents }) => totalCents), [PAID_CENTS]);
  assertEquals(await day.balance("processor_clearing"), 0);
  assertEquals(await nightly(day), []);
});

Deno.test("a credit note names up to ten refunds by hand, and of more it is told that their note is missing", async () => {
  for (const count of [10, 11]) {
    await using day = await openPaidDay();
    const { paymentId } = await day.invoice();
    for (let nth = 0; nth < count; nth++) {
      await refundByHand(day, paymentId, 10);
    }
    const { money, creditNotes } = await refundSpotlight(
      day.world.services,
      ORDER,
    );
    assertEquals(money, "refunded");
    assertEquals(refundsOf(day).at(-1), PAID_CENTS - count * 10);
    const noted = creditNotes.map(({ totalCents }) => totalCents);
    assertEquals(noted, [PAID_CENTS - (count - 10) * 10]);
    const told = day.world.log.lines
      .filter((line) => line.includes("invoice.note_refused"));
    assertEquals(told.length, count - 10);
    assert(told.every((line) => line.includes("too_many_refunds")));
  }
});

Deno.test("a credit note that was made by hand with its refund is taken over", async () => {
  await using day = await openPaidDay();
  const { services, stripe } = day.world;
  const note = await stripe.creditNotes.create({
    invoice: (await day.invoice()).id,
    amount: 200,
    refund_amount: 200,
  });
  const { money, creditNotes } = await refundSpotlight(services, ORDER);
  assertEquals(money, "refunded");
  assertEquals(
    creditNotes.map(({ totalCents }) => totalCents).toSorted(),
    [200, PAID_CENTS - 200],
  );
  const task = await services.store.archiveTasks.find(note.number);
  assertEquals(task?.documentId, note.id);
  assertEquals(refundsOf(day), [200, PAID_CENTS - 200]);
});

Deno.test("a late payment that was partly given back by hand is booked movement by movement", async () => {
  await using day = await openPaidDay();
  const { id } = await day.voided();
  const payment = day.world.simulator.control.invoices.payLate(id);
  await refundByHand(day, payment.id, 300);
  await syncInvoice(day.world.services, id);
  assertEquals(refundsOf(day), [300, LATE_CENTS - 300]);
  assertEquals((await day.voided()).money, "refunded");
  assertEquals(await day.balance("refunds_due"), 0);
  assertEquals(await nightly(day), []);
});

Deno.test("a refund by hand between two attempts is met by the next one", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/credit_notes",
    method: "POST",
  });
  const first = await refundSpotlight(services, ORDER);
  assertEquals(first.money, "refunding");
  await refundByHand(day, first.paymentId, PAID_CENTS);
  await retry(day, 2);
  assertEquals((await day.invoice()).money, "refunded");
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

/** A refund that the processor refuses whatever is asked. */
async function refused(day: PaidDay): Promise<Invoice> {
  const { services, stripe } = day.world;
  await stripe.creditNotes.create({
    invoice: (await day.invoice()).id,
    amount: PAID_CENTS,
    out_of_band_amount: PAID_CENTS,
  });
  await refundSpotlight(services, ORDER);
  await retry(day, 24);
  return await day.invoice();
}

Deno.test("a refund that is refused for good ends where an operator sees it, and is tried no more", async () => {
  await using day = await openPaidDay();
  const { services, simulator, log } = day.world;
  const { money, refundTrouble, attempts } = await refused(day);
  assertEquals(money, "refund_failed");
  assert(refundTrouble !== null);
  assert(log.lines.some((line) => line.includes("invoice.refund_failed")));
  simulator.control.clearRequests();
  await retry(day, 48);
  assertEquals(simulator.control.requests(), []);
  assertEquals((await day.invoice()).attempts, attempts);
  const failed = await services.store.listFailedRefunds({ limit: 9 });
  assertEquals(failed.map(({ id }) => id), [(await day.invoice()).id]);
});

Deno.test("a refund that failed is ordered anew once its cause is gone", async () => {
  await using day = await openPaidDay();
  const { services, stripe } = day.world;
  await refused(day);
  const { paymentId } = await day.invoice();
  await stripe.refunds.create({ payment_intent: paymentId ?? "" });
  const { money } = await refundSpotlight(services, ORDER);
  assertEquals(money, "refunded");
  assertEquals(await services.store.listFailedRefunds({ limit: 9 }), []);
  assertEquals(await day.balance("processor_clearing"), 0);
});

Deno.test("a refund whose outcome nobody tells for days ends where an operator sees it", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  simulator.control.addFault({
    kind: "error_before_effect",
    path: "/v1/credit_notes",
    method: "POST",
    times: null,
  });
  await refundSpotlight(services, ORDER);
  await retry(day, 120);
  assertEquals((await day.invoice()).money, "refund_failed");
  simulator.control.clearFaults();
  assertEquals((await refundSpotlight(services, ORDER)).money, "refunded");
});

Deno.test("a crash anywhere while a refund by hand is taken over books each movement once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    await refundByHand(day, (await day.invoice()).paymentId, 250);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await refundSpotlight(doomed.services, ORDER).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    await retry(day, 2);
    if ((await day.invoice()).money === "sold") {
      await refundSpotlight(day.world.services, ORDER);
    }
    assertEquals((await day.invoice()).money, "refunded");
    assertEquals(refundsOf(day), [250, PAID_CENTS - 250]);
    assertEquals(await day.balance("processor_clearing"), 0);
    return doomed.kv.dead;
  });
  assert(points >= 3, `${points} points`);
});
