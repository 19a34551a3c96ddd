/**
 * What the inbox needs of whoever can tell the processor's notifications from
 * everybody else's.
 *
 * @module
 */

/** A notification whose signature is the processor's, as far as we need it. */
export interface VerifiedEvent {
  /** The processor's id of the event. */
  id: string;
  /** Such as `invoice.paid`. */
  type: string;
  /** What it happened to; null where that has no id, as an upcoming invoice. */
  objectId: string | null;
  objectType: string | null;
  createdAtMs: number;
  /** Whether real money is meant. */
  livemode: boolean;
  /** It happened to another's account that is connected to ours. */
  ofConnectedAccount: boolean;
}

/** Why a notification is not taken. */
export type RejectionReason =
  /** There is no signature, or none that can be read. */
  | "signature_missing"
  | "signature_wrong"
  /** Signed longer ago than a notification is under way. */
  | "too_old"
  /** Signed at a moment that is still to come. */
  | "too_new"
  /** Signed by the processor, and no event that is sent here. */
  | "unreadable";

/** What a notification turned out to be. */
export type Verification =
  | { ok: true; event: VerifiedEvent }
  | { ok: false; reason: RejectionReason };

/** Knows the processor's signature. */
export interface WebhookVerifier {
  /**
   * @param body the bytes as they arrived
   * @param signature the header that signs them, null without one
   */
  verify(
    body: Uint8Array,
    signature: string | null,
  ): Promise<Verification>;
}
