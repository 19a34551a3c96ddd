import { assert, assertEquals, assertRejects } from "@std/assert";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import {
  refundDueInvoices,
  refundInvoice,
} from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { Refused } from "../../../domain/refusal.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import {
  openPaidDay,
  PAID_CENTS,
  type PaidDay,
} from "../../support/paid_day.ts";

/** The bank lets the payment of who was passed over through after all. */
async function payLate(day: PaidDay): Promise<string> {
  const { id } = await day.voided();
  day.world.simulator.control.invoices.payLate(id);
  return id;
}

function refundsOf({ world }: PaidDay): number[] {
  return world.simulator.control.objects("refund").map(({ amount }) => amount);
}

/** Everything was given back, once, and the books say so. */
async function checkGivenBack(day: PaidDay): Promise<void> {
  assertEquals(refundsOf(day), [PAID_CENTS + 100]);
  assertEquals((await day.voided()).money, "refunded");
  assertEquals(await day.balance("refunds_due"), 0);
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
}

Deno.test("a settled day writes down every finalised invoice, the voided one too", async () => {
  await using day = await openPaidDay();
  assertEquals((await day.invoice()).state, "paid");
  assertEquals((await day.voided()).state, "void");
  const { store } = day.world.services;
  for (const { id, number } of [await day.invoice(), await day.voided()]) {
    const task = await store.archiveTasks.find(number);
    assertEquals(task?.documentId, id);
  }
});

Deno.test("a success that comes after its bid was passed over is given back and told", async () => {
  await using day = await openPaidDay();
  await syncInvoice(day.world.services, await payLate(day));
  await checkGivenBack(day);
  const { lines } = day.world.log;
  assert(lines.some((line) => line.includes("invoice.paid_late")));
});

Deno.test("looking at a late success many times gives it back once", async () => {
  await using day = await openPaidDay();
  const id = await payLate(day);
  await Promise.all(
    Array.from({ length: 8 }, () => syncInvoice(day.world.services, id)),
  );
  await refundDueInvoices(day.world.services);
  await checkGivenBack(day);
});

Deno.test("an operator's refund is a credit note with a number, booked and to be archived", async () => {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const refunded = await refundSpotlight(services, {
    day: AUCTION_DAY,
    note: "goodwill",
  });
  assertEquals(refunded.money, "refunded");
  assertEquals(refundsOf(day), [PAID_CENTS]);
  assertEquals(await day.balance("spotlight_revenue"), 0);
  assertEquals(await day.balance("vat_payable"), 0);
  const [note] = simulator.control.objects("credit_note");
  assertEquals(refunded.creditNotes.map(({ number }) => number), [
    note?.number,
  ]);
  const task = await services.store.archiveTasks.find(note?.number ?? "");
  assertEquals(task?.kind, "credit_note");
});

Deno.test("asking for a refund again changes nothing", async () => {
  await using day = await openPaidDay();
  const order = { day: AUCTION_DAY, note: "goodwill" };
  const first = await refundSpotlight(day.world.services, order);
  assertEquals(await refundSpotlight(day.world.services, order), first);
  assertEquals(refundsOf(day), [PAID_CENTS]);
});

Deno.test("a day nobody paid for can't be given back", async () => {
  await using day = await openPaidDay();
  const refused = await assertRejects(
    () =>
      refundSpotlight(day.world.services, {
        day: "2026-11-19" as typeof AUCTION_DAY,
        note: "",
      }),
    Refused,
  );
  assertEquals(refused.refusal.code, "not_refundable");
});

const FAULTS: FaultKind[] = [
  "error_before_effect",
  "error_after_effect",
  "reset_before_effect",
  "reset_after_effect",
  "timeout_after_effect",
  "rate_limit",
  "lock_timeout",
];

for (const kind of FAULTS) {
  Deno.test(`a refund that meets ${kind} is made later, and once`, async () => {
    await using day = await openPaidDay();
    const { services, simulator, clock } = day.world;
    for (const path of ["/v1/credit_notes", "/v1/refunds"]) {
      simulator.control.addFault({ kind, path, method: "POST" });
    }
    await syncInvoice(services, await payLate(day));
    await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
    for (let hour = 0; hour < 4; hour++) {
      clock.advance(3_600_000);
      await refundDueInvoices(services);
    }
    assertEquals(refundsOf(day).toSorted(), [PAID_CENTS, PAID_CENTS + 100]);
    assertEquals(await day.balance("processor_clearing"), 0);
    assertEquals((await day.invoice()).money, "refunded");
  });
}

Deno.test("a process that dies around a call or a commit leaves a refund that is made once", async () => {
  for (let call = 1; call <= 6; call++) {
    for (const when of ["before", "after"] as const) {
      await using day = await openPaidDay();
      const id = await payLate(day);
      const doomed = day.world.another((real) =>
        crashingProcessor(real, { call, when }, () => doomed.kv.crash())
      );
      await dying(() => syncInvoice(doomed.services, id));
      await recover(day, id);
    }
  }
  const points = await everyCrashPoint(async (point) => {
    await using day = await openPaidDay();
    const id = await payLate(day);
    const doomed = day.world.another();
    doomed.kv.crashAt(point);
    await dying(() => syncInvoice(doomed.services, id));
    await recover(day, id);
    return doomed.kv.dead;
  });
  assert(points >= 4, `${points} points`);
});

async function recover(day: PaidDay, invoiceId: string): Promise<void> {
  day.world.clock.advance(3_600_000);
  await syncInvoice(day.world.services, invoiceId);
  await refundInvoice(day.world.services, { invoiceId });
  await checkGivenBack(day);
}

async function dying(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
}

Deno.test("a credit note made by hand that gave nothing back is no refund", async () => {
  await using day = await openPaidDay();
  const { services, stripe, log } = day.world;
  const { id } = await day.invoice();
  await stripe.creditNotes.create({
    invoice: id,
    amount: PAID_CENTS,
    out_of_band_amount: PAID_CENTS,
  });
  await refundSpotlight(services, { day: AUCTION_DAY, note: "goodwill" });
  assertEquals((await day.invoice()).money, "refunding");
  assertEquals(await day.balance("processor_clearing"), PAID_CENTS);
  assert(log.lines.some((line) => line.includes("invoice.refund_refused")));
});
