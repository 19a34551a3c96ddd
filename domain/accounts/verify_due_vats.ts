import type { Services } from "../ports.ts";
import { Refused } from "../refusal.ts";
import { sweep } from "../tasks/sweep.ts";
import { isKnown } from "./is_known.ts";
import { settleVat } from "./verify_vat.ts";

/** VAT ids of one run; the next run goes on from there. */
export const VATS_PER_RUN = 50;
/** Those that are due among which a run takes accounts that are known first. */
export const VATS_LOOKED_AT = 200;
/** So many in a row without an answer are an outage: the rest can wait. */
const FAILURES_IN_A_ROW_MAX = 3;

/**
 * Checks the VAT ids that are due, settles claims that a crash left, one after the
 * other, as the registry wants it. Safe to run twice and in two isolates: a
 * second answer is recorded over the first.
 */
export async function verifyDueVats(services: Services): Promise<void> {
  let inARow = 0;
  await sweep(services.clock, {
    due: (nowMs) => dueIds(services, nowMs),
    async attempt(accountId) {
      const came = await settle(services, accountId);
      // Who may not ask now says nothing of the registry.
      if (came === "postponed") return;
      inARow = came === "outage" ? inARow + 1 : 0;
      return inARow < FAILURES_IN_A_ROW_MAX ? undefined : "stop";
    },
  });
}

/**
 * The accounts of one run, those that are known before those that cost nothing
 * to make, however many of these are due earlier.
 */
async function dueIds(
  { store }: Pick<Services, "store">,
  nowMs: number,
): Promise<string[]> {
  const due = await store.listDue("vats", nowMs, { limit: VATS_LOOKED_AT });
  const ranked = await Promise.all(due.map(async ({ id }) => {
    const account = await store.accounts.find(id);
    return { id, isKnown: account !== null && isKnown(account) };
  }));
  const known = ranked.filter(({ isKnown }) => isKnown);
  const others = ranked.filter(({ isKnown }) => !isKnown);
  return [...known, ...others].slice(0, VATS_PER_RUN).map(({ id }) => id);
}

/** What came of one: the registry may have failed, or not have been asked. */
async function settle(
  services: Services,
  accountId: string,
): Promise<"settled" | "postponed" | "outage"> {
  try {
    const answer = await settleVat(services, { accountId, networks: [] });
    if (answer?.outcome !== "unknown") return "settled";
    return answer.retryAfterMs === undefined ? "outage" : "postponed";
  } catch (error) {
    // The account is gone: nothing is left to ask.
    if (!(error instanceof Refused)) throw error;
    return "settled";
  }
}
