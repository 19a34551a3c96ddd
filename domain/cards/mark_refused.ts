import type { Account, PaymentMethod } from "../accounts/account.ts";
import type { Transaction } from "../ports.ts";
import { cardsStateOf } from "./cards_state.ts";

/**
 * Refused cards that an account remembers. An account bids once for a day, so
 * they are those of a hundred days at least: who takes turns with empty cards
 * needs a hundred, each of which a bank has checked, for each to be tried again
 * after months. A number has some 16 letters, so that the account stays small.
 */
export const REFUSED_MAX = 100;

/**
 * Writes in the caller's own commit that a winning bid could not be charged to
 * a card. The new version makes a change of the cards that is under way begin
 * again.
 *
 * @returns the card as it was; null when it is not saved any more
 */
export async function markRefused(
  tx: Pick<Transaction, "accounts" | "paymentMethods" | "wallets">,
  account: Account,
  { paymentMethodId, nowMs }: { paymentMethodId: string; nowMs: number },
): Promise<PaymentMethod | null> {
  const card = await tx.paymentMethods.find(account.id, paymentMethodId);
  const cardsState = await cardsStateOf(tx, account.id);
  tx.accounts.save({ ...withRefused(account, card), cardRefused: true });
  if (card === null) return null;
  tx.paymentMethods.save({ ...card, refusedAtMs: nowMs });
  tx.wallets.save({ ...cardsState, version: cardsState.version + 1 });
  return card;
}

function withRefused(account: Account, card: PaymentMethod | null): Account {
  const fingerprint = card?.fingerprint ?? null;
  if (fingerprint === null) return account;
  const before = (account.refusedFingerprints ?? [])
    .filter((each) => each !== fingerprint);
  const refusedFingerprints = [...before, fingerprint].slice(-REFUSED_MAX);
  return { ...account, refusedFingerprints };
}
