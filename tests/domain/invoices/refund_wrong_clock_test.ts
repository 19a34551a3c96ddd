import { assertEquals, assertRejects } from "@std/assert";
import { syncInvoice } from "../../../domain/settlement/sync_invoice.ts";
import { refundDueInvoices } from "../../../domain/invoices/refund_invoice.ts";
import { refundSpotlight } from "../../../domain/invoices/refund_spotlight.ts";
import { AUCTION_DAY } from "../../support/auction_world.ts";
import { openPaidDay, type PaidDay } from "../../support/paid_day.ts";

const YEAR_MS = 365 * 86_400_000;
const ORDER = { day: AUCTION_DAY, note: "goodwill" };

/** A service that can't reach the processor, or dies when it asks it. */
function failing(day: PaidDay, how: "refuses" | "dies") {
  return day.world.another((real) => ({
    ...real,
    listRefunds() {
      if (how === "dies") throw new Error("The process is killed");
      return Promise.resolve({ ok: false, code: "no", message: "no" });
    },
  })).services;
}

/** Orders the refund while the clock is a year ahead; then it is right again. */
async function orderedTooLate(day: PaidDay, how: "refuses" | "dies") {
  const { clock } = day.world;
  const rightMs = clock.now();
  clock.advance(YEAR_MS);
  await refundSpotlight(failing(day, how), ORDER).catch(() => {});
  clock.set(new Date(rightMs + 60_000).toISOString());
}

for (const how of ["refuses", "dies"] as const) {
  Deno.test(`a clock that was a year ahead puts no refund off when the processor or process ${how}`, async () => {
    await using day = await openPaidDay();
    await orderedTooLate(day, how);
    await refundDueInvoices(day.world.services);
    assertEquals((await day.invoice()).money, "refunded");
    assertEquals(await day.balance("processor_clearing"), 0);
  });
}

Deno.test("an operator's repeat gives back what a lease of a wrong clock held", async () => {
  await using day = await openPaidDay();
  await orderedTooLate(day, "dies");
  const { money } = await refundSpotlight(day.world.services, ORDER);
  assertEquals(money, "refunded");
});

Deno.test("a refund that breaks off is told once all others were tried", async () => {
  await using day = await openPaidDay();
  const { simulator, clock } = day.world;
  await refundSpotlight(failing(day, "refuses"), ORDER);
  const { id } = await day.voided();
  simulator.control.invoices.payLate(id);
  clock.advance(10_000);
  await syncInvoice(failing(day, "refuses"), id);
  clock.advance(86_400_000);
  const { paymentId } = await day.invoice();
  const { services } = day.world.another((real) => ({
    ...real,
    listRefunds(asked) {
      if (asked === paymentId) throw new TypeError("Broken");
      return real.listRefunds(asked);
    },
  }));
  await assertRejects(() => refundDueInvoices(services), TypeError, "Broken");
  assertEquals((await day.invoice()).money, "refunding");
  assertEquals((await day.voided()).money, "refunded");
});
