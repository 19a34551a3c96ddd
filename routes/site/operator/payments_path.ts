/** Where what was booked of one payment is read, by its id. */
export const PAYMENTS_PATH = "/operator/money/payments";

/** The address of what was booked of a payment. */
export function paymentPath(paymentId: string): string {
  return `${PAYMENTS_PATH}/${encodeURIComponent(paymentId)}`;
}
