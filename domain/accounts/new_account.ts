import type { Account } from "./account.ts";

/** An account as it begins: a verified address and nothing else. */
export function newAccount(
  id: string,
  email: string,
  createdAtMs: number,
): Account {
  return {
    id,
    email,
    createdAtMs,
    company: null,
    vatStatus: "unverified",
    identityStatus: "unverified",
    suspendedAtMs: null,
    disputeOpen: false,
    cardRefused: false,
    partner: false,
    paidWins: 0,
    processorCustomerId: null,
    defaultPaymentMethodId: null,
  };
}
