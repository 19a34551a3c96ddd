/**
 * `/v1/payment_methods`.
 *
 * @module
 */

import { billingDetails } from "../address.ts";
import type { Call } from "../call.ts";
import { attachRefusal, testCardName } from "../cards.ts";
import { ApiError, invalidRequest, resourceMissing } from "../errors.ts";
import { listPage, PAGING } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { CardBehaviour, PaymentMethod } from "../objects.ts";
import { nested, oneOf, type Read, required, text } from "../params.ts";
import { newPaymentMethod, NO_DETAILS } from "../payment_method.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const ALLOW_REDISPLAY = oneOf("always", "limited", "unspecified");

const CREATE_SHAPE = {
  allow_redisplay: ALLOW_REDISPLAY,
  billing_details: billingDetails(),
  card: required(nested({ token: required(text(255)) })),
  metadata: metadata(),
  type: required(oneOf("card")),
};

const UPDATE_SHAPE = {
  allow_redisplay: ALLOW_REDISPLAY,
  billing_details: billingDetails(),
  metadata: metadata(),
};

const LIST_SHAPE = {
  ...PAGING,
  customer: required(text(255)),
  type: oneOf("card"),
};

const BY_CUSTOMER_SHAPE = { ...PAGING, type: oneOf("card") };

/** Create, retrieve, update, list, attach and detach cards. */
export const paymentMethodRoutes: Route[] = [
  route("POST", "/v1/payment_methods", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/payment_methods",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "payment_method", "/v1/payment_methods", params, {
        filed: ["customer", call.customer(params.customer, "customer").id],
      }),
  ),
  retrieveRoute("/v1/payment_methods/:id", "payment_method"),
  route("POST", "/v1/payment_methods/:id", UPDATE_SHAPE, update),
  route(
    "POST",
    "/v1/payment_methods/:id/attach",
    { customer: required(text(255)) },
    (call, { customer }, id = "") =>
      attach(call, id, call.customer(customer, "customer").id, "id"),
  ),
  route(
    "POST",
    "/v1/payment_methods/:id/detach",
    {},
    (call, _, id = "") => detach(call, id),
  ),
  route(
    "GET",
    "/v1/customers/:id/payment_methods",
    BY_CUSTOMER_SHAPE,
    (call, params, id = "") =>
      listPage(
        call,
        "payment_method",
        `/v1/customers/${id}/payment_methods`,
        params,
        { filed: ["customer", call.customer(id).id] },
      ),
  ),
  route(
    "GET",
    "/v1/customers/:id/payment_methods/:method",
    {},
    (call, _, id = "", method = "") =>
      ownedMethod(call, method, call.customer(id).id, "id"),
  ),
];

/**
 * The payment method behind an id. A documented test id like `pm_card_visa`
 * makes a new one each time.
 *
 * @throws {ApiError} `resource_missing`
 */
export function resolveMethod(
  call: Call,
  id: string,
  param: string,
): PaymentMethod {
  const card = id.startsWith("pm_card_") ? testCardName(id) : null;
  if (card === null) return call.get("payment_method", id, param);
  return newPaymentMethod(call, card);
}

/**
 * A payment method attached to this customer.
 *
 * @throws {ApiError} `resource_missing` when it is another's or nobody's
 */
export function ownedMethod(
  call: Call,
  id: string,
  customer: string,
  param: string,
): PaymentMethod {
  const method = call.find("payment_method", id);
  if (method !== undefined && method.customer === customer) return method;
  throw new ApiError(param === "id" ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `The customer does not have a payment method with the ID ${id}. ` +
      "The payment method must be attached to the customer.",
  });
}

/**
 * Attaches a payment method to a customer, who exists.
 *
 * @throws {ApiError} 402 for a card that can not be attached, 400 when it is
 * another's
 */
export function attach(
  call: Call,
  id: string,
  customer: string,
  param: string,
): PaymentMethod {
  const method = resolveMethod(call, id, param);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalidRequest(
      "The payment method you provided has already been attached to a " +
        "customer.",
      { code: "payment_method_unexpected_state", param: "payment_method" },
    );
  }
  const behaviour = call.get("card_behaviour", method.id);
  refuseSpent(behaviour);
  const refusal = attachRefusal(behaviour);
  if (refusal !== null) throw new ApiError(402, refusal);
  const attached = call.put("payment_method", { ...method, customer });
  call.emit("payment_method.attached", attached);
  return attached;
}

/**
 * Takes a payment method from its customer.
 *
 * @throws {ApiError} 400 when it is attached to nobody
 */
export function detach(call: Call, id: string): PaymentMethod {
  const method = call.get("payment_method", id);
  const owner = method.customer === null
    ? undefined
    : call.find("customer", method.customer);
  if (owner === undefined) {
    throw invalidRequest(
      "The payment method you provided is not attached to a customer so " +
        "detachment is impossible.",
      { code: "payment_method_unexpected_state", param: "payment_method" },
    );
  }
  if (owner.invoice_settings.default_payment_method === id) {
    const { invoice_settings } = owner;
    call.put("customer", {
      ...owner,
      invoice_settings: { ...invoice_settings, default_payment_method: null },
    });
  }
  call.put("card_behaviour", {
    ...call.get("card_behaviour", id),
    spent: true,
  });
  const detached = call.put("payment_method", { ...method, customer: null });
  call.emit("payment_method.detached", detached);
  return detached;
}

/**
 * Refuses a card that was detached, or used without a customer.
 *
 * @throws {ApiError} 400 `payment_method_unexpected_state`
 */
export function refuseSpent({ id, spent }: CardBehaviour): void {
  if (!spent) return;
  throw invalidRequest(
    `The provided PaymentMethod (${id}) was previously used without being ` +
      "attached to a Customer or was detached from a Customer, and may not " +
      "be used again.",
    { code: "payment_method_unexpected_state", param: "payment_method" },
  );
}

function create(call: Call, params: Read<typeof CREATE_SHAPE>): PaymentMethod {
  const { token } = params.card;
  const card = token.startsWith("tok_") ? testCardName(token) : null;
  if (card === null) throw resourceMissing("token", token, "card[token]");
  return newPaymentMethod(call, card, {
    allow_redisplay: params.allow_redisplay ?? "unspecified",
    billing_details: params.billing_details ?? NO_DETAILS,
    metadata: mergeMetadata({}, params.metadata),
  });
}

function update(
  call: Call,
  params: Read<typeof UPDATE_SHAPE>,
  id = "",
): PaymentMethod {
  const old = call.get("payment_method", id);
  if (old.customer === null) {
    throw invalidRequest(
      "You must save this PaymentMethod to a customer before you can update " +
        "it.",
    );
  }
  const method = call.put("payment_method", {
    ...old,
    allow_redisplay: params.allow_redisplay ?? old.allow_redisplay,
    billing_details: params.billing_details ?? old.billing_details,
    metadata: mergeMetadata(old.metadata, params.metadata),
  });
  call.emit("payment_method.updated", method, old);
  return method;
}
