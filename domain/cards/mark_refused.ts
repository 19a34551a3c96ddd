import type { Account, PaymentMethod } from "../accounts/account.ts";
import type { Transaction } from "../ports.ts";
import { isRefused } from "./card.ts";
import { cardsStateOf } from "./cards_state.ts";

/**
 * Refused cards that an account remembers. An account bids once for a day, so
 * they are those of a hundred days at least: who takes turns with empty cards
 * needs a hundred, each of which a bank has checked, for each to be tried again
 * after months. A number has some 16 letters, so that the account stays small.
 */
export const REFUSED_MAX = 100;

/** A card that was refused, and what that means for its account. */
export interface MarkedRefused {
  /** As it was; null when it is not saved any more. */
  card: PaymentMethod | null;
  /** Whether the account may not bid until it has another card. */
  isBlocking: boolean;
}

/**
 * Writes in the caller's own commit that a winning bid could not be charged to
 * a card. It keeps the account from bidding unless another card is its default
 * that was not refused: new bids are charged to that one anyway (decision
 * 0150). The new version makes a change of the cards that is under way begin
 * again.
 */
export async function markRefused(
  tx: Pick<Transaction, "accounts" | "paymentMethods" | "wallets">,
  account: Account,
  { paymentMethodId, nowMs }: { paymentMethodId: string; nowMs: number },
): Promise<MarkedRefused> {
  const card = await tx.paymentMethods.find(account.id, paymentMethodId);
  const cardsState = await cardsStateOf(tx, account.id);
  const isBlocking = !await hasOtherDefault(tx, account, paymentMethodId);
  const marked = withRefused(account, card);
  tx.accounts.save({
    ...marked,
    cardRefused: account.cardRefused || isBlocking,
  });
  if (card === null) return { card, isBlocking };
  tx.paymentMethods.save({ ...card, refusedAtMs: nowMs });
  tx.wallets.save({ ...cardsState, version: cardsState.version + 1 });
  return { card, isBlocking };
}

/** Whether new bids are charged to another card, which was not refused. */
async function hasOtherDefault(
  tx: Pick<Transaction, "paymentMethods">,
  { id: accountId, defaultPaymentMethodId: id }: Account,
  refusedId: string,
): Promise<boolean> {
  if (id === null || id === refusedId) return false;
  const card = await tx.paymentMethods.find(accountId, id);
  return card !== null && !isRefused(card);
}

function withRefused(account: Account, card: PaymentMethod | null): Account {
  const fingerprint = card?.fingerprint ?? null;
  if (fingerprint === null) return account;
  const before = (account.refusedFingerprints ?? [])
    .filter((each) => each !== fingerprint);
  const refusedFingerprints = [...before, fingerprint].slice(-REFUSED_MAX);
  return { ...account, refusedFingerprints };
}
