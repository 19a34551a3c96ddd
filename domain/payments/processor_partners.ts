/**
 * Partners' accounts at the processor, and the money that goes there.
 *
 * @module
 */
import type { Outcome, Page, TimeSpan } from "./outcome.ts";

/** The code of a no to a transfer of more than our balance holds. */
export const BALANCE_INSUFFICIENT = "balance_insufficient";

/** The codes of a no about a partner's account that is gone, or another's. */
export const ACCOUNT_GONE: readonly string[] = [
  "resource_missing",
  "account_invalid",
];

/**
 * What a partner's account waits for before it can be paid; `refused` for nothing
 * that would help.
 */
export type AccountWaitsFor = "owner" | "processor" | "refused";

/** A partner's account at the processor. */
export interface ProcessorAccount {
  id: string;
  /** Whose it is, from our own metadata; null for a foreign one. */
  accountId: string | null;
  /** Where its owner lives, which never changes. */
  country: string | null;
  /** Whether its owner has given all that was asked for. */
  detailsSubmitted: boolean;
  /** Whether money can be transferred to it and on to its owner's bank. */
  payoutsEnabled: boolean;
  /** Null for nobody. */
  waitsFor: AccountWaitsFor | null;
}

/** What came back of a transfer. */
export interface TransferReversal {
  id: string;
  amountCents: number;
}

/** A transfer from our balance to a partner's account. */
export interface ProcessorTransfer {
  id: string;
  /** The account it went to. */
  destination: string;
  amountCents: number;
  createdAtMs: number;
  /** Our own; empty for a foreign one. */
  metadata: Record<string, string>;
  /** Oldest first. */
  reversals: readonly TransferReversal[];
}

/** A transfer as a list shows it, without what came back of it. */
export type ListedTransfer = Omit<ProcessorTransfer, "reversals">;

/** The part of the port that pays partners. */
export interface PartnerProcessor {
  /** An account that its owner sets up on the processor's own page. */
  createPartnerAccount(
    input: { accountId: string; email: string; country: string },
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorAccount>>;
  /** A way to that page, for one use and a few minutes. */
  openPartnerSetUp(
    input: { id: string; returnUrl: string; refreshUrl: string },
    idempotencyKey: string,
  ): Promise<Outcome<{ url: string }>>;
  retrievePartnerAccount(id: string): Promise<Outcome<ProcessorAccount>>;
  /** Those of all partners, newest first. */
  listPartnerAccounts(
    createdMs: TimeSpan,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<ProcessorAccount>>>;
  /** Deletes the account for good. No while money lies in it. */
  deletePartnerAccount(
    id: string,
    idempotencyKey: string,
  ): Promise<Outcome<{ id: string }>>;
  /**
   * Transfers EUR. No, as {@linkcode BALANCE_INSUFFICIENT}, for more than there
   * is, and to an account that can't be paid.
   *
   * @param input.group names the payout, by which its transfer is found
   */
  createTransfer(
    input: {
      group: string;
      destination: string;
      amountCents: number;
      metadata: Record<string, string>;
    },
    idempotencyKey: string,
  ): Promise<Outcome<ProcessorTransfer>>;
  /** @throws {ProcessorUncertain} also when more than 100 parts came back */
  retrieveTransfer(id: string): Promise<Outcome<ProcessorTransfer>>;
  /** The transfer of a payout; null when there is none. */
  findTransfer(group: string): Promise<Outcome<ProcessorTransfer | null>>;
  /** Newest first; the cursor is the last page's `nextCursor`. */
  listTransfers(
    createdMs: TimeSpan,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<ListedTransfer>>>;
}
