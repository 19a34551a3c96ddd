/**
 * `/v1/credit_notes`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { createCreditNote } from "../credit_note.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { CreditNote } from "../objects.ts";
import {
  integer,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
} from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const CREATE_SHAPE = {
  amount: required(integer(1)),
  email_type: oneOf("credit_note", "none"),
  invoice: required(text(255)),
  memo: text(5_000),
  metadata: metadata(),
  out_of_band_amount: integer(0),
  reason: oneOf(
    "duplicate",
    "fraudulent",
    "order_change",
    "product_unsatisfactory",
  ),
  refund_amount: integer(0),
  refunds: list(
    nested({
      amount_refunded: integer(1),
      refund: required(text(255)),
      type: oneOf("refund"),
    }),
    10,
  ),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  customer: text(255),
  invoice: text(255),
};

/** Create, retrieve and list credit notes. */
export const creditNoteRoutes: Route[] = [
  route("POST", "/v1/credit_notes", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/credit_notes",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "credit_note", "/v1/credit_notes", params, {
        filed: params.invoice === undefined
          ? ["customer", params.customer]
          : ["invoice", params.invoice],
        where: ({ customer }) =>
          params.customer === undefined || customer === params.customer,
      }),
  ),
  retrieveRoute("/v1/credit_notes/:id", "credit_note"),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): CreditNote {
  const invoice = call.get("invoice", params.invoice, "invoice");
  return createCreditNote(call, invoice, {
    amount: params.amount,
    refundAmount: params.refund_amount ?? 0,
    outOfBandAmount: params.out_of_band_amount ?? 0,
    linked: (params.refunds ?? []).map(({ refund, amount_refunded }) => ({
      refund,
      amount: amount_refunded ?? null,
    })),
    memo: params.memo ?? null,
    metadata: mergeMetadata({}, params.metadata),
    reason: params.reason ?? null,
  });
}
