import { isOperator } from "../accounts/eligibility.ts";
import type { Account } from "../accounts/account.ts";
import type { Settings } from "../ports.ts";
import { refuse } from "../refusal.ts";

/**
 * Lets nobody but an operator see or do what the money page is for.
 *
 * @throws {Refused} `not_found` for whoever is no operator: there is no page
 */
export function requireOperator(account: Account, settings: Settings): void {
  if (isOperator(account, settings)) return;
  refuse({ code: "not_found", message: "Cannot find the page" });
}
