import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import { payer, refusal, withSimulator } from "./support.ts";

async function paidIntent(stripe: Stripe): Promise<Stripe.PaymentIntent> {
  const { customer, card } = await payer(stripe);
  return await stripe.paymentIntents.create({
    amount: 1_000,
    currency: "eur",
    customer,
    payment_method: card,
    off_session: true,
    confirm: true,
  });
}

Deno.test("POST /v1/refunds gives back the whole charge of an intent", () =>
  withSimulator(async ({ sim, stripe }) => {
    const intent = await paidIntent(stripe);
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      reason: "requested_by_customer",
      metadata: { why: "passed over" },
    });
    assertEquals([refund.status, refund.amount], ["succeeded", 1_000]);
    assertEquals(refund.metadata, { why: "passed over" });
    const charge = await stripe.charges.retrieve(String(refund.charge));
    assertEquals([charge.refunded, charge.amount_refunded], [true, 1_000]);
    const [summary] = sim.control.state().customers;
    assertEquals([summary?.charged, summary?.refunded], [1_000, 1_000]);
  }));

Deno.test("POST /v1/refunds gives back parts until nothing is left", () =>
  withSimulator(async ({ stripe }) => {
    const { latest_charge } = await paidIntent(stripe);
    const charge = String(latest_charge);
    await stripe.refunds.create({ charge, amount: 400 });
    const tooMuch = await refusal(
      stripe.refunds.create({ charge, amount: 601 }),
    );
    assertEquals([tooMuch.statusCode, tooMuch.param], [400, "amount"]);
    await stripe.refunds.create({ charge, amount: 600 });

    const error = await refusal(stripe.refunds.create({ charge }));
    assertEquals(error.code, "charge_already_refunded");
    const { data } = await stripe.refunds.list({ charge });
    assertEquals(data.map(({ amount }) => amount), [600, 400]);
  }));

Deno.test("POST /v1/refunds refuses an intent without a successful charge", () =>
  withSimulator(async ({ stripe }) => {
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
    });
    const error = await refusal(
      stripe.refunds.create({ payment_intent: intent.id }),
    );
    assertEquals(error.statusCode, 400);
    assertEquals((await stripe.refunds.list()).data, []);
  }));

Deno.test("POST /v1/refunds expands the charge", () =>
  withSimulator(async ({ stripe }) => {
    const intent = await paidIntent(stripe);
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      expand: ["charge"],
    });
    assertEquals((refund.charge as Stripe.Charge).refunded, true);
  }));
