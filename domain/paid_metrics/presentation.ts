import { sha256Hex } from "../sha256.ts";
import type { Day } from "../day.ts";
import type { MetricsDelivery, MetricsPayment } from "./metrics_payment.ts";
import type { MetricsReport } from "./metrics_report.ts";
import type { PaymentNeed } from "./payment_need.ts";

/** A credential that answers a challenge of ours for this day. */
export interface MetricsPresentation {
  day: Day;
  /** The challenge's id. */
  paymentId: string;
  challengeExpiresAtMs: number;
  /** What pays, or why it does not. The token is never stored or logged. */
  payload: { token: string } | { need: PaymentNeed };
  /** SHA-256 of the request's Idempotency-Key, hex. */
  keyHash: string | null;
}

/** What an answer is written from. */
export interface MetricsSale {
  report: MetricsReport;
  /** The payment at the processor. */
  intentId: string;
  paidAtMs: number;
}

/** Writes the answer that is kept: its body and the value of its receipt. */
export type WriteAnswer = (
  sale: MetricsSale,
) => Pick<MetricsDelivery, "body" | "receipt">;

/** Whether the payment was begun with the token that is presented. */
export function isItsToken(
  { tokenHash }: MetricsPayment,
  { payload }: MetricsPresentation,
): boolean {
  return "token" in payload && sha256Hex(payload.token) === tokenHash;
}
