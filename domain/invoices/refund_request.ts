import type { ActBy } from "../audit/operator_act.ts";
import type { Day } from "../day.ts";

/** How long a refund waits for another operator. */
export const REFUND_REQUEST_MS = 24 * 3_600_000;

/** A refund that one operator asked for and another has to confirm. */
export interface RefundRequest {
  day: Day;
  invoiceId: string;
  by: ActBy;
  /** Why, in the words of who asked. */
  note: string;
  atMs: number;
  expiresAtMs: number;
}
