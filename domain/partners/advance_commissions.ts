import { nameOfThrown } from "../failure.ts";
import type { Services, StartTimer } from "../ports.ts";
import { createIdPump, type Pump } from "../tasks/pump.ts";
import { sweep } from "../tasks/sweep.ts";
import { countCommission } from "./count_commission.ts";
import { makeStatements } from "./make_statements.ts";

/** Rows of one round. */
const ROUND_MAX = 200;
/** Rounds of one run; the next run goes on from there. */
const ROUNDS_MAX = 5;
/** How long a stop waits for commits under way. */
const STOP_COUNTING_MS = 2_000;

/**
 * Counts the commissions that no process has counted, and then makes the
 * statements that are due. Safe to run twice, in two isolates and after a crash.
 *
 * @throws the first failure, once all were tried
 */
export async function advanceCommissions(services: Services): Promise<void> {
  const { store, clock } = services;
  try {
    await sweep(clock, {
      due: (nowMs) => store.listDue("commissions", nowMs, { limit: ROUND_MAX }),
      rounds: ROUNDS_MAX,
      attempt: ({ id }) => countCommission(services, { invoiceId: id }),
    });
  } finally {
    await sweep(clock, {
      due: (nowMs) => store.listDue("statements", nowMs, { limit: ROUND_MAX }),
      rounds: ROUNDS_MAX,
      attempt: ({ partnerId }) => makeStatements(services, { partnerId }),
    });
  }
}

/**
 * Counts commissions in this process as soon as the money of their invoices has
 * changed. One at a time: those of a partner change the same balance.
 */
export function createCommissionPump(
  services: Services,
  startTimer: StartTimer,
): Pump<string> {
  return createIdPump(
    { lanes: 1, grace: { ms: STOP_COUNTING_MS, startTimer } },
    (invoiceId) => countCommission(services, { invoiceId }),
    (invoice, thrown) => {
      const error = nameOfThrown(thrown);
      services.log.error("partner.commission_uncounted", { invoice, error });
    },
  );
}
