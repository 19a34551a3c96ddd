import type { Day } from "../day.ts";
import type { CheckoutStatus } from "./session.ts";

/** What is wrong with a request, whatever the state. */
export interface MalformedRequest {
  kind: "malformed";
  /** `invalid`, `missing` and the like; the protocol leaves codes open. */
  code: string;
  message: string;
  /** Where in the body, as JSONPath (RFC 9535). */
  param: string | null;
}

/** Every expected no of the checkout beyond those of other surfaces. */
export type CheckoutRefusal =
  | { kind: "version_missing" }
  | { kind: "version_unsupported" }
  | MalformedRequest
  | { kind: "session_not_found" }
  /** The status forbids it; while a payment is under way that may change. */
  | {
    kind: "not_allowed";
    action: "update" | "complete" | "cancel";
    status: CheckoutStatus;
  }
  /** The day has no report to sell. */
  | { kind: "item_unknown"; day: Day }
  /** The day had a report when the session was made, and has none now. */
  | { kind: "item_gone"; day: Day }
  | { kind: "attempts_exhausted" }
  | { kind: "action_required" }
  | { kind: "payment_uncertain" }
  | { kind: "unpaid"; status: CheckoutStatus }
  /** Paid for, removed since, and given back. */
  | { kind: "report_gone"; day: Day };
