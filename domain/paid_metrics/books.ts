import { invariant } from "../invariant.ts";
import type { Taken } from "../payments/book_taken.ts";
import {
  METRICS_PRICE_CENTS,
  type MetricsPayment,
  type SurplusPayment,
} from "./metrics_payment.ts";

/** What was taken for a report, as the ledger has it. */
export function takenFor({ intentId, vatCents }: MetricsPayment): Taken {
  invariant(vatCents !== null, "the VAT of a sale is known when it is booked");
  return {
    paymentId: intentId,
    grossCents: METRICS_PRICE_CENTS,
    vatCents,
    revenue: "metrics_revenue",
  };
}

/** What was taken once more for the same purchase. */
export function takenBeside({ intentId, takenCents }: SurplusPayment): Taken {
  return {
    paymentId: intentId,
    grossCents: takenCents,
    vatCents: 0,
    revenue: null,
  };
}
