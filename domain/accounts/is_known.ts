import type { Account } from "./account.ts";

/** Whether an account has more than an address of e-mail, which costs nothing. */
export function isKnown(
  { identityStatus, defaultPaymentMethodId }: Account,
): boolean {
  return identityStatus === "verified" || defaultPaymentMethodId !== null;
}
