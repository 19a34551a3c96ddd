import { assert, assertEquals } from "@std/assert";
import Stripe from "stripe";
import {
  chargeToken,
  grantToken,
  PREVIEW,
  raw,
  refusal,
  revokeToken,
  seeToken,
  withSimulator,
} from "./support.ts";

/** Error of a call that a token does not allow. */
async function notUsable(
  call: Promise<unknown>,
  reason: string,
): Promise<void> {
  const error = await refusal(call);
  assert(error instanceof Stripe.errors.StripeInvalidRequestError);
  assertEquals(error.statusCode, 400);
  assertEquals(
    error.param,
    "payment_method_data[shared_payment_granted_token]",
  );
  assertEquals(error.message.split("cannot be used: ")[1], `${reason}.`);
}

Deno.test("A token pays a payment at once, of which charge and card tell", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await grantToken(stripe, { card: "pm_card_fr" });
    const intent = await chargeToken(stripe, id, {
      metadata: { purpose: "metrics" },
      expand: ["latest_charge", "payment_method"],
    });

    assertEquals([intent.status, intent.amount_received], ["succeeded", 100]);
    assertEquals(intent.automatic_payment_methods, {
      enabled: true,
      allow_redirects: "never",
    });
    const charge = intent.latest_charge as Stripe.Charge;
    assertEquals([charge.paid, charge.amount_captured], [true, 100]);
    assertEquals(charge.metadata, { purpose: "metrics" });
    const card = charge.payment_method_details?.card;
    assertEquals([card?.country, card?.last4], ["FR", "0003"]);
    const token = await seeToken(stripe, id);
    assertEquals(token.usage_details.amount_captured, {
      currency: "eur",
      value: 100,
    });
  }));

Deno.test("The payment method of a token is a card of its own without its holder's data", () =>
  withSimulator(async ({ stripe }) => {
    const owner = await stripe.customers.create({ name: "Erika Mustermann" });
    const source = await stripe.paymentMethods.attach("pm_card_visa", {
      customer: owner.id,
    });
    const { id } = await grantToken(stripe, {
      card: source.id,
      customer: owner.id,
    });
    const intent = await chargeToken(stripe, id, {
      expand: ["payment_method", "latest_charge"],
    });

    const clone = intent.payment_method as Stripe.PaymentMethod & {
      shared_payment_granted_token: string;
    };
    assertEquals(clone.shared_payment_granted_token, id);
    assertEquals([clone.customer, clone.metadata], [null, {}]);
    assertEquals(clone.card?.last4, source.card?.last4);
    assert(clone.id !== source.id);
    assertEquals(JSON.stringify(intent).includes("rika"), false);
    const kept = await stripe.paymentMethods.retrieve(source.id);
    assertEquals("shared_payment_granted_token" in kept, false);
  }));

Deno.test("Both spellings of the token pay: in the payment method's data and, older, by itself", () =>
  withSimulator(async ({ stripe }) => {
    const newer = await grantToken(stripe);
    assertEquals((await chargeToken(stripe, newer.id)).status, "succeeded");
    const typed = await grantToken(stripe);
    const withType = await chargeToken(stripe, typed.id, {
      payment_method_data: {
        type: "card",
        shared_payment_granted_token: typed.id,
      } as never,
    });
    assertEquals(withType.status, "succeeded");
    const older = await grantToken(stripe);
    const params = {
      amount: 100,
      currency: "eur",
      confirm: true,
      shared_payment_granted_token: older.id,
    };
    const intent = await stripe.paymentIntents.create(params, PREVIEW);
    assertEquals(intent.status, "succeeded");
  }));

for (
  const [spelling, param] of [
    [
      "payment_method_data[shared_payment_granted_token]",
      "payment_method_data[shared_payment_granted_token]",
    ],
    ["shared_payment_granted_token", "shared_payment_granted_token"],
  ] as const
) {
  Deno.test(`${spelling} is no parameter of a released version of the API`, () =>
    withSimulator(async ({ stripe, sim }) => {
      const { id } = await grantToken(stripe);
      const body = `amount=100&currency=eur&confirm=true&${spelling}=${id}`;
      const path = "/v1/payment_intents";
      const response = await raw(sim, "POST", path, body, {
        "idempotency-key": "k",
      });
      assertEquals(response.status, 400);
      const { error } = await response.json();
      assertEquals(error.type, "invalid_request_error");
      assertEquals([error.code, error.param], ["parameter_unknown", param]);
      assertEquals(sim.control.objects("payment_intent"), []);

      const again = await raw(sim, "POST", path, body, {
        "idempotency-key": "k",
        "stripe-version": PREVIEW.apiVersion,
      });
      assertEquals((await again.json()).status, "succeeded", "was not saved");
    }));
}

for (
  const [what, body, param] of [
    [
      "two spellings",
      "payment_method_data[shared_payment_granted_token]=ID&shared_payment_granted_token=ID&confirm=true",
      undefined,
    ],
    [
      "another card beside it",
      "shared_payment_granted_token=ID&payment_method=pm_card_visa&confirm=true",
      undefined,
    ],
    ["no confirmation", "shared_payment_granted_token=ID", "confirm"],
    [
      "data of another kind",
      "payment_method_data[type]=card&confirm=true",
      "payment_method_data[shared_payment_granted_token]",
    ],
    [
      "an empty token",
      "shared_payment_granted_token=&confirm=true",
      "shared_payment_granted_token",
    ],
  ] as const
) {
  Deno.test(`A payment with a token and ${what} is refused and charges nothing`, () =>
    withSimulator(async ({ stripe, sim }) => {
      const { id } = await grantToken(stripe);
      const response = await raw(
        sim,
        "POST",
        "/v1/payment_intents",
        `amount=100&currency=eur&${body.replaceAll("ID", id)}`,
        { "stripe-version": PREVIEW.apiVersion },
      );
      assertEquals(response.status, 400);
      const { error } = await response.json();
      assertEquals([error.type, error.param], ["invalid_request_error", param]);
      assertEquals(sim.control.objects("payment_intent"), []);
    }));
}

Deno.test("A token that nobody granted is refused as missing", () =>
  withSimulator(async ({ stripe }) => {
    const error = await refusal(chargeToken(stripe, "spt_unknown"));
    assertEquals([error.statusCode, error.code], [400, "resource_missing"]);
    assertEquals(
      error.param,
      "payment_method_data[shared_payment_granted_token]",
    );
  }));

Deno.test("A token takes no payment in another currency, over its amount, after its time or once revoked", () =>
  withSimulator(async ({ stripe, sim, clock }) => {
    const dollars = await grantToken(stripe, { currency: "usd" });
    await notUsable(
      chargeToken(stripe, dollars.id),
      "it is limited to payments in usd",
    );
    const small = await grantToken(stripe, { maxAmount: 99 });
    await notUsable(
      chargeToken(stripe, small.id),
      "at most 99 may still be captured with it",
    );
    const revoked = await grantToken(stripe);
    await revokeToken(stripe, revoked.id);
    await notUsable(chargeToken(stripe, revoked.id), "it has been revoked");
    const expiresAt = clock.nowMs / 1_000 + 60;
    const short = await grantToken(stripe, { expiresAt });
    clock.advance(60_000);
    await notUsable(chargeToken(stripe, short.id), "it has expired");

    assertEquals(sim.control.objects("payment_intent"), []);
    assertEquals(sim.control.objects("charge"), []);
    assertEquals(
      (await seeToken(stripe, short.id)).deactivated_reason,
      "expired",
    );
  }));

Deno.test("A token pays up to the last millisecond of its time", () =>
  withSimulator(async ({ stripe, clock }) => {
    const expiresAt = clock.nowMs / 1_000 + 60;
    const { id } = await grantToken(stripe, { expiresAt });
    clock.advance(59_999);
    assertEquals((await chargeToken(stripe, id)).status, "succeeded");
  }));

Deno.test("A token is consumed once its amount is captured, not before", () =>
  withSimulator(async ({ stripe, clock }) => {
    const { id } = await grantToken(stripe, { maxAmount: 250 });
    await chargeToken(stripe, id);
    assertEquals((await seeToken(stripe, id)).deactivated_at, null);
    await notUsable(
      chargeToken(stripe, id, { amount: 151 }),
      "at most 150 may still be captured with it",
    );
    await chargeToken(stripe, id, { amount: 150 });
    const token = await seeToken(stripe, id);
    assertEquals(
      [token.deactivated_reason, token.deactivated_at],
      ["consumed", clock.nowMs / 1_000],
    );
    assertEquals(token.usage_details.amount_captured?.value, 250);
    await notUsable(chargeToken(stripe, id), "it has been consumed");
  }));

Deno.test("A declined attempt answers 402 with the payment and leaves the token as it was", () =>
  withSimulator(async ({ stripe, sim }) => {
    const { id } = await grantToken(stripe);
    sim.control.addFault({ kind: "decline", decline_code: "lost_card" });
    const error = await refusal(chargeToken(stripe, id));
    assert(error instanceof Stripe.errors.StripeCardError);
    assertEquals([error.statusCode, error.code, error.decline_code], [
      402,
      "card_declined",
      "lost_card",
    ]);
    const intent = error.payment_intent;
    assertEquals(intent?.status, "requires_payment_method");
    assertEquals(intent?.last_payment_error?.decline_code, "lost_card");
    assertEquals((await seeToken(stripe, id)).usage_details, {
      amount_captured: null,
    });

    assertEquals((await chargeToken(stripe, id)).status, "succeeded");
  }));

Deno.test("A card that is declined is declined behind a token as well", () =>
  withSimulator(async ({ stripe }) => {
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
      const { id } = await grantToken(stripe, { card });
      const error = await refusal(chargeToken(stripe, id));
      assertEquals([error.code, error.decline_code], [code, declineCode]);
    }
  }));
