/**
 * `/v1/invoice_payments`.
 *
 * @module
 */

import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { nested, oneOf, required, text } from "../params.ts";
import { type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  invoice: text(255),
  payment: nested({
    payment_intent: text(255),
    type: required(oneOf("payment_intent")),
  }),
  status: oneOf("canceled", "open", "paid"),
};

/** List the ties between invoices and intents. */
export const invoicePaymentRoutes: Route[] = [
  route(
    "GET",
    "/v1/invoice_payments",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "invoice_payment", "/v1/invoice_payments", params, {
        filed: params.invoice === undefined
          ? ["payment_intent", params.payment?.payment_intent]
          : ["invoice", params.invoice],
        where: ({ status }) =>
          params.status === undefined || status === params.status,
      }),
  ),
];
