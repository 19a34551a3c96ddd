import type { Account } from "../accounts/account.ts";
import { withSubmission } from "../accounts/rename.ts";
import { type Answered, commitOnce, done } from "../idempotency/answer_once.ts";
import type { Services } from "../ports.ts";
import { humanStepsRefusal } from "../pages.ts";
import { type HumanStep, refuse } from "../refusal.ts";
import { advance } from "../state_machine.ts";
import { stepsBeforeIdentity } from "../identity/identity_steps.ts";
import type { CreativeRequest } from "./create_creative.ts";
import { CREATIVE_STATES } from "./creative.ts";
import { type CreativeRecord, toCreativeRecord } from "./creative_record.ts";
import { saveWithNote } from "./creative_note.ts";
import {
  ownCreative,
  refuseInState,
  refuseUnknownCreative,
} from "./own_creative.ts";

/**
 * Hands a draft to the operator's desk. One that is there already is answered
 * as it stands. The advertiser has to have a name by then, which readers see.
 *
 * @throws {Refused} `creative_not_found`; `creative_refused` for any other
 * state; `human_step_required` before the check of identity and what comes before
 * that, and while suspended; `idempotency_conflict`
 */
export function submitCreative(
  services: Pick<Services, "store" | "clock">,
  { accountId, grantId, adId, binding }: CreativeRequest & { adId: string },
): Promise<Answered<CreativeRecord>> {
  return commitOnce(services, binding, async (tx, nowMs) => {
    const creative = await ownCreative(tx, { accountId, adId });
    const { state } = creative;
    if (state === "submitted") return done(toCreativeRecord(creative));
    if (state !== "draft") refuseInState(creative, "submit");
    const account = await tx.accounts.find(accountId);
    // An account that was erased meanwhile has no creatives any more.
    if (account === null) refuseUnknownCreative(adId);
    const steps = stepsBeforeReview(account);
    if (steps.length > 0) refuse(humanStepsRefusal(steps));
    // Whoever renames the company at the same time has to see it.
    tx.accounts.save(withSubmission(account));
    const submitted = saveWithNote(tx, {
      ...creative,
      state: advance(CREATIVE_STATES, state, "submitted"),
      updatedAtMs: nowMs,
      submittedAtMs: nowMs,
    }, {
      event: "submitted",
      by: { kind: "advertiser", grantId },
      atMs: nowMs,
    });
    return done(toCreativeRecord(submitted));
  });
}

/**
 * What a person has to do before the desk looks at anything. A person looks at
 * it there, so a person has to be known here: accounts alone cost nothing.
 */
export function stepsBeforeReview(
  account: Account,
): HumanStep[] {
  const { company, identityStatus, suspendedAtMs } = account;
  if (identityStatus !== "verified") {
    return [...stepsBeforeIdentity(account), "identity_unverified"];
  }
  const steps: HumanStep[] = [];
  if (suspendedAtMs !== null) steps.push("suspended");
  if (company === null) steps.push("onboarding_incomplete");
  return steps;
}
