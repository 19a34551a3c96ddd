/** Why a request for paid figures is not answered with them. */
export type PaymentNeed =
  /** It carries no credential of the scheme. */
  | "no_credential"
  /** Its credential can't be read, or carries no usable token. */
  | "malformed_credential"
  /** Its credential answers no challenge of ours for this day. */
  | "unknown_challenge"
  /** Its challenge was used with another token. */
  | "used_challenge"
  /** Its challenge was never used and is too old. */
  | "expired_challenge"
  /** Its credential is of a method or intent that is not taken. */
  | "unsupported_method"
  /** The processor said no to the token. */
  | "declined"
  /** The buyer would have to act, which is not possible here. */
  | "action_required"
  /** The processor was never reached: no money was taken. */
  | "not_charged"
  /** The money was given back. */
  | "refunded";

/** What whoever holds the credential of a report that was given may know. */
export interface GivenReport {
  chargedAtMs: number;
  /** Whether it came with an Idempotency-Key. */
  hasKey: boolean;
  /** Until when that key brings the report again. */
  repeatableUntilMs: number;
}
