/** Who sells, as printed on invoices and pages. */
export interface Seller {
  name: string;
  /** On one line. */
  address: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string;
  email: string;
}
