import type { Account } from "../accounts/account.ts";
import { claimedVatId } from "../accounts/vat_claim.ts";
import type { HumanStep } from "../refusal.ts";

/**
 * What comes before a check of identity, which is paid for: what costs nothing
 * to us. That the registry knows the VAT id is enough, since nobody holds one
 * before identity and card.
 */
export function stepsBeforeIdentity(account: Account): HumanStep[] {
  const { suspendedAtMs, company, vatStatus, defaultPaymentMethodId } = account;
  const isRegistered = vatStatus === "valid" || claimedVatId(account) !== null;
  const steps: HumanStep[] = [];
  if (suspendedAtMs !== null) steps.push("suspended");
  if (company === null) steps.push("onboarding_incomplete");
  if (!isRegistered) steps.push("vat_unverified");
  if (defaultPaymentMethodId === null) steps.push("no_payment_method");
  return steps;
}
