import type { Account, PaymentMethod } from "../accounts/account.ts";
import { isRefused, usableCards } from "./card.ts";

/**
 * The account once its cards are these: the first card becomes the default,
 * another takes the place of one that went, and a new card that of a refused
 * one. `card_refused` holds exactly while the default is a card that was
 * refused. An account without a card keeps it until it has one that was not.
 *
 * @param cards every row, those that are being taken away included
 * @param newest the newest card that was set up, which the processor has just
 * checked
 */
export function withCards(
  account: Account,
  cards: readonly PaymentMethod[],
  newest?: PaymentMethod,
): Account {
  const usable = usableCards(cards);
  const added = newest && !isRefused(newest) ? newest : undefined;
  const card = defaultOf(account, usable, added);
  const cardRefused = card === undefined
    ? account.cardRefused
    : isRefused(card);
  return { ...account, defaultPaymentMethodId: card?.id ?? null, cardRefused };
}

function defaultOf(
  account: Account,
  usable: readonly PaymentMethod[],
  added: PaymentMethod | undefined,
): PaymentMethod | undefined {
  const { defaultPaymentMethodId } = account;
  const current = usable.find(({ id }) => id === defaultPaymentMethodId);
  const isMissing = current === undefined || isRefused(current);
  if (added !== undefined && isMissing) return added;
  if (current !== undefined) return current;
  return usable.find((card) => !isRefused(card)) ?? usable[0];
}
