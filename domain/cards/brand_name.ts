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
