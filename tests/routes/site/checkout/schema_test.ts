import { assert, assertEquals } from "@std/assert";
import { acpErrorOf } from "../../../../domain/checkout/acp_error.ts";
import { paymentHandler } from "../../../../domain/checkout/payment_handler.ts";
import { Contention } from "../../../../domain/failure.ts";
import {
  CHECKOUT_EDGES,
  type CheckoutSession,
  type CheckoutStatus,
  newSession,
  sessionAt,
} from "../../../../domain/checkout/session.ts";
import { sessionBody } from "../../../../domain/checkout/session_body.ts";
import {
  ACP_ANSWERS,
  renderAcp,
} from "../../../../routes/errors/acp_surface.ts";
import { assertAcp } from "../../../support/acp_schema.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../../support/answers.ts";
import { cartOf, paymentOf } from "../../../support/checkout_calls.ts";
import { CHECKOUT_REFUSALS } from "../../../support/checkout_refusals.ts";
import { DAY, MERCHANT } from "../../../support/checkout_world.ts";
import { dayText } from "../../../support/public_spotlights.ts";

const day = dayText(DAY);
const baseUrl = "https://spotlight.example";
const auctionHours = { opensAtMinute: 0, closesAtMinute: 1_435 };

const STATUSES = Object.keys(CHECKOUT_EDGES) as CheckoutStatus[];

/** Every session there can be, as far as its body differs. */
function everySession(): CheckoutSession[] {
  const id = `cs_${"0".repeat(32)}`;
  const made = newSession({ id, grantId: "gr_1", day, merchant: MERCHANT }, 0);
  const live = { ...MERCHANT, environment: "live" } as const;
  const notices = [null, "payment_declined", "requires_3ds"] as const;
  return STATUSES.flatMap((status) =>
    notices.flatMap((notice) =>
      [null, 5_000].flatMap((refundBegunAtMs) =>
        [MERCHANT, live].map((merchant) => ({
          ...made,
          status,
          notice,
          refundBegunAtMs,
          merchant,
        }))
      )
    )
  );
}

for (const status of STATUSES) {
  Deno.test(`every body of a session that is ${status} is of the protocol's schema`, () => {
    for (const session of everySession()) {
      if (session.status !== status) continue;
      for (const refunded of [false, true]) {
        const body = sessionBody(session, { baseUrl, auctionHours, refunded });
        const isPaid = status === "completed";
        assertAcp(
          isPaid ? "CheckoutSessionWithOrder" : "CheckoutSession",
          body,
        );
        assertEquals("order" in body, isPaid, "an order is of what is paid");
      }
    }
  });
}

Deno.test("a session that waited too long is shown as expired, since when it is", () => {
  const [session] = everySession();
  assert(session);
  assertEquals(sessionAt(session, 3_599_999).status, "ready_for_payment");
  const body = sessionBody(sessionAt(session, 3_600_000), {
    baseUrl,
    auctionHours,
  });
  assertAcp("CheckoutSession", body);
  assertEquals(body["status"], "expired");
  assertEquals(body["updated_at"], body["expires_at"]);
});

Deno.test("every refusal of the checkout has a body of the protocol's schema", async () => {
  for (const why of Object.values(CHECKOUT_REFUSALS)) {
    const { status, body } = acpErrorOf(why);
    assertAcp("Error", body);
    const refusal = { code: "checkout_refused", why } as const;
    const answer = await partsOf(renderAcp(refusal, ANSWER_CONTEXT));
    assertEquals(answer.status, status);
    assertEquals(answer.body, body);
    assertEquals(answer.headers["content-type"], "application/json");
    assertEquals(answer.headers["cache-control"], "no-store");
  }
});

Deno.test("every action in every status has a no of the protocol's schema", () => {
  for (const status of STATUSES) {
    assertAcp("Error", acpErrorOf({ kind: "unpaid", status }).body);
    for (const action of ["update", "complete", "cancel"] as const) {
      const error = acpErrorOf({ kind: "not_allowed", action, status });
      assertAcp("Error", error.body);
      assertEquals(error.status, 409);
      const mayChange = status === "complete_in_progress";
      assertEquals(error.retryAfterS !== undefined, mayChange, status);
    }
  }
});

Deno.test("renderAcp() answers the refusals of the checkout and no other", () => {
  const possible = Object.entries(statusesOf(renderAcp))
    .filter(([, status]) => status !== "impossible");
  assertEquals(Object.fromEntries(possible), {
    bad_request: 400,
    not_found: 404,
    method_not_allowed: 405,
    rate_limited: 429,
    idempotency_key_required: 400,
    idempotency_conflict: 409,
    idempotency_in_flight: 409,
    token_missing: 401,
    token_invalid: 401,
    token_ambiguous: 400,
    scope_missing: 403,
    checkout_refused: 404,
  });
});

Deno.test("renderAcp() writes flat errors of the protocol but where bearer rules say otherwise", async () => {
  for (
    const code of [
      "bad_request",
      "not_found",
      "method_not_allowed",
      "rate_limited",
      "idempotency_key_required",
      "idempotency_conflict",
      "idempotency_in_flight",
    ] as const
  ) {
    const { body } = await partsOf(
      renderAcp(EVERY_REFUSAL[code], ANSWER_CONTEXT),
    );
    assertAcp("Error", body);
  }
});

Deno.test("the checkout's 500 and 503 are of the protocol's schema", async () => {
  const failed = await partsOf(must(ACP_ANSWERS.failed)(ANSWER_CONTEXT));
  assertAcp("Error", failed.body);
  assertEquals(failed.status, 500);
  assertEquals((failed.body as { type: string }).type, "processing_error");
  const unavailable = must(ACP_ANSWERS.unavailable);
  const answer = await partsOf(
    unavailable(3, ANSWER_CONTEXT, new Contention("x")),
  );
  assertAcp("Error", answer.body);
  assertEquals(answer.status, 503);
  assertEquals(answer.headers["retry-after"], "3");
  assertEquals((answer.body as { type: string }).type, "service_unavailable");
});

Deno.test("the requests that are documented are of the protocol's schema", () => {
  assertAcp("CheckoutSessionCreateRequest", cartOf());
  assertAcp("CheckoutSessionUpdateRequest", {
    line_items: [{ id: `metrics:${DAY}` }],
  });
  assertAcp("CheckoutSessionCompleteRequest", paymentOf("spt_1"));
});

Deno.test("the payment handler is of the protocol's schema", () => {
  assertAcp("PaymentHandler", paymentHandler(MERCHANT, baseUrl));
});

function must<T>(value: T | undefined): T {
  assert(value !== undefined);
  return value;
}
