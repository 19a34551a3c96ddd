/**
 * `/v1/setup_intents`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { PaymentMethod, SetupIntent } from "../objects.ts";
import {
  flag,
  inert,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
} from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";
import {
  attemptSetup,
  cancelSetup,
  newSetupIntent,
  setupRefused,
  unexpectedState,
} from "../setup_intent.ts";
import { ownedMethod, refuseSpent, resolveMethod } from "./payment_methods.ts";

const CONFIRM_SHAPE = {
  payment_method: text(255),
  return_url: text(2_048),
  use_stripe_sdk: inert("true", "false"),
};

const CREATE_SHAPE = {
  ...CONFIRM_SHAPE,
  allowed_payment_method_types: list(oneOf("card")),
  automatic_payment_methods: nested({
    allow_redirects: oneOf("always", "never"),
    enabled: required(flag()),
  }),
  confirm: flag(),
  customer: text(255),
  description: text(1_000),
  metadata: metadata(),
  usage: oneOf("off_session", "on_session"),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  customer: text(255),
  payment_method: text(255),
};

/** Create, retrieve, list, confirm and cancel intents to save a card. */
export const setupIntentRoutes: Route[] = [
  route("POST", "/v1/setup_intents", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/setup_intents",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "setup_intent", "/v1/setup_intents", params, {
        filed: params.customer === undefined
          ? ["payment_method", params.payment_method]
          : ["customer", params.customer],
        where: ({ payment_method }) =>
          params.payment_method === undefined ||
          payment_method === params.payment_method,
      }),
  ),
  retrieveRoute("/v1/setup_intents/:id", "setup_intent"),
  route(
    "POST",
    "/v1/setup_intents/:id/confirm",
    CONFIRM_SHAPE,
    (call, params, id = "") => confirm(call, free(call, id), params),
  ),
  route(
    "POST",
    "/v1/setup_intents/:id/cancel",
    {
      cancellation_reason: oneOf(
        "abandoned",
        "duplicate",
        "requested_by_customer",
      ),
    },
    (call, { cancellation_reason }, id = "") =>
      cancelSetup(call, free(call, id), cancellation_reason ?? null),
  ),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): SetupIntent {
  const customer = params.customer === undefined
    ? null
    : call.customer(params.customer, "customer").id;
  const automatic = params.automatic_payment_methods;
  const method = params.payment_method === undefined
    ? null
    : usable(call, params.payment_method, customer);
  const intent = newSetupIntent(call, {
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    automatic_payment_methods: automatic === undefined ? null : {
      allow_redirects: automatic.allow_redirects ?? "always",
      enabled: automatic.enabled,
    },
    customer,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    payment_method: method?.id ?? null,
    status: method === null
      ? "requires_payment_method"
      : "requires_confirmation",
    usage: params.usage ?? "off_session",
  });
  if (!params.confirm) return intent;
  return confirm(call, intent, { ...params, payment_method: undefined });
}

function confirm(
  call: Call,
  intent: SetupIntent,
  params: Read<typeof CONFIRM_SHAPE>,
): SetupIntent {
  const { status } = intent;
  const isOver = status === "succeeded" || status === "canceled";
  if (isOver || status === "processing") {
    throw unexpectedState(intent, "confirmed");
  }
  const given = params.payment_method ?? intent.payment_method;
  if (given === null) {
    throw invalidRequest(
      "You cannot confirm this SetupIntent because it's missing a payment " +
        "method.",
      { code: "setup_intent_unexpected_state" },
    );
  }
  const method = usable(call, given, intent.customer);
  const { return_url = null } = params;
  const tried = attemptSetup(call, intent, method, return_url);
  const { last_setup_error: error } = tried;
  if (error !== null) throw setupRefused(tried, error);
  return tried;
}

/** An intent that no hosted page has for itself. */
function free(call: Call, id: string): SetupIntent {
  const intent = call.get("setup_intent", id);
  const sessions = call.filed("checkout_session", "setup_intent", id);
  if (sessions.length === 0) return intent;
  throw invalidRequest(
    "You cannot confirm or cancel the SetupIntent of a Checkout Session. To " +
      "cancel it, expire the Checkout Session.",
    { code: "setup_intent_unexpected_state" },
  );
}

/** The customer's own card, or nobody's. */
function usable(
  call: Call,
  id: string,
  customer: string | null,
): PaymentMethod {
  const method = resolveMethod(call, id, "payment_method");
  if (method.customer !== null) {
    return ownedMethod(call, method.id, customer ?? "", "payment_method");
  }
  refuseSpent(call.get("card_behaviour", method.id));
  return method;
}
