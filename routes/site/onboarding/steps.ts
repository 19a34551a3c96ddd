import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import type { Settings } from "../../../domain/ports.ts";
import { labelOf } from "../../../domain/readiness/pages.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";

/** One thing that bidding takes. */
export interface Step {
  label: string;
  state: "done" | "here" | "later";
}

/** What bidding takes of every company, with what is done on this page. */
const STEPS: readonly {
  reason: EligibilityReason;
  label: string;
  here: boolean;
}[] = [
  {
    reason: "onboarding_incomplete",
    label: "Company name and address",
    here: true,
  },
  { reason: "vat_unverified", label: "A verified VAT id", here: true },
  { reason: "identity_unverified", label: "Your identity", here: false },
  {
    reason: "no_payment_method",
    label: "A card that is charged if a bid wins",
    here: false,
  },
];

/** What stands in the way of some accounts only. */
const OBSTACLES: readonly EligibilityReason[] = [
  "card_refused",
  "dispute_open",
  "suspended",
  "operator_account",
];

/** The steps to the first bid, in order, and what else stands in the way. */
export function stepsOf(
  account: Account,
  settings: Settings,
): { steps: readonly Step[]; obstacles: readonly string[] } {
  const reasons = eligibilityReasons(account, settings);
  const steps = STEPS.map(({ reason, label, here }): Step => ({
    label,
    state: !reasons.includes(reason) ? "done" : here ? "here" : "later",
  }));
  const obstacles = OBSTACLES.filter((reason) => reasons.includes(reason));
  return { steps, obstacles: obstacles.map(labelOf) };
}
