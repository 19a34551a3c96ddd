import type { Account } from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Html } from "../../pages/html.ts";
import type { Step } from "../ui/steps.tsx";
import { readAdsProgress } from "./ads_progress.ts";
import { firstStepsOf } from "./first_steps.ts";

/** The first of the steps to a first bid that is not done, and which it is. */
export interface StepAhead extends Step {
  /** From 1. */
  nth: number;
  of: number;
  /** Taken on this page. */
  isHere: boolean;
}

/** The steps to a first bid; null where only bidding is left, or none may be taken. */
export async function readFirstSteps(
  { store, settings }: Pick<Services, "store" | "settings">,
  account: Account,
): Promise<Step[] | null> {
  const reasons = eligibilityReasons(account, settings);
  if (reasons.includes("operator_account")) return null;
  const ads = await readAdsProgress(store, account.id);
  return firstStepsOf({ account, reasons, ads });
}

/**
 * The step that an advertiser takes next, which may be on this page; null where
 * only bidding is left.
 *
 * @param here the path of the page
 */
export function stepAhead(
  steps: readonly Step[] | null,
  here: string,
): StepAhead | null {
  if (steps === null) return null;
  const at = steps.findIndex(({ isDone }) => !isDone);
  const step = steps[at];
  if (step === undefined) return null;
  const isHere = step.button[0] === here;
  return { ...step, nth: at + 1, of: steps.length, isHere };
}

/** Whether a step is taken on another page, which the main button leads to. */
export function leadsOn(step: StepAhead | null): boolean {
  return step !== null && !step.isHere;
}

/** The same for a page that shows no other step. */
export async function readNextStep(
  services: Pick<Services, "store" | "settings">,
  account: Account,
  here: string,
): Promise<StepAhead | null> {
  return stepAhead(await readFirstSteps(services, account), here);
}

/**
 * Says which step this page is, or leads on from one that is done, so that nobody
 * looks for the way.
 */
export function NextStep({ step }: { step: StepAhead | null }): Html | null {
  if (step === null) return null;
  const { nth, of, label, says, button: [href, name] } = step;
  if (step.isHere) {
    return <p class="quiet">Step {nth} of {of} to your first bid</p>;
  }
  return (
    <section class="next">
      <p>
        Step {nth} of {of}: <strong>{label}</strong>
        {says !== undefined && (
          <>
            <br />
            <span class="quiet">{says}</span>
          </>
        )}
      </p>
      <p>
        <a class="button main" href={href}>{name}</a>
      </p>
    </section>
  );
}
