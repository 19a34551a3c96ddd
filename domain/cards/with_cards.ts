import type { Account, PaymentMethod } from "../accounts/account.ts";
import { isRefused, usableCards } from "./card.ts";

/** What happened to the cards of an account. */
export interface CardChange {
  /** The newest card that was set up, which the processor has just checked. */
  added?: PaymentMethod;
  /** The refused card was removed, or one that was not refused was chosen. */
  resolved?: boolean;
}

/**
 * The account once its cards are these: the first card becomes the default,
 * another takes the place of one that went, and a new card that of a refused
 * one. `card_refused`, whichever card was refused, holds until a new card was
 * set up that is not the refused number again, one that was not refused was
 * chosen, or the refused one is gone. It holds again for a default that was
 * itself refused.
 *
 * @param cards every row, those that are being taken away included
 */
export function withCards(
  account: Account,
  cards: readonly PaymentMethod[],
  { added: newest, resolved = false }: CardChange,
): Account {
  const usable = usableCards(cards);
  const added = newest && !isRefused(newest) ? newest : undefined;
  const card = defaultOf(account, usable, added);
  const isResolved = resolved || added !== undefined;
  const cardRefused = card === undefined
    ? account.cardRefused
    : isRefused(card) || (account.cardRefused && !isResolved);
  return { ...account, defaultPaymentMethodId: card?.id ?? null, cardRefused };
}

/**
 * The account once its owner has chosen the card that new bids are charged to.
 * That it names a card that was not refused ends `card_refused`, though the card
 * was the default before.
 */
export function withChosen(
  account: Account,
  cards: readonly PaymentMethod[],
  id: string,
): Account {
  const chosen = { ...account, defaultPaymentMethodId: id };
  return withCards(chosen, cards, { resolved: true });
}

function defaultOf(
  account: Account,
  usable: readonly PaymentMethod[],
  added: PaymentMethod | undefined,
): PaymentMethod | undefined {
  const { defaultPaymentMethodId, cardRefused } = account;
  const current = usable.find(({ id }) => id === defaultPaymentMethodId);
  const isMissing = current === undefined || isRefused(current) || cardRefused;
  if (added !== undefined && isMissing) return added;
  if (current !== undefined) return current;
  return usable.find((card) => !isRefused(card)) ?? usable[0];
}
