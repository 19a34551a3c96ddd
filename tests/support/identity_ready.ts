import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Services } from "../../domain/ports.ts";

const COMPANY = {
  name: "Ada GmbH",
  country: "DE",
  vatId: "DE123456789",
  address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
};

/** What an account has that may begin a check of identity. */
export const IDENTITY_READY: Partial<Account> = {
  company: COMPANY,
  vatStatus: "valid",
  defaultPaymentMethodId: "pm_1",
};

/** The same of a company with this VAT id. */
export function identityReady(vatId: string): Partial<Account> {
  return { ...IDENTITY_READY, company: { ...COMPANY, vatId } };
}

/** An account that may begin a check of identity. */
export function readyAccount(id: string, email: string): Account {
  return { ...newAccount(id, email, 0), ...IDENTITY_READY };
}

/** Gives an account the card that {@linkcode IDENTITY_READY} names. */
export function giveCard(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
  fingerprint: string,
): Promise<void> {
  return store.transact((tx) =>
    tx.paymentMethods.save({
      id: "pm_1",
      accountId,
      fingerprint,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2099,
      createdAtMs: clock.now(),
    })
  );
}
