import { assertEquals } from "@std/assert";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { refundInvoiceRest } from "../../../domain/invoices/refund_invoice_rest.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { openPaidDay } from "../../support/paid_day.ts";

/** What a bank holds, cents. */
const PART = 300;

/** A late payment that a bank holds a part of, with what differs of it. */
async function attempt(changes: Partial<Invoice>) {
  await using day = await openPaidDay();
  const { services, simulator } = day.world;
  const { control } = simulator;
  const { id } = await day.voided();
  const payment = control.invoices.payLate(id);
  const dispute = control.disputes.open(payment.id, { amount: PART });
  await syncDispute(services, dispute.id);
  const invoice = await day.voided();
  assertEquals([invoice.money, invoice.disputedCents], ["refunding", PART]);
  control.clearRequests();
  const { trouble } = await refundInvoiceRest(services, {
    ...invoice,
    ...changes,
  });
  const asked = control.requests()
    .filter(({ method }) => method === "POST")
    .map(({ path }) => path);
  return { trouble, asked };
}

Deno.test("refundInvoiceRest() asks the processor for nothing while a bank holds a part, a cent even", async () => {
  for (const disputedCents of [PART, 1]) {
    const waiting = { trouble: "dispute_open", asked: [] };
    assertEquals(await attempt({ disputedCents }), waiting);
  }
});

Deno.test("refundInvoiceRest() only looks once giving back has failed for good", async () => {
  const failed = await attempt({
    money: "refund_failed",
    disputedCents: 0,
    refundTrouble: "expired_or_canceled_card",
  });
  const told = { trouble: "expired_or_canceled_card", asked: [] };
  assertEquals(failed, told);
});

Deno.test("refundInvoiceRest() asks for no refund of nothing", async () => {
  const gone = await attempt({ disputedCents: 0, lostCents: 1_000_000 });
  assertEquals(gone, { trouble: null, asked: [] });
});

Deno.test("refundInvoiceRest() asks for the rest once no bank holds any", async () => {
  const { asked } = await attempt({ disputedCents: 0 });
  assertEquals(asked, ["/v1/refunds"]);
});
