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
import { type Route, route } from "../route.ts";

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

/** Create, retrieve, update and list refunds. */
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
  route(
    "GET",
    "/v1/refunds/:id",
    {},
    (call, _, id = "") => call.get("refund", id),
  ),
  route(
    "POST",
    "/v1/refunds/:id",
    { metadata: metadata() },
    (call, params, id = "") => {
      const refund = call.get("refund", id);
      return call.put("refund", {
        ...refund,
        metadata: mergeMetadata(refund.metadata, params.metadata),
      });
    },
  ),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): Refund {
  const charge = findCharge(call, params);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: "charge_already_refunded",
    });
  }
  const amount = params.amount ?? left;
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount} cents) is greater than unrefunded amount on ` +
        `charge (${left} cents)`,
      { param: "amount" },
    );
  }
  const refund = call.put("refund", newRefund(call, charge, amount, params));
  const refunded = call.put("charge", {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  call.emit("refund.created", refund);
  call.emit("charge.refunded", refunded);
  return refund;
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

function newRefund(
  call: Call,
  charge: Charge,
  amount: number,
  params: Read<typeof CREATE_SHAPE>,
): Refund {
  return {
    id: call.newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
}
