import type { Seller } from "../../domain/invoices/seller.ts";

/** Who sells in tests: a company of Latvia. */
export const TEST_SELLER: Seller = {
  name: "Spotlight Example SIA",
  address: "Example iela 1, LV-1010 Riga",
  country: "LV",
  vatId: "LV00000000000",
  email: "billing@example.com",
};
