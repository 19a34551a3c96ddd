import type { PaymentMethod } from "../accounts/account.ts";
import { isoTime } from "../day.ts";

/** A saved card as the agent API shows it. */
export interface CardRecord {
  id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  is_default: boolean;
  created_at: string;
}

/** The members of a saved card, and no others. */
export function toCardRecord(
  card: PaymentMethod,
  isDefault: boolean,
): CardRecord {
  return {
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    is_default: isDefault,
    created_at: isoTime(card.createdAtMs),
  };
}
