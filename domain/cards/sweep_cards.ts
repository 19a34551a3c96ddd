import { workThrough } from "../operations/work_through.ts";
import type { Services } from "../ports.ts";
import { decideRemoval } from "./decide_removal.ts";
import { detachCard } from "./detach_card.ts";
import { syncCards } from "./sync_cards.ts";
import { afterSyncFailure } from "./wallet.ts";

/** Removals and accounts of one run; the next run goes on from there. */
const RUN_MAX = 100;
/** How many are worked on at a time, and until when one is begun. */
const LIMITS = { lanes: 4, beginWithinMs: 20_000 };

/**
 * Finishes what removals of cards left behind, then compares the cards of the
 * accounts whose turn it is with the processor's: after a set-up of which
 * nothing was heard, and every account once a day. One account's trouble never
 * keeps the others waiting. Safe to run twice, late and in two isolates.
 */
export async function sweepCards(services: Services): Promise<void> {
  const { store, clock } = services;
  const removals = await store.listDue("cardRemovals", clock.now(), {
    limit: RUN_MAX,
  });
  await workThrough(clock, removals, LIMITS, async ({ paymentMethodId }) => {
    try {
      await decideRemoval(services, paymentMethodId);
      await detachCard(services, paymentMethodId);
    } catch (error) {
      logFailure(services, "card.removal_failed", error);
    }
  });
  const wallets = await store.listDue("cardSyncs", clock.now(), {
    limit: RUN_MAX,
  });
  await workThrough(clock, wallets, LIMITS, async ({ accountId }) => {
    try {
      await syncCards(services, { accountId });
    } catch (error) {
      logFailure(services, "cards.sync_failed", error);
      await postponeSync(services, accountId);
    }
  });
}

function logFailure({ log }: Services, event: string, error: unknown): void {
  log.error(event, { error: String(error) });
}

/** Nobody's comparison keeps being due: it is tried again later and later. */
function postponeSync(
  { store, clock }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const wallet = await tx.wallets.find(accountId);
    if (wallet !== null) tx.wallets.save(afterSyncFailure(wallet, clock.now()));
  });
}
