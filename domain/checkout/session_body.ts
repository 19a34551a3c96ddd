/**
 * What a session looks like on the wire. Answers are stored for replay, so
 * their text is made where the session changes.
 *
 * @module
 */
import { type AuctionHours, shownWindow } from "../auction/auction.ts";
import { FINAL_AFTER_MS } from "../clicks/click.ts";
import { isoMinute, isoTime } from "../day.ts";
import { METRICS_PRICE_CENTS } from "../paid_metrics/metrics_payment.ts";
import { ACP_VERSION } from "./acp_error.ts";
import { paymentHandler } from "./payment_handler.ts";
import { type CheckoutSession, orderIdOf } from "./session.ts";

/** What the id of a line item begins with, before the day (contract §6.2). */
export const ITEM_PREFIX = "metrics:";

/** Where sessions are, below `{base_url}`. */
export const CHECKOUT_PATH = "/checkout_sessions";

/** How a session is told. */
export interface BodyOptions {
  baseUrl: string;
  auctionHours: AuctionHours;
  /** Whether the money has arrived where it came from. */
  refunded?: boolean;
}

/** Nothing is made but one report, and a delivery costs nothing. */
const DIGITAL = "digital_report";

/** CheckoutSession of the protocol, of a session as it stands now. */
export function sessionBody(
  session: CheckoutSession,
  options: BodyOptions,
): Record<string, unknown> {
  const { baseUrl } = options;
  const { merchant, day } = session;
  const itemId = `${ITEM_PREFIX}${day}`;
  return {
    id: session.id,
    protocol: { version: ACP_VERSION },
    status: session.status,
    currency: "eur",
    capabilities: {
      payment: { handlers: [paymentHandler(merchant, baseUrl)] },
      // None is supported, so none is what both sides support.
      interventions: { supported: [], required: [], enforcement: "optional" },
    },
    line_items: [{
      id: itemId,
      item: { id: itemId },
      quantity: 1,
      name: `Spotlight metrics report ${day}`,
      unit_amount: METRICS_PRICE_CENTS,
      totals: totals(),
    }],
    fulfillment_options: [{
      type: "digital",
      id: DIGITAL,
      title: "Report over the API",
      totals: [{ type: "total", display_text: "Delivery", amount: 0 }],
    }],
    selected_fulfillment_options: [
      { type: "digital", option_id: DIGITAL, item_ids: [itemId] },
    ],
    totals: totals(),
    messages: messagesOf(session, options),
    links: [
      { type: "terms_of_use", url: `${baseUrl}/terms` },
      { type: "privacy_policy", url: `${baseUrl}/privacy` },
    ],
    created_at: isoTime(session.createdAtMs),
    updated_at: isoTime(session.updatedAtMs),
    expires_at: isoTime(session.openUntilMs),
    ...session.status === "completed" && { order: orderOf(session, options) },
  };
}

/** The price contains what VAT there is, so no tax is added to it. */
function totals(): unknown[] {
  const amount = METRICS_PRICE_CENTS;
  return [
    { type: "items_base_amount", display_text: "Report", amount },
    { type: "subtotal", display_text: "Subtotal", amount },
    { type: "total", display_text: "Total", amount },
  ];
}

const INFO = { type: "info", severity: "info", content_type: "plain" } as const;
const ERROR = {
  type: "error",
  severity: "high",
  content_type: "plain",
} as const;
const TOKEN = {
  resolution: "requires_buyer_input",
  param: "$.payment_data.instrument.credential",
} as const;

function messagesOf(
  session: CheckoutSession,
  { auctionHours }: BodyOptions,
): unknown[] {
  const { status, notice } = session;
  if (status === "complete_in_progress") {
    return [{
      ...INFO,
      content: "A payment is under way. To hear of it repeat the request " +
        "that began it, with the same body and Idempotency-Key.",
    }];
  }
  const left = notice === null ? [] : [noticeMessage(notice)];
  if (status === "ready_for_payment") {
    return [...left, ...finalMessages(session, auctionHours)];
  }
  if (status !== "expired") return left;
  return [...left, {
    ...ERROR,
    code: "expired",
    resolution: "recoverable",
    content: "The session has expired. Create a new one.",
  }];
}

/**
 * Until when the figures of the day are what was counted so far, for who is
 * about to pay. By the hours of auctions, since the next day has yet to settle.
 */
function finalMessages(
  { day, updatedAtMs }: CheckoutSession,
  hours: AuctionHours,
): unknown[] {
  const finalAtMs = shownWindow(day, hours).untilMs + FINAL_AFTER_MS;
  if (updatedAtMs >= finalAtMs) return [];
  return [{
    ...INFO,
    param: "$.line_items[0]",
    content: `The figures of ${day} are not final before ` +
      `${isoMinute(finalAtMs)}. Until then the report says what has been ` +
      "counted so far. To read the final figures, read the report of this " +
      "session again after that: nothing more is charged.",
  }];
}

function noticeMessage(code: "payment_declined" | "requires_3ds"): unknown {
  const content = code === "payment_declined"
    ? "The payment was declined."
    : "The buyer would have had to authenticate. Nothing was charged.";
  return { ...ERROR, code, ...TOKEN, content };
}

/** Order of the protocol: it is fulfilled as soon as there is one. */
function orderOf(
  session: CheckoutSession,
  { baseUrl, refunded = false }: BodyOptions,
): Record<string, unknown> {
  const { id, refundBegunAtMs } = session;
  const order = {
    id: orderIdOf(session),
    checkout_session_id: id,
    permalink_url: `${baseUrl}${CHECKOUT_PATH}/${id}/resource`,
    status: "completed",
  };
  if (refundBegunAtMs === null) return order;
  return {
    ...order,
    status: "canceled",
    adjustments: [{
      id: id.replace("cs_", "adj_"),
      type: "refund",
      occurred_at: isoTime(refundBegunAtMs),
      status: refunded ? "completed" : "pending",
      amount: METRICS_PRICE_CENTS,
      currency: "eur",
      description: "The report can not be delivered.",
    }],
  };
}
