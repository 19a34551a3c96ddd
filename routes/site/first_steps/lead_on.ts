import { waitingRename } from "../../../domain/accounts/rename.ts";
import type { Services } from "../../../domain/ports.ts";
import type { DoneAt } from "../pages/done_note.ts";
import { readFirstSteps } from "./next_step.tsx";

/** What the page of the next step says of the one before. */
export const STEP_NOTES = {
  company: "Your company was saved and verified.",
  card: "Your card was saved.",
  identity: "Your identity is verified.",
} as const;

/** A step to a first bid that somebody has just taken. */
interface TakenStep {
  accountId: string;
  /** The path of the page on which it is taken. */
  here: string;
  step: keyof typeof STEP_NOTES;
}

/**
 * Where a step to a first bid leads that was just taken: to the page of the one
 * behind it, which says so, where that is what is left to do, so that nobody
 * looks for the way. Null where it is not: they stay on the page, which says how
 * things stand. How they stood before does not count: what the processor told of
 * a card may have come sooner than the browser.
 */
export async function leadOn(
  services: Pick<Services, "store" | "settings">,
  { accountId, here, step }: TakenStep,
): Promise<DoneAt | null> {
  const account = await services.store.accounts.find(accountId);
  // The page itself says that another name waits for us.
  if (account !== null && waitingRename(account) !== null) return null;
  const steps = account && await readFirstSteps(services, account);
  const at = steps?.findIndex(({ isDone }) => !isDone) ?? -1;
  const [taken, next] = [steps?.[at - 1], steps?.[at]];
  if (next === undefined || taken?.button[0] !== here) return null;
  return { path: next.button[0], done: step };
}
