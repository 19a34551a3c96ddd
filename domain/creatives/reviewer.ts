import type { Account } from "../accounts/account.ts";
import { requireOperator } from "../accounts/require_operator.ts";
import type { Settings } from "../ports.ts";
import type { Reviewer } from "./creative_note.ts";

/**
 * The operator who is signed in.
 *
 * @throws {Refused} `not_found` for whoever is no operator: there is no desk
 */
export function reviewerOf(account: Account, settings: Settings): Reviewer {
  requireOperator(account, settings);
  return { kind: "operator", accountId: account.id };
}
