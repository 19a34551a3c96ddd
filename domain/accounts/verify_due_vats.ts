import type { Services } from "../ports.ts";
import { Refused } from "../refusal.ts";
import { sweep } from "../tasks/sweep.ts";
import { vatCheckOf } from "./vat_check.ts";
import { verifyVat } from "./verify_vat.ts";

/** VAT ids of one run; the next run goes on from there. */
export const VATS_PER_RUN = 50;
/** So many in a row without an answer are an outage: the rest can wait. */
const FAILURES_IN_A_ROW_MAX = 3;

/**
 * Checks the VAT ids that are due, settles claims that a crash left, one after the
 * other, as the registry wants it. Safe to run twice and in two isolates: a
 * second answer is recorded over the first.
 */
export async function verifyDueVats(services: Services): Promise<void> {
  const { store, clock } = services;
  let inARow = 0;
  await sweep(clock, {
    due: (nowMs) => store.listDue("vats", nowMs, { limit: VATS_PER_RUN }),
    async attempt({ id: accountId }) {
      inARow = await recordAnswer(services, accountId) ? 0 : inARow + 1;
      return inARow < FAILURES_IN_A_ROW_MAX ? undefined : "stop";
    },
  });
}

/** Verifies the id; whether the registry had an answer, whatever it was. */
async function recordAnswer(
  services: Services,
  accountId: string,
): Promise<boolean> {
  try {
    const account = await verifyVat(services, { accountId });
    return (vatCheckOf(account)?.failures ?? 0) === 0;
  } catch (error) {
    // The account is gone: nothing is left to ask.
    if (!(error instanceof Refused)) throw error;
    return true;
  }
}
