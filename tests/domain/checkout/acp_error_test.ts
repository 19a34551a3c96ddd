/** What each no of the checkout is answered with: agents tell them by code. */
import { assertEquals } from "@std/assert";
import { acpErrorOf } from "../../../domain/checkout/acp_error.ts";
import type { CheckoutRefusal } from "../../../domain/checkout/refusal.ts";
import { CHECKOUT_REFUSALS } from "../../support/checkout_refusals.ts";

/** Status, code and what else there is beside type and message. */
function told(why: CheckoutRefusal) {
  const { status, body: { type, code, message: _, ...more }, ...after } =
    acpErrorOf(why);
  return { status, type, code, ...more, ...after };
}

const invalid = (status: number, code: string, more = {}) => ({
  status,
  type: "invalid_request",
  code,
  ...more,
});
const versions = { supported_versions: ["2026-04-17"] };
const EXPECTED: Readonly<Record<CheckoutRefusal["kind"], unknown>> = {
  version_missing: invalid(400, "missing_api_version", versions),
  version_unsupported: invalid(400, "unsupported_api_version", versions),
  malformed: invalid(400, "invalid", { param: "$.currency" }),
  session_not_found: invalid(404, "checkout_session_not_found"),
  not_allowed: invalid(409, "session_frozen"),
  item_unknown: invalid(400, "invalid_item_id", {
    param: "$.line_items[0].id",
  }),
  item_gone: invalid(409, "item_unavailable"),
  attempts_exhausted: invalid(409, "too_many_attempts"),
  action_required: invalid(409, "requires_3ds", {
    param: "$.authentication_result",
  }),
  payment_uncertain: {
    status: 503,
    type: "service_unavailable",
    code: "payment_uncertain",
    retryAfterS: 2,
  },
  unpaid: invalid(409, "payment_required"),
  report_gone: invalid(404, "report_not_found"),
};

Deno.test("acpErrorOf() answers each no with its status and code, and says where to look and when to come again", () => {
  for (const why of Object.values(CHECKOUT_REFUSALS)) {
    assertEquals(told(why), EXPECTED[why.kind], why.kind);
  }
  const unnamed = { ...CHECKOUT_REFUSALS.malformed, param: null };
  assertEquals(told(unnamed), invalid(400, "invalid"));
});

Deno.test("acpErrorOf() tells apart what a session's status stands in the way of, and that a payment under way may end", () => {
  const code = (
    action: "update" | "complete" | "cancel",
    status: "complete_in_progress" | "completed" | "canceled",
  ) => {
    const { code, retryAfterS } = {
      retryAfterS: 0,
      ...told({
        kind: "not_allowed",
        action,
        status,
      }),
    };
    return [code, retryAfterS];
  };
  const paying = "complete_in_progress";
  assertEquals(code("update", paying), ["session_frozen", 2]);
  assertEquals(code("complete", paying), ["payment_in_progress", 2]);
  assertEquals(code("cancel", paying), ["payment_in_progress", 2]);
  assertEquals(code("update", "canceled"), ["session_frozen", 0]);
  assertEquals(code("complete", "completed"), ["session_not_payable", 0]);
  assertEquals(code("cancel", "completed"), ["session_not_cancelable", 0]);
});

Deno.test("acpErrorOf() says in a whole sentence what can't be done and why", () => {
  const said = (why: CheckoutRefusal) => acpErrorOf(why).body.message;
  const { not_allowed, version_missing, version_unsupported, ...others } =
    CHECKOUT_REFUSALS;
  assertEquals(
    said({ ...not_allowed, action: "cancel" }),
    "Cannot cancel the checkout session: it is completed",
  );
  assertEquals(
    said(version_missing),
    "Cannot answer the request: the header API-Version must be given, " +
      "supported is 2026-04-17",
  );
  assertEquals(
    said(version_unsupported),
    "Cannot answer the request: its API-Version is not supported, supported " +
      "is 2026-04-17",
  );
  assertEquals(
    said(others.action_required),
    "Cannot complete the payment: the buyer has to authenticate, which is " +
      "not possible here, pay with another token",
  );
  assertEquals(
    said(others.payment_uncertain),
    "Cannot tell yet whether the payment was made: repeat the request with " +
      "the same body and Idempotency-Key, start no other payment",
  );
  assertEquals(
    said(others.unpaid),
    "Cannot read the report: it is not paid for, it waits for payment",
  );
  assertEquals(
    said(others.report_gone),
    `Cannot find the report of ${others.report_gone.day}: its day was ` +
      "removed and the payment is given back",
  );
  assertEquals(
    said(others.item_gone),
    `Cannot sell the report of ${others.item_gone.day} any more: its day was ` +
      "removed, replace line_items or cancel the session",
  );
});
