import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import Stripe from "stripe";
import { payer, refusal, withSimulator } from "./support.ts";

Deno.test("Attaching pm_card_visa makes a new payment method of the customer each time", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create();
    const attach = () =>
      stripe.paymentMethods.attach("pm_card_visa", { customer: id });
    const first = await attach();
    const second = await attach();

    assertMatch(first.id, /^pm_\w{24}$/);
    assertNotEquals(first.id, second.id);
    assertEquals(first.customer, id);
    assertEquals([first.card?.brand, first.card?.last4], ["visa", "4242"]);
    assertEquals(first.card?.fingerprint, second.card?.fingerprint);
    const { data } = await stripe.paymentMethods.list({ customer: id });
    assertEquals(data.map((each) => each.id), [second.id, first.id]);
  }));

Deno.test("Attaching pm_card_mastercard gives another brand and fingerprint", () =>
  withSimulator(async ({ stripe }) => {
    const visa = await payer(stripe, "pm_card_visa");
    const master = await payer(stripe, "pm_card_mastercard");
    const one = await stripe.paymentMethods.retrieve(visa.card);
    const two = await stripe.paymentMethods.retrieve(master.card);

    assertEquals(two.card?.brand, "mastercard");
    assertNotEquals(one.card?.fingerprint, two.card?.fingerprint);
  }));

for (
  const [card, code, declineCode] of [
    ["pm_card_chargeDeclined", "card_declined", "generic_decline"],
    [
      "pm_card_chargeDeclinedInsufficientFunds",
      "card_declined",
      "insufficient_funds",
    ],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", ""],
  ] as const
) {
  Deno.test(`Attaching ${card} is declined with 402 and attaches nothing`, () =>
    withSimulator(async ({ stripe }) => {
      const { id } = await stripe.customers.create();
      const error = await refusal(
        stripe.paymentMethods.attach(card, { customer: id }),
      );

      assertEquals(error instanceof Stripe.errors.StripeCardError, true);
      assertEquals([error.statusCode, error.code], [402, code]);
      assertEquals(error.decline_code, declineCode);
      const { data } = await stripe.paymentMethods.list({ customer: id });
      assertEquals(data, []);
    }));
}

Deno.test("Attaching pm_card_chargeCustomerFail succeeds, charging it is declined", () =>
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
    assertEquals(error.decline_code, "generic_decline");
  }));

Deno.test("Attaching another customer's card is refused", () =>
  withSimulator(async ({ stripe }) => {
    const { card } = await payer(stripe);
    const other = await stripe.customers.create();
    const error = await refusal(
      stripe.paymentMethods.attach(card, { customer: other.id }),
    );
    assertEquals(error.code, "payment_method_unexpected_state");
  }));

Deno.test("Detaching takes the card from its customer, also as the default, for good", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: card },
    });

    const detached = await stripe.paymentMethods.detach(card);
    assertEquals(detached.customer, null);
    const owner = await stripe.customers.retrieve(customer);
    assertEquals(
      owner.deleted ? "" : owner.invoice_settings.default_payment_method,
      null,
    );
    const { data } = await stripe.paymentMethods.list({ customer });
    assertEquals(data, []);
    const again = await refusal(
      stripe.paymentMethods.attach(card, { customer }),
    );
    assertEquals(again.code, "payment_method_unexpected_state");
  }));

Deno.test("Detaching a card twice is refused", () =>
  withSimulator(async ({ stripe }) => {
    const { card } = await payer(stripe);
    await stripe.paymentMethods.detach(card);
    const error = await refusal(stripe.paymentMethods.detach(card));
    assertEquals(error.code, "payment_method_unexpected_state");
  }));

Deno.test("setCard() makes an attached card fail from now on", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { customer, card } = await payer(stripe);
    const pay = () =>
      stripe.paymentIntents.create({
        amount: 500,
        currency: "eur",
        customer,
        payment_method: card,
        off_session: true,
        confirm: true,
      });
    assertEquals((await pay()).status, "succeeded");

    sim.control.setCard(card, "decline:insufficient_funds");
    assertEquals((await refusal(pay())).decline_code, "insufficient_funds");
  }));
