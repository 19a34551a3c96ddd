import { assertEquals, assertThrows } from "@std/assert";
import { CHECKOUT_KEPT_MS } from "../../../domain/checkout/limits.ts";
import {
  CHECKOUT_EDGES,
  type CheckoutSession,
  type CheckoutStatus,
  isSessionId,
  moved,
  newSession,
  orderIdOf,
  paymentIdOf,
  sessionAt,
  sessionIdOfPayment,
} from "../../../domain/checkout/session.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import { dayText } from "../../support/public_spotlights.ts";

const STATUSES = Object.keys(CHECKOUT_EDGES) as CheckoutStatus[];

/** The arrows of the protocol page, and no other. */
const ARROWS = [
  "ready_for_payment → complete_in_progress",
  "ready_for_payment → canceled",
  "ready_for_payment → expired",
  "complete_in_progress → completed",
  "complete_in_progress → ready_for_payment",
];

function sessionIn(status: CheckoutStatus): CheckoutSession {
  const made = newSession({
    id: `cs_${"0".repeat(32)}`,
    grantId: "gr_1",
    day: dayText("2026-11-19"),
    merchant: { profileId: "profile_test_1", environment: "test" },
  }, 1_000);
  return { ...made, status };
}

Deno.test("a session moves along five arrows and no other", () => {
  const arrows = STATUSES.flatMap((from) =>
    STATUSES.flatMap((to) => {
      try {
        return [`${from} → ${moved(sessionIn(from), to, 2_000).status}`];
      } catch (error) {
        if (error instanceof InvariantBroken) return [];
        throw error;
      }
    })
  );
  assertEquals(arrows.sort(), ARROWS.toSorted());
});

Deno.test("moved() keeps what has money or may have it, and the rest for 30 days", () => {
  const paying = moved(
    sessionIn("ready_for_payment"),
    "complete_in_progress",
    5,
  );
  assertEquals([paying.expiresAtMs, paying.updatedAtMs], [null, 5]);
  assertEquals(moved(paying, "completed", 6).expiresAtMs, null);
  const back = moved(paying, "ready_for_payment", 6);
  assertEquals(back.expiresAtMs, 6 + CHECKOUT_KEPT_MS);
});

Deno.test("sessionAt() lets time expire what waits for payment, and nothing else", () => {
  for (const status of STATUSES) {
    const session = sessionIn(status);
    assertEquals(sessionAt(session, session.openUntilMs - 1), session);
    const late = sessionAt(session, session.openUntilMs);
    const expected = status === "ready_for_payment" ? "expired" : status;
    assertEquals(late.status, expected);
  }
  // It changed when it expired, unless it was changed after that.
  const late = (updatedAtMs: number) => {
    const session = { ...sessionIn("ready_for_payment"), updatedAtMs };
    return sessionAt(session, session.openUntilMs + 9).updatedAtMs;
  };
  const { openUntilMs } = sessionIn("ready_for_payment");
  assertEquals(late(1_000), openUntilMs);
  assertEquals(late(openUntilMs + 5), openUntilMs + 5);
});

Deno.test("newSession() waits an hour for its first payment, and is kept for 30 days", () => {
  const session = sessionIn("ready_for_payment");
  assertEquals(session.attempts, 0);
  assertEquals(session.openUntilMs, 1_000 + 60 * 60_000);
  assertEquals(session.expiresAtMs, 1_000 + 30 * 86_400_000);
});

Deno.test("an expired session moves nowhere", () => {
  for (const to of STATUSES) {
    assertThrows(() => moved(sessionIn("expired"), to, 0), InvariantBroken);
  }
});

Deno.test("isSessionId() takes cs_ and 32 lowercase hex characters", () => {
  assertEquals(isSessionId(`cs_${"0123456789abcdef".repeat(2)}`), true);
  for (
    const odd of [
      "",
      "cs_",
      `cs_${"0".repeat(31)}`,
      `cs_${"0".repeat(33)}`,
      `cs_${"A".repeat(32)}`,
      `cs-${"0".repeat(32)}`,
      `cs_${"0".repeat(32)}\n`,
    ]
  ) assertEquals(isSessionId(odd), false);
});

Deno.test("the ids of payments and orders follow from the session's", () => {
  const session = { ...sessionIn("completed"), attempts: 12 };
  assertEquals(paymentIdOf(session), `${session.id}.12`);
  assertEquals(sessionIdOfPayment(paymentIdOf(session)), session.id);
  assertEquals(orderIdOf(session), `ord_${"0".repeat(32)}`);
});
