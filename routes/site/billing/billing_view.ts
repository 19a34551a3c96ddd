import type {
  Account,
  PaymentMethod,
} from "../../../domain/accounts/account.ts";
import {
  hasLostDispute,
  hasOpenDispute,
} from "../../../domain/accounts/eligibility.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import { brandName } from "../../../domain/cards/brand_name.ts";
import { CARDS_MAX, isRefused, isUsable } from "../../../domain/cards/card.ts";
import { isExpired } from "../../../domain/cards/expiry.ts";
import type { Day } from "../../../domain/day.ts";
import type { Seller } from "../../../domain/invoices/seller.ts";
import { newestFirst } from "../../../domain/newest_first.ts";

/** A card as the page shows it. */
export interface CardView {
  id: string;
  /** Brand and last digits: Visa ending in 4242. */
  name: string;
  /** Month and year: 12/2029. */
  expires: string;
  isDefault: boolean;
  isExpired: boolean;
  isRefused: boolean;
  /** Using it for future bids changes something. */
  isOffered: boolean;
  /** It is gone at the processor, and here once its bids are settled. */
  isEnding: boolean;
  /** Days of the bids that stand on it. */
  days: readonly Day[];
}

/** What the page shows. */
export interface BillingView {
  cards: readonly CardView[];
  isOnboarded: boolean;
  isFull: boolean;
  cardRefused: boolean;
  disputeOpen: boolean;
  disputeLost: boolean;
  /** Whom to write to. */
  askAt: string;
}

/** Makes the view of an account's cards, the default one first. */
export function billingView(
  account: Account,
  seller: Pick<Seller, "email">,
  cards: readonly PaymentMethod[],
  liveBids: readonly Bid[],
  nowMs: number,
): BillingView {
  const views = cards.toSorted(newestFirst).map((card): CardView => ({
    id: card.id,
    name: `${brandName(card.brand)} ending in ${card.last4}`,
    expires: `${String(card.expMonth).padStart(2, "0")}/${card.expYear}`,
    isDefault: card.id === account.defaultPaymentMethodId,
    isExpired: isExpired(card, nowMs),
    isRefused: isRefused(card),
    isOffered: isUsable(card) && !isRefused(card) &&
      (account.cardRefused || card.id !== account.defaultPaymentMethodId),
    isEnding: !isUsable(card),
    days: liveBids.filter(({ paymentMethodId }) => paymentMethodId === card.id)
      .map(({ day }) => day),
  }));
  return {
    cards: views.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)),
    isOnboarded: account.company !== null,
    isFull: cards.filter(isUsable).length >= CARDS_MAX,
    cardRefused: account.cardRefused,
    disputeOpen: hasOpenDispute(account),
    disputeLost: hasLostDispute(account),
    askAt: seller.email,
  };
}
