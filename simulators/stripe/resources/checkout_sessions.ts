/**
 * `/v1/checkout/sessions`, mode `setup`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { currentCheckout, expireCheckout, newCheckout } from "../checkout.ts";
import { invalidRequest } from "../errors.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { CheckoutSession } from "../objects.ts";
import {
  currency,
  inert,
  integer,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
  url,
} from "../params.ts";
import { type Route, route } from "../route.ts";

/** Between which times after its creation a session expires (Stripe API). */
const SHORTEST_S = 30 * 60;
const LONGEST_S = 24 * 60 * 60;

const CREATE_SHAPE = {
  allowed_payment_method_types: list(oneOf("card")),
  cancel_url: url(),
  client_reference_id: text(200),
  currency: currency(),
  customer: text(255),
  expires_at: integer(),
  locale: text(10),
  metadata: metadata(),
  mode: required(oneOf("setup")),
  setup_intent_data: nested({
    description: text(1_000),
    metadata: metadata(),
  }),
  success_url: required(url()),
  ui_mode: inert("hosted_page"),
};

/** Create, retrieve and expire sessions. */
export const checkoutSessionRoutes: Route[] = [
  route("POST", "/v1/checkout/sessions", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/checkout/sessions/:id",
    {},
    (call, _, id = "") => currentCheckout(call, id),
  ),
  route("POST", "/v1/checkout/sessions/:id/expire", {}, expire),
];

function create(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): CheckoutSession {
  const types = params.allowed_payment_method_types;
  if (types === undefined && params.currency === undefined) {
    throw invalidRequest(
      "You must specify `currency` in `setup` mode when " +
        "`allowed_payment_method_types` is not set.",
      { code: "parameter_missing", param: "currency" },
    );
  }
  const data = params.setup_intent_data;
  const given = params.customer;
  return newCheckout(call, {
    allowed_payment_method_types: types ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    currency: params.currency ?? null,
    customer: given === undefined
      ? null
      : call.get("customer", given, "customer").id,
    expires_at: expiry(call, params.expires_at),
    locale: params.locale ?? null,
    metadata: mergeMetadata({}, params.metadata),
    success_url: params.success_url,
    intent: {
      allowed_payment_method_types: types ?? null,
      description: data?.description ?? null,
      metadata: mergeMetadata({}, data?.metadata),
    },
  });
}

function expiry({ now }: Call, given: number | undefined): number {
  const at = given ?? now + LONGEST_S;
  if (at >= now + SHORTEST_S && at <= now + LONGEST_S) return at;
  throw invalidRequest(
    "The `expires_at` timestamp must be between 30 minutes and 24 hours from " +
      "Checkout Session creation.",
    { param: "expires_at" },
  );
}

function expire(call: Call, _: unknown, id = ""): CheckoutSession {
  const session = currentCheckout(call, id);
  if (session.status === "open") return expireCheckout(call, session);
  throw invalidRequest(
    'Only Checkout Sessions with a status in ["open"] can be expired. This ' +
      `Checkout Session has a status of ${session.status}.`,
  );
}
