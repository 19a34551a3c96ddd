/**
 * `/v1/shared_payment/granted_tokens` and its test helpers.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type {
  Card,
  GrantedToken,
  PaymentMethod,
  SharedCard,
} from "../objects.ts";
import {
  integer,
  nested,
  oneOf,
  type Read,
  required,
  text,
} from "../params.ts";
import { previewRoute, type Route } from "../route.ts";
import { currentToken, deactivate } from "../granted_token.ts";
import { refuseSpent, resolveMethod } from "./payment_methods.ts";

const CREATE_SHAPE = {
  customer: text(255),
  payment_method: required(text(255)),
  seller_details: nested({
    external_id: text(500),
    network_business_profile: text(255),
    network_id: text(255),
  }),
  shared_metadata: metadata(),
  usage_limits: required(nested({
    // Tokens of other currencies show that theirs is looked at.
    currency: required(oneOf("chf", "eur", "gbp", "usd")),
    expires_at: integer(1),
    max_amount: required(integer(1)),
  })),
};

/** Grant and revoke as a buyer's agent would; retrieve as the seller. */
export const grantedTokenRoutes: Route[] = [
  previewRoute(
    "POST",
    "/v1/test_helpers/shared_payment/granted_tokens",
    CREATE_SHAPE,
    create,
  ),
  previewRoute(
    "POST",
    "/v1/test_helpers/shared_payment/granted_tokens/:id/revoke",
    {},
    (call, _, id = "") => revoke(call, id),
  ),
  previewRoute(
    "GET",
    "/v1/shared_payment/granted_tokens/:id",
    {},
    (call, _, id = "") => currentToken(call, id, "id"),
  ),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): GrantedToken {
  const { currency, expires_at = null, max_amount } = params.usage_limits;
  if (expires_at !== null && expires_at <= call.now) {
    throw invalidRequest("The expiration time must be in the future.", {
      param: "usage_limits[expires_at]",
    });
  }
  const method = sharedMethod(call, params);
  const id = call.newId("spt");
  call.put("granted_token_use", {
    id,
    payment_method: method.id,
    seller_details: params.seller_details ?? {},
    holds: {},
  });
  return call.put("granted_token", {
    id,
    object: "shared_payment.granted_token",
    agent_details: null,
    created: call.now,
    deactivated_at: null,
    deactivated_reason: null,
    livemode: false,
    payment_method_details: {
      type: "card",
      billing_details: method.billing_details,
      card: sharedCard(method.card),
    },
    risk_details: null,
    shared_metadata: mergeMetadata({}, params.shared_metadata),
    usage_details: { amount_captured: null },
    usage_limits: { currency, expires_at, max_amount },
  });
}

function revoke(call: Call, id: string): GrantedToken {
  const token = currentToken(call, id, "id");
  if (token.deactivated_reason === null) {
    return deactivate(call, token, "revoked");
  }
  throw invalidRequest(
    `The shared payment token ${id} cannot be revoked: it is deactivated ` +
      `(${token.deactivated_reason}).`,
  );
}

/** The card to be shared: a customer's own, or nobody's. */
function sharedMethod(
  call: Call,
  { payment_method, customer }: Read<typeof CREATE_SHAPE>,
): PaymentMethod {
  if (customer !== undefined) call.get("customer", customer, "customer");
  const method = resolveMethod(call, payment_method, "payment_method");
  if (method.customer === null) {
    refuseSpent(call.get("card_behaviour", method.id));
  } else if (method.customer !== customer) {
    throw invalidRequest(
      `The PaymentMethod ${method.id} belongs to a Customer. Please include ` +
        "that Customer in the `customer` parameter.",
      { param: "customer" },
    );
  }
  return method;
}

function sharedCard(card: Card): SharedCard {
  return {
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    display_brand: card.display_brand,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint,
    funding: card.funding,
    last4: card.last4,
    networks: card.networks,
    wallet: card.wallet,
  };
}
