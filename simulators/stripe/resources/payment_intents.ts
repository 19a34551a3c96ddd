/**
 * `/v1/payment_intents`.
 *
 * @module
 */

import { type Call, checkChargeable } from "../call.ts";
import { ApiError, invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { PaymentIntent, PaymentMethod } from "../objects.ts";
import {
  currency,
  flag,
  integer,
  list,
  nested,
  oneOf,
  preview,
  type Read,
  required,
  text,
} from "../params.ts";
import { newPaymentIntent } from "../payment_intent.ts";
import { attemptPayment, cancelPayment } from "../payments.ts";
import { type Route, route } from "../route.ts";
import { methodOfToken, type Payment } from "../granted_token.ts";
import { refuseSpent, resolveMethod } from "./payment_methods.ts";

/** The token was a parameter of its own before it became payment data. */
const SHARED_TOKEN = preview(text(255));

const CREATE_SHAPE = {
  allowed_payment_method_types: list(oneOf("card")),
  amount: required(integer()),
  automatic_payment_methods: nested({
    enabled: required(flag()),
    allow_redirects: oneOf("always", "never"),
  }),
  confirm: flag(),
  currency: required(currency()),
  customer: text(255),
  description: text(1_000),
  error_on_requires_action: flag(),
  metadata: metadata(),
  off_session: flag(),
  payment_method: text(255),
  payment_method_data: nested({
    shared_payment_granted_token: required(SHARED_TOKEN),
    type: oneOf("card"),
  }),
  receipt_email: text(500),
  return_url: text(),
  setup_future_usage: oneOf("off_session", "on_session"),
  shared_payment_granted_token: SHARED_TOKEN,
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
  transfer_group: text(500),
  use_stripe_sdk: flag(),
};

const CANCEL_SHAPE = {
  cancellation_reason: oneOf(
    "abandoned",
    "duplicate",
    "fraudulent",
    "requested_by_customer",
  ),
};

const LIST_SHAPE = { ...PAGING_BY_TIME, customer: text(255) };

const CANCELABLE = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
];

/** Create, retrieve, cancel and list payment intents. */
export const paymentIntentRoutes: Route[] = [
  route("POST", "/v1/payment_intents", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/payment_intents",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "payment_intent", "/v1/payment_intents", params, {
        filed: ["customer", params.customer],
      }),
  ),
  route(
    "GET",
    "/v1/payment_intents/:id",
    { client_secret: text(255) },
    (call, _, id = "") => call.get("payment_intent", id),
  ),
  route("POST", "/v1/payment_intents/:id/cancel", CANCEL_SHAPE, cancel),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): PaymentIntent {
  checkChargeable(params.amount);
  if (params.off_session && !params.confirm) {
    throw invalidRequest(
      "You cannot set `off_session` without setting `confirm` to `true`.",
      { param: "off_session" },
    );
  }
  const customer = params.customer === undefined
    ? null
    : call.get("customer", params.customer, "customer").id;
  if (sharedToken(params) !== null && !params.confirm) {
    throw invalidRequest(
      "A shared payment token can only be used with `confirm` set to `true`.",
      { param: "confirm" },
    );
  }
  const method = givenMethod(call, params, {
    amount: params.amount,
    currency: params.currency,
    customer,
  });
  const automatic = params.automatic_payment_methods ?? { enabled: true };
  const intent = newPaymentIntent(call, {
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount: params.amount,
    automatic_payment_methods: params.allowed_payment_method_types
      ? null
      : { allow_redirects: "always", ...withoutUndefined(automatic) },
    customer,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    payment_method: method?.id ?? null,
    receipt_email: params.receipt_email ?? null,
    setup_future_usage: params.setup_future_usage ?? null,
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    status: method === null
      ? "requires_payment_method"
      : "requires_confirmation",
    transfer_group: params.transfer_group ?? null,
  });
  return params.confirm ? attempt(call, intent, method, params) : intent;
}

function cancel(
  call: Call,
  params: Read<typeof CANCEL_SHAPE>,
  id = "",
): PaymentIntent {
  const intent = call.get("payment_intent", id);
  if (!CANCELABLE.includes(intent.status)) throw notCancelable(intent);
  if (call.filed("invoice_payment", "payment_intent", id).length > 0) {
    throw invalidRequest(
      "You cannot perform this action on PaymentIntent " +
        `${id} because it was created by an invoice. Void the invoice instead.`,
      { code: "payment_intent_unexpected_state" },
    );
  }
  return cancelPayment(call, intent, params.cancellation_reason ?? null);
}

function attempt(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod | null,
  params: Read<typeof CREATE_SHAPE>,
): PaymentIntent {
  if (method === null) {
    throw invalidRequest(
      "You cannot confirm this PaymentIntent because it's missing a payment " +
        "method. You can either update the PaymentIntent with a payment " +
        "method and then confirm it again, or confirm it again directly with " +
        "a payment method.",
      { code: "payment_intent_unexpected_state", param: "payment_method" },
    );
  }
  return attemptPayment(call, intent, {
    method,
    offSession: params.off_session ?? false,
    refusesAction: params.error_on_requires_action ?? false,
    returnUrl: params.return_url ?? null,
  });
}

/** The card a request brings along, by itself or behind a shared token. */
function givenMethod(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
  payment: Payment & Pick<PaymentIntent, "customer">,
): PaymentMethod | null {
  const token = sharedToken(params);
  if (token !== null) {
    return methodOfToken(call, token.id, token.param, payment);
  }
  const { payment_method } = params;
  return payment_method === undefined
    ? null
    : usableMethod(call, payment_method, payment.customer);
}

function sharedToken(
  params: Read<typeof CREATE_SHAPE>,
): { id: string; param: string } | null {
  const { payment_method, payment_method_data: data } = params;
  const older = params.shared_payment_granted_token;
  const ways = [payment_method, data, older];
  if (ways.filter((way) => way !== undefined).length > 1) {
    throw invalidRequest(
      "You may only specify one of these parameters: payment_method, " +
        "payment_method_data, shared_payment_granted_token.",
    );
  }
  if (data !== undefined) {
    const param = "payment_method_data[shared_payment_granted_token]";
    return { id: data.shared_payment_granted_token, param };
  }
  if (older === undefined) return null;
  return { id: older, param: "shared_payment_granted_token" };
}

function usableMethod(
  call: Call,
  id: string,
  customer: string | null,
): PaymentMethod {
  const method = resolveMethod(call, id, "payment_method");
  if (method.customer === null) {
    refuseSpent(call.get("card_behaviour", method.id));
    return method;
  }
  if (method.customer === customer) return method;
  throw invalidRequest(
    customer === null
      ? `The PaymentMethod ${id} belongs to a Customer. Please include the ` +
        "Customer in the `customer` parameter on the PaymentIntent."
      : `The PaymentMethod ${id} does not belong to the Customer you supplied.`,
    { param: "payment_method" },
  );
}

function notCancelable(intent: PaymentIntent): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot cancel this PaymentIntent because it has a ` +
      `status of ${intent.status}.`,
    payment_intent: intent,
  });
}

function withoutUndefined(
  { enabled, allow_redirects }: {
    enabled: boolean;
    allow_redirects?: "always" | "never" | undefined;
  },
): { enabled: boolean; allow_redirects?: "always" | "never" } {
  return allow_redirects === undefined
    ? { enabled }
    : { enabled, allow_redirects };
}
