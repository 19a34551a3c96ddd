import {
  idempotencyKey,
  json,
  METRICS_FINAL,
  type Operation,
} from "../../shapes/operation.ts";

const scope = "account:read";
const kind = "checkout";
const SESSION = "/checkout_sessions/{checkout_session_id}";

/** The operations of the checkout (contract §6). */
export const CHECKOUT_OPERATIONS: readonly Operation[] = [
  {
    kind,
    scope,
    id: "createCheckoutSession",
    method: "post",
    path: "/checkout_sessions",
    summary: "Create a checkout session for one report",
    description: "`line_items` names the day. The answer says which payment " +
      "handler takes the money.",
    parameters: [idempotencyKey(true)],
    body: "CheckoutCreate",
    answers: { 201: json("CheckoutSession", "The session") },
  },
  {
    kind,
    scope,
    id: "readCheckoutSession",
    method: "get",
    path: SESSION,
    summary: "Read a checkout session",
    description: "Its state, and what is still wanted.",
    answers: { 200: json("CheckoutSession") },
  },
  {
    kind,
    scope,
    id: "updateCheckoutSession",
    method: "post",
    path: SESSION,
    summary: "Replace the line item, before payment starts",
    description: "Another day in the place of the one before.",
    parameters: [idempotencyKey(true)],
    body: "CheckoutUpdate",
    answers: { 200: json("CheckoutSession") },
  },
  {
    kind,
    scope,
    id: "completeCheckoutSession",
    method: "post",
    path: `${SESSION}/complete`,
    summary: "Pay EUR 1 with a token that the buyer approved",
    description: "While the outcome is uncertain it is 503: repeat the same " +
      "body and key, and never start another payment.",
    parameters: [idempotencyKey(true)],
    body: "CheckoutComplete",
    answers: { 200: json("CheckoutSession") },
  },
  {
    kind,
    scope,
    id: "cancelCheckoutSession",
    method: "post",
    path: `${SESSION}/cancel`,
    summary: "Cancel a session, before payment begins",
    description: "A payment that has begun cannot be cancelled.",
    parameters: [idempotencyKey(true)],
    body: "CheckoutCancel",
    answers: { 200: json("CheckoutSession") },
  },
  {
    kind,
    scope,
    id: "readCheckoutResource",
    method: "get",
    path: `${SESSION}/resource`,
    summary: "Read the report that was paid for",
    description: "For the grant that paid, once the payment is confirmed.",
    answers: {
      200: { ...json("Metrics"), headers: { "Metrics-Final": METRICS_FINAL } },
    },
  },
];
