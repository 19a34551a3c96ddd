/**
 * `/v1/refunds`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { Charge, Refund } from "../objects.ts";
import { integer, oneOf, type Read, text } from "../params.ts";
import { refundCharge, unrefunded } from "../refund.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const CREATE_SHAPE = {
  amount: integer(1),
  charge: text(255),
  metadata: metadata(),
  payment_intent: text(255),
  reason: oneOf("duplicate", "fraudulent", "requested_by_customer"),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  charge: text(255),
  payment_intent: text(255),
};

/** Create, list and retrieve refunds. */
export const refundRoutes: Route[] = [
  route("POST", "/v1/refunds", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/refunds",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "refund", "/v1/refunds", params, {
        filed: params.charge === undefined
          ? ["payment_intent", params.payment_intent]
          : ["charge", params.charge],
        where: (refund) =>
          params.payment_intent === undefined ||
          refund.payment_intent === params.payment_intent,
      }),
  ),
  retrieveRoute("/v1/refunds/:id", "refund"),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): Refund {
  const charge = findCharge(call, params);
  const amount = params.amount ?? unrefunded(charge);
  return refundCharge(call, charge, amount, {
    reason: params.reason,
    metadata: mergeMetadata({}, params.metadata),
  });
}

function findCharge(call: Call, params: Read<typeof CREATE_SHAPE>): Charge {
  const { charge: chargeId, payment_intent: intentId } = params;
  if ((chargeId === undefined) === (intentId === undefined)) {
    throw invalidRequest(
      "One of the following params should be provided for this request: " +
        "payment_intent or charge.",
    );
  }
  const intent = intentId === undefined
    ? undefined
    : call.get("payment_intent", intentId, "payment_intent");
  const id = chargeId ?? intent?.latest_charge ?? null;
  const charge = id === null ? undefined : call.get("charge", id, "charge");
  if (charge?.paid) return charge;
  throw invalidRequest(
    intent === undefined
      ? `Charge ${id} has not been captured, so it cannot be refunded.`
      : `This PaymentIntent (${intent.id}) does not have a successful charge ` +
        "to refund.",
  );
}
