/**
 * What partners earn and are paid, as the books have it.
 *
 * @module
 */
import type { Movement } from "./entry.ts";

/** A partner earned so much more, or less: we owe it. Cents. */
export function commissionMovement(cents: number): Movement {
  return { commission_expense: cents, partner_payable: -cents };
}

/** What we owed left us by a transfer. Cents. */
export function payoutMovement(cents: number): Movement {
  return { partner_payable: cents, processor_clearing: -cents };
}

/**
 * The entry of one change of what an invoice's commission comes to.
 *
 * @param change counts from 1
 */
export function commissionEntryId(invoiceId: string, change: number): string {
  return `commission:${invoiceId}:${change}`;
}

/**
 * The entry of a transfer to a partner.
 *
 * @param transferId the processor's
 */
export function payoutEntryId(transferId: string): string {
  return `payout:${transferId}`;
}

/**
 * The entry of a transfer that came back, or of a part of it.
 *
 * @param reversalId the processor's
 */
export function payoutReversalEntryId(reversalId: string): string {
  return `payout_reversal:${reversalId}`;
}
