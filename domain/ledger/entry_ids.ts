/**
 * The ids of entries that book what the processor did with a payment it had
 * taken: each names the very refund or movement, so that nothing is booked twice
 * and the books can be compared line by line.
 *
 * @module
 */

/**
 * The entry of a refund.
 *
 * @param refundId the processor's
 */
export function refundEntryId(refundId: string): string {
  return `refund:${refundId}`;
}

/**
 * The entry that takes a refund back which did not reach the payer.
 *
 * @param refundId the processor's
 */
export function refundFailureEntryId(refundId: string): string {
  return `refund_failure:${refundId}`;
}

/**
 * The entry of one movement of a dispute.
 *
 * @param disputeId the processor's
 * @param movementId the processor's, of the movement of our balance
 */
export function disputeEntryId(disputeId: string, movementId: string): string {
  return `dispute:${disputeId}:${movementId}`;
}
