import type { Settings } from "../ports.ts";
import type { EligibilityReason } from "../refusal.ts";
import type { Account } from "./account.ts";

/** Whether the account belongs to the operator, who never bids. */
export function isOperator(account: Account, settings: Settings): boolean {
  return settings.operatorEmails.includes(account.email);
}

/**
 * Why the account may not bid, in the order the reasons are listed; empty means
 * that it may. Bids, readiness and settlement all ask here.
 */
export function eligibilityReasons(
  account: Account,
  settings: Settings,
): EligibilityReason[] {
  const reasons: [EligibilityReason, boolean][] = [
    ["onboarding_incomplete", account.company === null],
    ["vat_unverified", account.vatStatus !== "valid"],
    ["identity_unverified", account.identityStatus !== "verified"],
    ["no_payment_method", account.defaultPaymentMethodId === null],
    ["card_refused", account.cardRefused],
    ["dispute_open", account.disputeOpen],
    ["suspended", account.suspendedAtMs !== null],
    ["operator_account", isOperator(account, settings)],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
}
