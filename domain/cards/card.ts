import type { PaymentMethod } from "../accounts/account.ts";

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

/** Orders cards: the newest first, then by id. */
export function newestFirst(a: PaymentMethod, b: PaymentMethod): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The cards an account may choose from, the newest first. */
export function usableCards(cards: readonly PaymentMethod[]): PaymentMethod[] {
  return cards.filter(isUsable).toSorted(newestFirst);
}
