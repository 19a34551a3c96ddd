/**
 * Identity checks on the processor's hosted page.
 *
 * @module
 */
import type { Outcome, Page } from "./outcome.ts";

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
  /** Whether the processor was told to remove what it collected. */
  isRedacted: boolean;
}

/** The part of the port that checks identities. */
export interface IdentityProcessor {
  createIdentitySession(
    input: { accountId: string; returnUrl: string },
    idempotencyKey: string,
  ): Promise<Outcome<IdentitySession>>;
  retrieveIdentitySession(id: string): Promise<Outcome<IdentitySession>>;
  /** Every check that was ever begun for an account, newest first. */
  listIdentitySessions(
    accountId: string,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<IdentitySession>>>;
  /**
   * Removes for good what a check collected, the document and what was read of
   * it; one that waits for the person ends by it. No for one that is under way
   * or was canceled.
   */
  redactIdentitySession(
    id: string,
    idempotencyKey: string,
  ): Promise<Outcome<IdentitySession>>;
}
