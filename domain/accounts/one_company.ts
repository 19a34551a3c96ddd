/** Who holds a VAT id: one company has one account. */
export interface VatHolder {
  vatId: string;
  accountId: string;
}

/**
 * A VAT id that an operator took back from an account, or that a second complete
 * account claimed. From then on only an operator gives it to anybody.
 */
export interface ContestedVatId {
  vatId: string;
  sinceMs: number;
}
