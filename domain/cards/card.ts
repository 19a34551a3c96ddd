import type { PaymentMethod } from "../accounts/account.ts";
import { newestFirst } from "../newest_first.ts";

/** Saved cards of one account. */
export const CARDS_MAX = 10;
/** Rows of one account that are read: those being taken away are among them. */
export const CARDS_READ_MAX = 100;

/** The form of the processor's ids; no other text reaches a key. */
const CARD_ID_SHAPE = /^pm_[A-Za-z0-9_]{1,252}$/;

/** Whether a text may be the id of a card. */
export function isCardId(text: string): boolean {
  return CARD_ID_SHAPE.test(text);
}

/** Whether new bids may name the card: it is not being taken away. */
export function isUsable(card: PaymentMethod): boolean {
  return card.endingSinceMs === undefined;
}

/** Whether a winning bid could not be charged to the card. */
export function isRefused(card: PaymentMethod): boolean {
  return card.refusedAtMs !== undefined;
}

/** The cards an account may choose from, the newest first. */
export function usableCards(cards: readonly PaymentMethod[]): PaymentMethod[] {
  return cards.filter(isUsable).toSorted(newestFirst);
}
