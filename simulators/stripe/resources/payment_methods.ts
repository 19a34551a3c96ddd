/**
 * `/v1/payment_methods`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { attachRefusal, testCardName } from "../cards.ts";
import { ApiError, invalidRequest } from "../errors.ts";
import { listPage, PAGING } from "../lists.ts";
import type { CardBehaviour, PaymentMethod } from "../objects.ts";
import { oneOf, required, text } from "../params.ts";
import { newPaymentMethod } from "../payment_method.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING,
  customer: required(text(255)),
  type: oneOf("card"),
};

/** Retrieve, list, attach and detach cards. */
export const paymentMethodRoutes: Route[] = [
  route(
    "GET",
    "/v1/payment_methods",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "payment_method", "/v1/payment_methods", params, {
        filed: [
          "customer",
          call.get("customer", params.customer, "customer").id,
        ],
      }),
  ),
  retrieveRoute("/v1/payment_methods/:id", "payment_method"),
  route(
    "POST",
    "/v1/payment_methods/:id/attach",
    { customer: required(text(255)) },
    (call, { customer }, id = "") =>
      attach(call, id, call.get("customer", customer, "customer").id, "id"),
  ),
  route(
    "POST",
    "/v1/payment_methods/:id/detach",
    {},
    (call, _, id = "") => detach(call, id),
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
  const card = testCardName(id);
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
