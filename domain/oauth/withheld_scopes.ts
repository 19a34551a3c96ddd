import type { Account } from "../accounts/account.ts";
import { isOperator } from "../accounts/eligibility.ts";
import type { Settings } from "../ports.ts";
import type { Scope } from "./grant.ts";

/** Why an account can let no agent have a scope. */
export type WithheldReason = "partners_only" | "operators_never_bid";

/** Whether a scope says something to partners only. */
export function isPartnerScope(scope: Scope): boolean {
  return scope.startsWith("affiliate:");
}

/**
 * Why the account can't let an agent have the scope; null where it can. What it
 * may never do itself it can't allow: to ask for it would promise what every use
 * is refused. What it lacks only so far, such as a card, it may allow before.
 */
export function whyWithheld(
  scope: Scope,
  account: Account,
  settings: Settings,
): WithheldReason | null {
  if (isPartnerScope(scope)) return account.partner ? null : "partners_only";
  if (scope === "bids:write" && isOperator(account, settings)) {
    return "operators_never_bid";
  }
  return null;
}

/** Those of the scopes that the account can let an agent have. */
export function grantable(
  scopes: readonly Scope[],
  account: Account,
  settings: Settings,
): Scope[] {
  return scopes.filter((scope) =>
    whyWithheld(scope, account, settings) === null
  );
}
