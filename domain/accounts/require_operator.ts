import type { ActBy } from "../audit/operator_act.ts";
import type { Reviewer } from "../creatives/creative_note.ts";
import type { Settings } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account } from "./account.ts";
import { isOperator } from "./eligibility.ts";

/**
 * Lets nobody but an operator see or do what the operators' pages are for.
 *
 * @throws {Refused} `not_found` for whoever is no operator: there is no page
 */
export function requireOperator(account: Account, settings: Settings): void {
  if (isOperator(account, settings)) return;
  refuse({ code: "not_found", message: "Cannot find the page" });
}

/**
 * The operator who is signed in.
 *
 * @throws {Refused} `not_found` for whoever is no operator: there is no desk
 */
export function reviewerOf(account: Account, settings: Settings): Reviewer {
  requireOperator(account, settings);
  return { kind: "operator", accountId: account.id };
}

/** The same as the audit names who acts. */
export function operatorOf(account: Account, settings: Settings): ActBy {
  requireOperator(account, settings);
  return { kind: "account", accountId: account.id, email: account.email };
}
