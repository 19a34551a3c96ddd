import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { isEuCountry } from "../../../domain/tax/countries.ts";
import type { Settings } from "../../../domain/ports.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";

/** What stands in the way of some accounts only. */
const OBSTACLES: readonly EligibilityReason[] = [
  "operator_account",
  "suspended",
  "card_refused",
  "dispute_open",
  "dispute_lost",
];

/** What keeps an account from bidding that is none of the steps to a first bid. */
export function obstaclesOf(
  account: Account,
  settings: Settings,
): EligibilityReason[] {
  const reasons = eligibilityReasons(account, settings);
  return OBSTACLES.filter((reason) => reasons.includes(reason));
}

/** Whether the company is where companies may bid; true while that is unknown. */
export function isServed({ company }: Pick<Account, "company">): boolean {
  return company === null || isEuCountry(company.country);
}
