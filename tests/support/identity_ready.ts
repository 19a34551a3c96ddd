import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";

/** What an account has that may begin a check of identity. */
export const IDENTITY_READY: Partial<Account> = {
  company: {
    name: "Ada GmbH",
    country: "DE",
    vatId: "DE123456789",
    address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
  },
  vatStatus: "valid",
  defaultPaymentMethodId: "pm_1",
};

/** An account that may begin a check of identity. */
export function readyAccount(id: string, email: string): Account {
  return { ...newAccount(id, email, 0), ...IDENTITY_READY };
}
