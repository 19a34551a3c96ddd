/** Who holds a VAT id: one company has one account. */
export interface VatHolder {
  vatId: string;
  accountId: string;
}
