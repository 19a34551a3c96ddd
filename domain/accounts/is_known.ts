import type { Account } from "./account.ts";

/** Whether an account has more than an address of e-mail, which costs nothing. */
export function isKnown(
  { identityStatus, defaultPaymentMethodId }: Account,
): boolean {
  return identityStatus === "verified" || defaultPaymentMethodId !== null;
}

/**
 * Whether a card alone tells of it. One card can be given to any number of
 * accounts, so that what they cost is counted by the card.
 */
export function isKnownByCard(
  { identityStatus, defaultPaymentMethodId }: Account,
): boolean {
  return identityStatus !== "verified" && defaultPaymentMethodId !== null;
}
