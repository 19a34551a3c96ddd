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
import { attemptSetup, newSetupIntent, setupRefused } from "../setup_intent.ts";
import { ownedMethod, refuseSpent, resolveMethod } from "./payment_methods.ts";

const CREATE_SHAPE = {
  allowed_payment_method_types: list(oneOf("card")),
  automatic_payment_methods: nested({
    allow_redirects: oneOf("always", "never"),
    enabled: required(flag()),
  }),
  confirm: flag(),
  customer: text(255),
  description: text(1_000),
  metadata: metadata(),
  payment_method: text(255),
  return_url: text(2_048),
  usage: oneOf("off_session", "on_session"),
  use_stripe_sdk: inert("true", "false"),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  customer: text(255),
  payment_method: text(255),
};

/** Create, retrieve and list intents to save a card. */
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
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): SetupIntent {
  const customer = params.customer === undefined
    ? null
    : call.get("customer", params.customer, "customer").id;
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
  if (method === null) {
    throw invalidRequest(
      "You cannot confirm this SetupIntent because it's missing a payment " +
        "method.",
      { code: "setup_intent_unexpected_state" },
    );
  }
  const tried = attemptSetup(call, intent, method, params.return_url ?? null);
  const { last_setup_error: error } = tried;
  if (error !== null) throw setupRefused(tried, error);
  return tried;
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
