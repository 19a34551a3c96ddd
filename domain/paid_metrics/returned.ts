import {
  keptOf,
  NOTHING_RETURNED,
  type Returned,
  type Withholding,
  withWithheld,
} from "../payments/returned.ts";
import { invariant } from "../invariant.ts";
import { advance } from "../state_machine.ts";
import {
  METRICS_PAYMENT_EDGES,
  METRICS_PRICE_CENTS,
  type MetricsPayment,
} from "./metrics_payment.ts";

/** What went back of a report's own payment. */
export function returnedOf({ returned }: MetricsPayment): Returned {
  return returned ?? NOTHING_RETURNED;
}

/** The payment once it is known what went back: its state follows. */
export function withReturned(
  payment: MetricsPayment,
  returned: Returned,
): MetricsPayment {
  const isAllGone = keptOf(METRICS_PRICE_CENTS, returned) === 0;
  const { state } = payment;
  const next = state === "refunding" && isAllGone
    ? "refunded"
    : state === "refunded" && !isAllGone
    ? "refunding"
    : state;
  return {
    ...payment,
    returned,
    state: next === state ? state : advance(METRICS_PAYMENT_EDGES, state, next),
  };
}

/** Whether what that payment took for the purchase is in the books. */
export function isBookedOf(
  { state, intentId: own, surplus = [] }: MetricsPayment,
  intentId: string,
): boolean {
  return intentId === own
    ? state !== "charging" && state !== "refused"
    : surplus.some((each) => each.intentId === intentId);
}

/**
 * The payment after a dispute of its money, or of what was taken beside it, has
 * moved; what is to be given back is tried at once.
 */
export function withDisputed(
  payment: MetricsPayment,
  intentId: string,
  change: Withholding,
  nowMs: number,
): MetricsPayment {
  invariant(isBookedOf(payment, intentId), "what is disputed is booked before");
  const surplus = payment.surplus?.map((each) =>
    each.intentId === intentId ? withWithheld(each, change) : each
  );
  const isOwn = intentId === payment.intentId;
  const moved = isOwn
    ? withReturned(payment, withWithheld(returnedOf(payment), change))
    : payment;
  const isDue = moved.state === "refunding" || !isOwn;
  return {
    ...moved,
    ...surplus !== undefined && { surplus },
    ...isDue && { dueAtMs: nowMs },
  };
}
