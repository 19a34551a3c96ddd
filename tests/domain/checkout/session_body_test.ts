/** What a session looks like to its buyer, in each of its states. */
import { assertEquals } from "@std/assert";
import {
  type CheckoutSession,
  newSession,
} from "../../../domain/checkout/session.ts";
import {
  type BodyOptions,
  sessionBody,
} from "../../../domain/checkout/session_body.ts";
import { METRICS_PRICE_CENTS } from "../../../domain/paid_metrics/metrics_payment.ts";
import { dayText } from "../../support/public_spotlights.ts";

const ID = `cs_${"0".repeat(32)}`;
const BASE_URL = "https://spotlight.example";
/** When the figures of its day are final. */
const FINAL_MS = Date.parse("2026-11-22T23:55:00.000Z");
const MADE = newSession({
  id: ID,
  grantId: "gr_1",
  day: dayText("2026-11-19"),
  merchant: { profileId: "profile_test_1", environment: "test" },
}, Date.parse("2026-11-20T12:00:00.000Z"));

function body(
  changes: Partial<CheckoutSession> = {},
  options: Partial<BodyOptions> = {},
): Record<string, unknown> {
  return sessionBody({ ...MADE, ...changes }, {
    baseUrl: BASE_URL,
    auctionHours: { opensAtMinute: 0, closesAtMinute: 1_435 },
    ...options,
  });
}

/** The codes of what is said of a session; its type where it has none. */
function messages(changes: Partial<CheckoutSession>): unknown[] {
  const said = body({ updatedAtMs: FINAL_MS, ...changes })
    .messages as { code?: string; type: string }[];
  return said.map(({ code, type }) => code ?? type);
}

Deno.test("sessionBody() tells of one report at its price, which nothing is added to, and how to pay it", () => {
  const amount = METRICS_PRICE_CENTS;
  const totals = [
    { type: "items_base_amount", display_text: "Report", amount },
    { type: "subtotal", display_text: "Subtotal", amount },
    { type: "total", display_text: "Total", amount },
  ];
  const { capabilities, ...rest } = body({ updatedAtMs: FINAL_MS });
  assertEquals(rest, {
    id: ID,
    protocol: { version: "2026-04-17" },
    status: "ready_for_payment",
    currency: "eur",
    line_items: [{
      id: "metrics:2026-11-19",
      item: { id: "metrics:2026-11-19" },
      quantity: 1,
      name: "Spotlight metrics report 2026-11-19",
      unit_amount: amount,
      totals,
    }],
    fulfillment_options: [{
      type: "digital",
      id: "digital_report",
      title: "Report over the API",
      totals: [{ type: "total", display_text: "Delivery", amount: 0 }],
    }],
    selected_fulfillment_options: [{
      type: "digital",
      option_id: "digital_report",
      item_ids: ["metrics:2026-11-19"],
    }],
    totals,
    messages: [],
    links: [
      { type: "terms_of_use", url: `${BASE_URL}/terms` },
      { type: "privacy_policy", url: `${BASE_URL}/privacy` },
    ],
    created_at: "2026-11-20T12:00:00.000Z",
    updated_at: "2026-11-22T23:55:00.000Z",
    expires_at: "2026-11-20T13:00:00.000Z",
  });
  const { payment } = capabilities as {
    payment: { handlers: Record<string, unknown>[] };
  };
  const [handler, ...others] = payment.handlers;
  assertEquals(others, []);
  // The token goes to the processor, so no agent has to be certified for it.
  assertEquals(handler?.requires_delegate_payment, true);
  assertEquals(handler?.requires_pci_compliance, false);
});

Deno.test("sessionBody() says of a session what its buyer can do next", () => {
  assertEquals(messages({ status: "complete_in_progress" }), ["info"]);
  for (const notice of ["payment_declined", "requires_3ds"] as const) {
    assertEquals(messages({ notice }), [notice]);
    const status = "expired";
    assertEquals(messages({ status, notice }), [notice, "expired"]);
    // While the next payment is under way the last one is no matter.
    const paying = { status: "complete_in_progress", notice } as const;
    assertEquals(messages(paying), ["info"]);
  }
  assertEquals(messages({ status: "expired" }), ["expired"]);
  assertEquals(messages({ status: "completed" }), []);
  const contents = (["payment_declined", "requires_3ds"] as const)
    .map((notice) => body({ notice }).messages as { content: string }[])
    .map(([message]) => message?.content);
  assertEquals(contents, [
    "The payment was declined.",
    "The buyer would have had to authenticate. Nothing was charged.",
  ]);
  const [paying] = body({ status: "complete_in_progress" }).messages as {
    content: string;
  }[];
  assertEquals(
    paying?.content,
    "A payment is under way. To hear of it repeat the request that began it, " +
      "with the same body and Idempotency-Key.",
  );
});

Deno.test("sessionBody() tells who is about to pay until when the figures are not final", () => {
  const said = (changes: Partial<CheckoutSession>) =>
    (body(changes).messages as { content: string }[])
      .map(({ content }) => content);
  assertEquals(said({ updatedAtMs: FINAL_MS - 1 }), [
    "The figures of 2026-11-19 are not final before 2026-11-22 23:55 UTC. " +
    "Until then the report says what has been counted so far. To read the " +
    "final figures, read the report of this session again after that: " +
    "nothing more is charged.",
  ]);
  assertEquals(said({ updatedAtMs: FINAL_MS }), []);
  const early = { updatedAtMs: FINAL_MS - 1 };
  assertEquals(messages({ ...early, status: "completed" }), []);
  assertEquals(messages({ ...early, notice: "payment_declined" }), [
    "payment_declined",
    "info",
  ]);
});

Deno.test("sessionBody() has an order once it is paid, which is canceled with what is given back", () => {
  const order = {
    id: `ord_${"0".repeat(32)}`,
    checkout_session_id: ID,
    permalink_url: `${BASE_URL}/checkout_sessions/${ID}/resource`,
  };
  const paid = { status: "completed" } as const;
  assertEquals(body().order, undefined);
  assertEquals(body(paid).order, { ...order, status: "completed" });
  const refunding = { ...paid, refundBegunAtMs: MADE.createdAtMs };
  const adjusted = (status: string) => ({
    ...order,
    status: "canceled",
    adjustments: [{
      id: `adj_${"0".repeat(32)}`,
      type: "refund",
      occurred_at: "2026-11-20T12:00:00.000Z",
      status,
      amount: METRICS_PRICE_CENTS,
      currency: "eur",
      description: "The report can not be delivered.",
    }],
  });
  assertEquals(body(refunding).order, adjusted("pending"));
  assertEquals(
    body(refunding, { refunded: true }).order,
    adjusted("completed"),
  );
});
