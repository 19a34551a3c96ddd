import { assertEquals, assertThrows } from "@std/assert";
import type Stripe from "stripe";
import { eventsOf, movements } from "./money.ts";
import {
  type Bench,
  draftOver,
  openOver,
  payer,
  refusal,
  withSimulator,
} from "./support.ts";

/** An invoice voided while its payment was processing. */
async function voidedWhileProcessing(
  { sim, stripe }: Bench,
): Promise<{ id: string; payment: string }> {
  const { customer, card } = await payer(stripe);
  const { id } = await openOver(stripe, customer, 500);
  sim.control.addFault({ kind: "processing" });
  await stripe.invoices.pay(id, { payment_method: card });
  const refused = await refusal(stripe.invoices.voidInvoice(id));
  assertEquals(refused.code, "payment_intent_unexpected_state");
  sim.control.invoices.voidAnyway(id);
  return { id, payment: await paymentOf(stripe, id) };
}

async function paymentOf(stripe: Stripe, invoice: string): Promise<string> {
  const { data } = await stripe.invoicePayments.list({ invoice });
  return String(data[0]?.payment.payment_intent);
}

Deno.test("a payment of a voided invoice that comes late takes the money and leaves it void", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer } = await payer(stripe, "pm_card_visa");
    const { id } = await openOver(stripe, customer, 500);
    await stripe.invoices.voidInvoice(id);
    const late = sim.control.invoices.payLate(id);
    const payment = await stripe.paymentIntents.retrieve(late.id);
    assertEquals([payment.status, payment.amount_received], ["succeeded", 500]);
    const invoice = await stripe.invoices.retrieve(id, {
      expand: ["payments"],
    });
    assertEquals([invoice.status, invoice.amount_paid, invoice.total], [
      "void",
      500,
      500,
    ]);
    assertEquals(invoice.payments?.data[0]?.status, "paid");
    const story = await eventsOf(stripe, "invoice", "payment_intent", "charge");
    assertEquals(story.slice(-6), [
      "payment_intent.canceled",
      "invoice.voided",
      "charge.succeeded",
      "payment_intent.succeeded",
      "invoice.updated",
      "invoice_payment.paid",
    ]);
    await stripe.refunds.create({ payment_intent: late.id });
    assertEquals(await movements(stripe), [
      ["charge", 500, 0],
      ["refund", -500, 0],
    ]);
    assertThrows(() => sim.control.invoices.payLate(id), RangeError);
  }));

Deno.test("a payment that was processing when its invoice was voided may succeed after", () =>
  withSimulator(async (bench) => {
    const { sim, stripe } = bench;
    const { id, payment } = await voidedWhileProcessing(bench);
    assertEquals(
      (await stripe.paymentIntents.retrieve(payment)).status,
      "processing",
    );
    sim.control.resolvePayment(payment, "succeed");
    const invoice = await stripe.invoices.retrieve(id);
    assertEquals([invoice.status, invoice.amount_paid], ["void", 500]);
    assertEquals(sim.control.state().customers[0]?.charged, 500);
  }));

Deno.test("a payment that was processing when its invoice was voided may fail after, and nobody hears of the invoice", () =>
  withSimulator(async (bench) => {
    const { sim, stripe } = bench;
    const { id, payment } = await voidedWhileProcessing(bench);
    sim.control.resolvePayment(payment, "fail");
    const invoice = await stripe.invoices.retrieve(id);
    assertEquals([invoice.status, invoice.amount_paid], ["void", 0]);
    const types = await eventsOf(stripe, "invoice", "payment_intent");
    assertEquals(types.slice(-2), [
      "invoice.voided",
      "payment_intent.payment_failed",
    ]);
  }));

Deno.test("a declined card of a voided invoice is the one that pays late", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    await stripe.paymentMethods.attach("pm_card_visa", { customer });
    const { id } = await openOver(stripe, customer, 500);
    await refusal(stripe.invoices.pay(id, { payment_method: card }));
    await stripe.invoices.voidInvoice(id);
    const { latest_charge } = sim.control.invoices.payLate(id);
    const charge = await stripe.charges.retrieve(String(latest_charge));
    assertEquals([charge.payment_method, charge.paid], [card, true]);
  }));

Deno.test("only a voided invoice is paid late, only an open one voided anyway", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { invoices } = sim.control;
    const { customer } = await payer(stripe);
    const draft = await draftOver(stripe, customer, 500);
    const open = await openOver(stripe, customer, 500);
    for (const id of [draft.id, open.id, "in_none"]) {
      assertThrows(() => invoices.payLate(id), RangeError);
    }
    assertThrows(() => invoices.voidAnyway(draft.id), RangeError);
    invoices.voidAnyway(open.id);
    assertThrows(() => invoices.voidAnyway(open.id), RangeError);
  }));

Deno.test("a draft that can't be made final says why, on itself and in an event", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const { id } = await draftOver(stripe, customer, 99_999_999);
    await stripe.invoiceItems.create({
      customer,
      invoice: id,
      amount: 1,
      currency: "eur",
    });
    const refused = await refusal(stripe.invoices.finalizeInvoice(id));
    assertEquals([refused.statusCode, refused.code], [400, "amount_too_large"]);
    const draft = await stripe.invoices.retrieve(id);
    assertEquals([draft.status, draft.number], ["draft", null]);
    assertEquals(draft.last_finalization_error?.code, "amount_too_large");
    const types = await eventsOf(stripe, "invoice.final");
    assertEquals(types, ["invoice.finalization_failed"]);
    const next = await openOver(stripe, customer, 500);
    assertEquals(next.number, "SIM-0001");
  }));
