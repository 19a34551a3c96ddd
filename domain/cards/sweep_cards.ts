import type { Services } from "../ports.ts";
import { sweep } from "../tasks/sweep.ts";
import { decideRemoval } from "./decide_removal.ts";
import { detachCard } from "./detach_card.ts";
import { syncCards } from "./sync_cards.ts";
import { afterSyncFailure } from "./cards_state.ts";

/** Removals of one run; the next run goes on from there. */
const REMOVALS_A_RUN = 100;
/**
 * Accounts of one run. The job has 288 runs a day and each account its turn once
 * a day, so this is more than 280,000 accounts.
 */
const ACCOUNTS_A_RUN = 1_000;
/** How many are worked on at a time, and until when one is begun. */
const LIMITS = { lanes: 4, beginWithinMs: 20_000 };
/** A run of accounts ends before the next one, five minutes later, begins. */
const ACCOUNTS_WITHIN_MS = 4 * 60_000;

/**
 * Finishes what removals of cards left behind, then compares the cards of the
 * accounts whose turn it is with the processor's: after a set-up of which
 * nothing was heard, and every account once a day. One account's trouble never
 * keeps the others waiting. Safe to run twice, late and in two isolates.
 */
export async function sweepCards(services: Services): Promise<void> {
  const { store, clock, log } = services;
  await sweep(clock, {
    ...LIMITS,
    due: (nowMs) =>
      store.listDue("cardRemovals", nowMs, { limit: REMOVALS_A_RUN }),
    async attempt({ paymentMethodId }) {
      await decideRemoval(services, paymentMethodId);
      await detachCard(services, paymentMethodId);
    },
    failed: (_, error) =>
      log.info("card.removal_failed", { error: String(error) }),
  });
  await sweep(clock, {
    ...LIMITS,
    beginWithinMs: ACCOUNTS_WITHIN_MS,
    due: (nowMs) =>
      store.listDue("cardSyncs", nowMs, { limit: ACCOUNTS_A_RUN }),
    attempt: ({ accountId }) => syncCards(services, { accountId }),
    async failed({ accountId }, error) {
      log.info("cards.sync_failed", { error: String(error) });
      await postponeSync(services, accountId);
    },
  });
}

/** Postpones the next sync of an account, longer after each failure. */
function postponeSync(
  { store, clock }: Services,
  accountId: string,
): Promise<void> {
  return store.transact(async (tx) => {
    const cardsState = await tx.wallets.find(accountId);
    if (cardsState !== null) {
      tx.wallets.save(afterSyncFailure(cardsState, clock.now()));
    }
  });
}
