import type { Account, PaymentMethod } from "../accounts/account.ts";
import { isRefused, usableCards } from "./card.ts";

/** What happened to the cards of an account. */
export interface CardChange {
  /** The newest card that was set up, which the processor has just checked. */
  added?: PaymentMethod;
  /** The refused card was removed, or another one was chosen. */
  resolved?: boolean;
}

/**
 * The account once its cards are these: the first card becomes the default,
 * another takes the place of one that went, and a new card that of a refused
 * one. `card_refused` holds until a new card was set up that is not the refused
 * number again, another one is charged
 * from now on, or the refused one is gone. It holds again for a default that was
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
