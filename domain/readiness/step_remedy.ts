import type { Account } from "../accounts/account.ts";
import { vatCaseOf, vatDueAtMs } from "../accounts/vat_claim.ts";
import { isoTime } from "../day.ts";
import { stepsBeforeIdentity } from "../identity/identity_steps.ts";
import { labelOf, pageOf, PAGES } from "../pages.ts";
import type { HumanStep } from "../refusal.ts";
import {
  type NextAction,
  soonest,
  userStep,
  waitStep,
  type WaitTime,
} from "./next_action.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** What an operator decides is read again so often, seconds. */
export const DECISION_POLL_S = 15 * 60;
/** What the processor decides about a person takes minutes. */
const IDENTITY_POLL_S = 5 * 60;
/** What is due is done within a minute or two. */
const DUE_POLL_S = 60;

/** What a wait takes for something that is due at that moment. */
export function dueTime(dueAtMs: number, nowMs: number): WaitTime {
  return dueAtMs > nowMs
    ? { until: isoTime(dueAtMs) }
    : { poll_after_seconds: DUE_POLL_S };
}

/** Of several steps that are missing, the one that helps soonest. */
export function stepsRemedy(
  steps: readonly HumanStep[],
  snapshot: BidSnapshot,
): NextAction | undefined {
  const remedies = steps.map((step) => stepRemedy(step, snapshot));
  return soonest(remedies, snapshot.nowMs);
}

/** A person's step, or a wait where somebody else has to decide first. */
export function stepRemedy(step: HumanStep, snapshot: BidSnapshot): NextAction {
  return insteadOf(step, snapshot) ?? userStep(labelOf(step), pageOf(step));
}

/** Nobody is sent where all that they could do has been done, or is not yet due. */
function insteadOf(
  step: HumanStep,
  snapshot: BidSnapshot,
): NextAction | null {
  const { account, identityPending, nowMs } = snapshot;
  if (step === "vat_unverified") return waitForVat(account, nowMs);
  if (step !== "identity_unverified") return null;
  if (!identityPending) return beforeIdentity(snapshot);
  return waitStep(
    "Wait until the check of the user's identity is decided",
    PAGES.identity,
    { poll_after_seconds: IDENTITY_POLL_S },
  );
}

/** The remedy of what a check of identity waits for; null for nothing. */
function beforeIdentity(snapshot: BidSnapshot): NextAction | null {
  return stepsRemedy(stepsBeforeIdentity(snapshot.account), snapshot) ?? null;
}

/** For the registry, which may be down, or for an operator who compares. */
function waitForVat(account: Account, nowMs: number): NextAction | null {
  if (vatCaseOf(account) !== null) {
    return waitStep(
      "Wait until an operator has compared the VAT id with the company",
      PAGES.onboarding,
      { poll_after_seconds: DECISION_POLL_S },
    );
  }
  const dueAtMs = vatDueAtMs(account);
  if (dueAtMs === null) return null;
  return waitStep(
    "Wait until the VAT registry has answered: it is asked again without you",
    PAGES.onboarding,
    dueTime(dueAtMs, nowMs),
  );
}
