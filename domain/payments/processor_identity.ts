/**
 * Identity checks on the processor's hosted page.
 *
 * @module
 */
import type { Outcome } from "./outcome.ts";

/** How far a check of identity is. */
export interface IdentitySession {
  id: string;
  /** A new one is in `requires_input`, which is no failure by itself. */
  status: "requires_input" | "processing" | "verified" | "canceled";
  /** Whose it is, from our own metadata; null for a foreign one. */
  accountId: string | null;
  /** Why the last try failed, in the processor's words. */
  lastErrorCode: string | null;
  /** The hosted page, for one use, while input is wanted. */
  url: string | null;
}

/** The part of the port that checks identities. */
export interface IdentityProcessor {
  createIdentitySession(
    input: { accountId: string; returnUrl: string },
    idempotencyKey: string,
  ): Promise<Outcome<IdentitySession>>;
  retrieveIdentitySession(id: string): Promise<Outcome<IdentitySession>>;
}
