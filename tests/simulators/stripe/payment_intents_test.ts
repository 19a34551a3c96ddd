import { assertEquals, assertExists } from "@std/assert";
import Stripe from "stripe";
import { openOver, payer, refusal, withSimulator } from "./support.ts";

Deno.test("POST /v1/payment_intents with confirm takes the money off-session", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const intent = await stripe.paymentIntents.create({
      amount: 12_345,
      currency: "eur",
      customer,
      payment_method: card,
      off_session: true,
      confirm: true,
      metadata: { day: "2026-11-20" },
      expand: ["latest_charge"],
    });

    assertEquals([intent.status, intent.amount_received], [
      "succeeded",
      12_345,
    ]);
    const charge = intent.latest_charge as Stripe.Charge;
    assertEquals([charge.paid, charge.amount_captured], [true, 12_345]);
    assertEquals(charge.metadata, { day: "2026-11-20" });
    assertEquals(charge.payment_intent, intent.id);
  }));

Deno.test("A declined payment answers 402 with the intent, which waits for another card", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_chargeCustomerFail",
    );
    const error = await refusal(stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      off_session: true,
      confirm: true,
    }));

    assertEquals(error instanceof Stripe.errors.StripeCardError, true);
    assertEquals([error.statusCode, error.code], [402, "card_declined"]);
    assertExists(error.payment_intent);
    assertEquals(
      error.doc_url,
      "https://stripe.com/docs/error-codes/card-declined",
    );
    const intent = await stripe.paymentIntents.retrieve(
      error.payment_intent.id,
    );
    assertEquals(intent.status, "requires_payment_method");
    assertEquals(intent.last_payment_error?.decline_code, "generic_decline");
    assertEquals(intent.payment_method, null);
    const charges = await stripe.charges.list({ payment_intent: intent.id });
    assertEquals(charges.data.map(({ status }) => status), ["failed"]);
  }));

Deno.test("An off-session payment that needs authentication is declined", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_authenticationRequired",
    );
    const error = await refusal(stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      off_session: true,
      confirm: true,
    }));
    assertEquals(error.statusCode, 402);
    assertEquals(error.code, "authentication_required");
    assertEquals(error.decline_code, "authentication_required");
    assertEquals(error.payment_intent?.status, "requires_payment_method");
  }));

Deno.test("An on-session payment that needs authentication waits for the payer", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_authenticationRequired",
    );
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      confirm: true,
      return_url: "https://example.com/back",
    });
    assertEquals(intent.status, "requires_action");
    assertEquals(intent.next_action?.type, "redirect_to_url");

    assertEquals(sim.control.resolvePayment(intent.id, "succeed"), "succeeded");
    const paid = await stripe.paymentIntents.retrieve(intent.id);
    assertEquals([paid.status, paid.next_action], ["succeeded", null]);
  }));

Deno.test("A payer who fails to authenticate leaves the intent without a card", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_authenticationRequired",
    );
    const { id } = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      confirm: true,
    });
    sim.control.resolvePayment(id, "fail");
    const intent = await stripe.paymentIntents.retrieve(id);
    assertEquals(intent.status, "requires_payment_method");
    assertEquals(
      intent.last_payment_error?.code,
      "payment_intent_authentication_failure",
    );
  }));

Deno.test("error_on_requires_action declines instead of waiting for the payer", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(
      stripe,
      "pm_card_authenticationRequired",
    );
    const error = await refusal(stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
      payment_method: card,
      confirm: true,
      error_on_requires_action: true,
    }));
    assertEquals(error.code, "authentication_required");
  }));

for (
  const [amount, code] of [
    [100_000_000, "amount_too_large"],
    [49, "amount_too_small"],
  ] as const
) {
  Deno.test(`POST /v1/payment_intents refuses ${amount} cents as ${code}`, () =>
    withSimulator(async ({ stripe }) => {
      const error = await refusal(
        stripe.paymentIntents.create({ amount, currency: "eur" }),
      );
      assertEquals([error.statusCode, error.code], [400, code]);
      assertEquals(error.param, "amount");
    }));
}

Deno.test("POST /v1/payment_intents takes 50 and 99,999,999 cents", () =>
  withSimulator(async ({ stripe }) => {
    for (const amount of [50, 99_999_999]) {
      const { status } = await stripe.paymentIntents.create({
        amount,
        currency: "eur",
      });
      assertEquals(status, "requires_payment_method");
    }
  }));

Deno.test("POST /v1/payment_intents refuses payment_method_types, which this version removed", () =>
  withSimulator(async ({ stripe }) => {
    const params = {
      amount: 500,
      currency: "eur",
      payment_method_types: ["card"],
    };
    const error = await refusal(stripe.paymentIntents.create(params));
    assertEquals([error.statusCode, error.code], [400, "parameter_unknown"]);
    assertEquals(error.param, "payment_method_types");
  }));

Deno.test("POST /v1/payment_intents refuses a card of another customer", () =>
  withSimulator(async ({ stripe }) => {
    const { card } = await payer(stripe);
    const other = await payer(stripe);
    const error = await refusal(stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer: other.customer,
      payment_method: card,
      confirm: true,
    }));
    assertEquals([error.statusCode, error.param], [400, "payment_method"]);
  }));

Deno.test("POST …/cancel cancels an intent once", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
    });
    const canceled = await stripe.paymentIntents.cancel(id, {
      cancellation_reason: "abandoned",
    });
    assertEquals(canceled.status, "canceled");
    assertEquals(canceled.cancellation_reason, "abandoned");

    const again = await refusal(stripe.paymentIntents.cancel(id));
    assertEquals(again.code, "payment_intent_unexpected_state");
  }));

Deno.test("POST …/cancel refuses the intent of an invoice", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    const invoice = await openOver(stripe, customer, 500);
    const { data: [payment] } = await stripe.invoicePayments.list({
      invoice: invoice.id,
    });
    const error = await refusal(
      stripe.paymentIntents.cancel(String(payment?.payment.payment_intent)),
    );
    assertEquals(error.code, "payment_intent_unexpected_state");
    assertEquals((await stripe.invoices.retrieve(invoice.id)).status, "open");
  }));

Deno.test("GET /v1/payment_intents lists a customer's, newest first", () =>
  withSimulator(async ({ stripe }) => {
    const { customer } = await payer(stripe);
    await stripe.paymentIntents.create({ amount: 500, currency: "eur" });
    const one = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer,
    });
    const two = await stripe.paymentIntents.create({
      amount: 600,
      currency: "eur",
      customer,
    });
    const { data } = await stripe.paymentIntents.list({ customer });
    assertEquals(data.map(({ id }) => id), [two.id, one.id]);
  }));

Deno.test("GET /v1/charges/{id} is 404 for an unknown id", () =>
  withSimulator(async ({ stripe }) => {
    const error = await refusal(stripe.charges.retrieve("ch_unknown"));
    assertEquals([error.statusCode, error.code], [404, "resource_missing"]);
    assertEquals(error.param, "id");
  }));
