/**
 * Checks of identity, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";

/** Where a check stands. */
export type IdentityStatus =
  | "requires_input"
  | "processing"
  | "verified"
  | "canceled";

/** One check of one person's document. */
export type VerificationSession = {
  id: string;
  object: "identity.verification_session";
  client_reference_id: string | null;
  client_secret: string | null;
  created: number;
  last_error: { code: string; reason: string } | null;
  last_verification_report: null;
  livemode: false;
  metadata: Metadata;
  options: { document?: DocumentOptions };
  redaction: { status: "redacted" } | null;
  related_customer: string | null;
  related_customer_account: null;
  status: IdentityStatus;
  type: "document";
  url: string | null;
};

/** What is asked of the document. */
export type DocumentOptions = {
  allowed_types?: string[];
  require_id_number?: boolean;
  require_live_capture?: boolean;
  require_matching_selfie?: boolean;
};
