import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { isEuCountry } from "../../../domain/tax/countries.ts";
import type { Settings } from "../../../domain/ports.ts";
import { labelOf, pageOf, PAGES } from "../../../domain/pages.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";

/** One thing that bidding takes. */
export interface Step {
  label: string;
  isDone: boolean;
  /** The page on which it is done; null for the one that lists the steps. */
  page: string | null;
}

/** What bidding takes of every company. */
const STEPS: readonly { reason: EligibilityReason; label: string }[] = [
  { reason: "onboarding_incomplete", label: "Company name and address" },
  { reason: "vat_unverified", label: "A verified VAT id" },
  {
    reason: "no_payment_method",
    label: "A card that is charged if a bid wins",
  },
  { reason: "identity_unverified", label: "Your identity" },
];

/** What stands in the way of an account, and the page about it. */
export interface Obstacle {
  label: string;
  page: string;
}

/** What stands in the way of some accounts only. */
const OBSTACLES: readonly EligibilityReason[] = [
  "operator_account",
  "suspended",
  "card_refused",
  "dispute_open",
  "dispute_lost",
];

/** The steps to the first bid, in order, and what else stands in the way. */
export function stepsOf(
  account: Account,
  settings: Settings,
): { steps: readonly Step[]; obstacles: readonly Obstacle[] } {
  const reasons = eligibilityReasons(account, settings);
  // Nothing that follows helps a company that can't have a VAT id of the Union.
  const steps = isServed(account) ? stepsIn(reasons) : [];
  const obstacles = OBSTACLES.filter((reason) => reasons.includes(reason));
  return { steps, obstacles: obstacles.map(obstacleOf) };
}

/** Whether the company is where companies may bid; true while that is unknown. */
export function isServed({ company }: Pick<Account, "company">): boolean {
  return company === null || isEuCountry(company.country);
}

function stepsIn(reasons: readonly EligibilityReason[]): Step[] {
  return STEPS.map(({ reason, label }): Step => {
    const page = pageOf(reason);
    return {
      label,
      isDone: !reasons.includes(reason),
      page: page === PAGES.onboarding ? null : page,
    };
  });
}

function obstacleOf(reason: EligibilityReason): Obstacle {
  return { label: labelOf(reason), page: pageOf(reason) };
}
