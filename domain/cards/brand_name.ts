import type { PaymentMethod } from "../accounts/account.ts";

const NAMES: Readonly<Record<string, string>> = {
  amex: "American Express",
  cartes_bancaires: "Cartes Bancaires",
  diners: "Diners Club",
  discover: "Discover",
  eftpos_au: "eftpos",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** What people call a card's brand; "Credit" where they have no name for it. */
export function brandName(brand: string): string {
  return NAMES[brand] ?? "Credit";
}

/** What mails call a card: `Visa card ending in 4242`. */
export function cardName(
  { brand, last4 }: Pick<PaymentMethod, "brand" | "last4">,
): string {
  return `${brandName(brand)} card ending in ${last4}`;
}
