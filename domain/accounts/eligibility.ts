import type { Settings } from "../ports.ts";
import type { EligibilityReason } from "../refusal.ts";
import type { Account } from "./account.ts";
import { isWaitingClaim } from "./vat_claim.ts";

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
    ["operator_account", isOperator(account, settings)],
    ["suspended", isSuspended(account)],
    ["onboarding_incomplete", account.company === null],
    // A claim that waits for identity and card needs nothing else.
    [
      "vat_unverified",
      account.vatStatus !== "valid" && !isWaitingClaim(account),
    ],
    ["identity_unverified", account.identityStatus !== "verified"],
    ["no_payment_method", account.defaultPaymentMethodId === null],
    ["card_refused", account.cardRefused],
    ["dispute_open", hasOpenDispute(account)],
    ["dispute_lost", hasLostDispute(account)],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
}

/** Whether an operator has suspended it; no account is not. */
export function isSuspended(
  account: Pick<Account, "suspendedAtMs"> | null,
): boolean {
  return account !== null && account.suspendedAtMs !== null;
}

/** Whether a dispute blocks the account that its bank has not decided. */
export function hasOpenDispute(
  { disputeOpen, blockingDisputes = [], lostDisputes = [] }: Disputes,
): boolean {
  if (!disputeOpen) return false;
  // Rows without a list say only that they are blocked.
  return blockingDisputes.length === 0 ||
    blockingDisputes.some((id) => !lostDisputes.includes(id));
}

/** Whether a dispute blocks the account that was lost to its owner. */
export function hasLostDispute(
  { disputeOpen, lostDisputes = [] }: Disputes,
): boolean {
  return disputeOpen && lostDisputes.length > 0;
}

type Disputes = Pick<
  Account,
  "disputeOpen" | "blockingDisputes" | "lostDisputes"
>;
