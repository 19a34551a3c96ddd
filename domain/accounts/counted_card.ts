import type { Account } from "./account.ts";
import type { Services } from "../ports.ts";

/** Where cards are found. */
export interface CardRows {
  paymentMethods: Pick<Services["store"]["paymentMethods"], "find">;
}

/**
 * What is counted by an account's default card. One number is one card, under
 * however many accounts it was saved; where the processor does not tell its
 * fingerprint, nothing is known of other accounts, and it is the account's own.
 */
export async function countedCard(
  { paymentMethods }: CardRows,
  { id, defaultPaymentMethodId }: Pick<
    Account,
    "id" | "defaultPaymentMethodId"
  >,
): Promise<string> {
  const card = defaultPaymentMethodId === null
    ? null
    : await paymentMethods.find(id, defaultPaymentMethodId);
  return card?.fingerprint ?? id;
}
