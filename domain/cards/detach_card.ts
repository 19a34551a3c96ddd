import { ProcessorUncertain } from "../failure.ts";
import type { Services } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  CARD_REMOVAL_EDGES,
  CARD_REMOVAL_KEPT_MS,
  DETACH_FAILURES_MAX,
  detachPauseMs,
} from "./card_removal.ts";

/**
 * Has the processor let go of a card that was taken away here, and writes down
 * what came of it: done, or to be tried again. Detaching twice does nothing
 * more, so that a crash and a second isolate are harmless.
 *
 * @throws {TemporaryFailure} when the store can't be reached
 */
export async function detachCard(
  services: Services,
  paymentMethodId: string,
): Promise<void> {
  const removal = await services.store.cardRemovals.find(paymentMethodId);
  if (removal?.state !== "detaching") return;
  const isDetached = await requestDetach(
    services,
    paymentMethodId,
    removal.failures,
  );
  await recordDetached(services, paymentMethodId, isDetached);
}

/** Whether the processor has let go of the card. */
async function requestDetach(
  { processor, log }: Services,
  paymentMethodId: string,
  failures: number,
): Promise<boolean> {
  try {
    // The processor repeats a saved 500 for a day: each try has its own key.
    const key = `detach:${paymentMethodId}:${failures}`;
    const outcome = await processor.detachCard(paymentMethodId, key);
    // A card that it does not know is attached to nobody.
    if (outcome.ok || outcome.code === "resource_missing") return true;
    log.info("card.detach_refused", { code: outcome.code });
  } catch (error) {
    if (!(error instanceof ProcessorUncertain)) throw error;
    log.info("card.detach_uncertain", { failures });
  }
  return false;
}

function recordDetached(
  { store, clock, log }: Services,
  paymentMethodId: string,
  isDetached: boolean,
): Promise<void> {
  return store.transact(async (tx) => {
    const removal = await tx.cardRemovals.find(paymentMethodId);
    if (removal?.state !== "detaching") return;
    const nowMs = clock.now();
    if (isDetached) {
      const state = advance(CARD_REMOVAL_EDGES, removal.state, "done");
      const expiresAtMs = nowMs + CARD_REMOVAL_KEPT_MS;
      tx.cardRemovals.save({ ...removal, state, expiresAtMs });
      return;
    }
    const failures = removal.failures + 1;
    const dueAtMs = nowMs + detachPauseMs(failures);
    const state = failures < DETACH_FAILURES_MAX
      ? removal.state
      : advance(CARD_REMOVAL_EDGES, removal.state, "given_up");
    if (state === "given_up") {
      // It stays hidden here for ever, and attached there: a person has to look.
      log.error("card.detach_given_up", { account: removal.accountId });
    }
    tx.cardRemovals.save({ ...removal, state, failures, dueAtMs });
  });
}
