/**
 * A checkout session: one report for one payment, owned by an OAuth grant.
 *
 * @module
 */
import type { Day } from "../day.ts";
import { advance, type TransitionTable } from "../state_machine.ts";
import { CHECKOUT_KEPT_MS, CHECKOUT_OPEN_MS } from "./limits.ts";
import type { Merchant } from "./merchant.ts";

/** How far a session is, in the protocol's words. */
export type CheckoutStatus =
  | "ready_for_payment"
  | "complete_in_progress"
  | "completed"
  | "canceled"
  | "expired";

/**
 * Every change of status there is. `expired` is never stored: the clock alone
 * leads to it, and only from `ready_for_payment`.
 */
export const CHECKOUT_EDGES: TransitionTable<CheckoutStatus> = {
  ready_for_payment: ["complete_in_progress", "canceled", "expired"],
  complete_in_progress: ["completed", "ready_for_payment"],
  completed: [],
  canceled: [],
  expired: [],
};

/** What a payment that took no money left to be said. */
export type CheckoutNotice = "payment_declined" | "requires_3ds";

/** A session as it is kept. */
export interface CheckoutSession {
  /** `cs_` and 32 lowercase hex characters. */
  id: string;
  /** Who made it; to everyone else it does not exist. */
  grantId: string;
  status: CheckoutStatus;
  /** Of which day the report is. */
  day: Day;
  /** Whom the payment handler names, as it was when the session was made. */
  merchant: Merchant;
  /** Payments tried so far; the last one's id ends in this number. */
  attempts: number;
  /** The Idempotency-Key that the payment under way was asked for with. */
  payingKey: string | null;
  notice: CheckoutNotice | null;
  createdAtMs: number;
  updatedAtMs: number;
  /** From this moment on a session that waits for payment is expired. */
  openUntilMs: number;
  /** When the payment was found to buy nothing any more, and given back. */
  refundBegunAtMs: number | null;
  /** One with money, or with a payment under way, is kept. */
  expiresAtMs: number | null;
}

/** The form of a session's id (contract §6.1). */
const SESSION_ID = /^cs_[0-9a-f]{32}$/;

/** Whether a text has the form of a session's id. */
export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** A session that waits for its payment. */
export function newSession(
  made: Pick<CheckoutSession, "id" | "grantId" | "day" | "merchant">,
  nowMs: number,
): CheckoutSession {
  return {
    ...made,
    status: "ready_for_payment",
    attempts: 0,
    payingKey: null,
    notice: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    openUntilMs: nowMs + CHECKOUT_OPEN_MS,
    refundBegunAtMs: null,
    expiresAtMs: nowMs + CHECKOUT_KEPT_MS,
  };
}

/** The session as it stands at a moment: time alone makes it expire. */
export function sessionAt(
  session: CheckoutSession,
  nowMs: number,
): CheckoutSession {
  const { status, openUntilMs, updatedAtMs } = session;
  if (status !== "ready_for_payment" || nowMs < openUntilMs) return session;
  return {
    ...session,
    status: advance(CHECKOUT_EDGES, status, "expired"),
    updatedAtMs: Math.max(updatedAtMs, openUntilMs),
  };
}

/** The session after a step along one of the edges. */
export function moved(
  session: CheckoutSession,
  to: CheckoutStatus,
  nowMs: number,
): CheckoutSession {
  const status = advance(CHECKOUT_EDGES, session.status, to);
  const isKept = status === "completed" || status === "complete_in_progress";
  return {
    ...session,
    status,
    updatedAtMs: nowMs,
    expiresAtMs: isKept ? null : nowMs + CHECKOUT_KEPT_MS,
  };
}

/** The id of the session's latest payment: `{session id}.{attempt}`. */
export function paymentIdOf(
  { id, attempts }: Pick<CheckoutSession, "id" | "attempts">,
): string {
  return `${id}.${attempts}`;
}

/** The session that a payment's id names. */
export function sessionIdOfPayment(paymentId: string): string {
  return paymentId.slice(0, paymentId.lastIndexOf("."));
}

/** The order of a completed session; a session has one at most. */
export function orderIdOf({ id }: Pick<CheckoutSession, "id">): string {
  return id.replace("cs_", "ord_");
}
