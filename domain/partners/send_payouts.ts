import { nameOfThrown } from "../failure.ts";
import type { Services, StartTimer } from "../ports.ts";
import { createIdPump, type Pump } from "../tasks/pump.ts";
import { sweep } from "../tasks/sweep.ts";
import { sendPayout } from "./send_payout.ts";

/** Payouts of one run; the next run goes on from there. */
const RUN_MAX = 200;

/**
 * Sends the payouts that are due, one after the other. Safe to run twice, in two
 * isolates and after a crash; one payout's trouble never keeps the others
 * waiting.
 *
 * @throws the first failure, once all were tried
 */
export async function sendPayouts(services: Services): Promise<void> {
  const { store, clock } = services;
  await sweep(clock, {
    due: (nowMs) => store.listDue("payouts", nowMs, { limit: RUN_MAX }),
    attempt: ({ id }) => sendPayout(services, { payoutId: id }),
  });
}

/** How long a stop waits for what is under way. */
const STOP_MS = 2_000;

/** Sends payouts in this process as soon as they are asked for. */
export function createPayoutPump(
  services: Services,
  startTimer: StartTimer,
): Pump<string> {
  return createIdPump(
    { lanes: 1, grace: { ms: STOP_MS, startTimer } },
    (payoutId) => sendPayout(services, { payoutId }),
    (payout, thrown) => {
      const error = nameOfThrown(thrown);
      services.log.error("payout.not_tried", { payout, error });
    },
  );
}
