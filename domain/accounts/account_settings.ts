import type { Account } from "./account.ts";
import { wantsMail } from "./mail_choices.ts";
import { waitingRename } from "./rename.ts";

/** What an agent may change of an account, as it stands. */
export interface SettingsRecord {
  company_name: string | null;
  /** The name that waits for an operator; null for none. */
  requested_company_name: string | null;
  address: { line1: string; city: string; postal_code: string } | null;
  contact_preferences: { review_mails: boolean; card_expiry_mails: boolean };
}

/** The members that can be changed, and no others. */
export function toSettingsRecord(account: Account): SettingsRecord {
  const { company } = account;
  return {
    company_name: company?.name ?? null,
    requested_company_name: waitingRename(account)?.name ?? null,
    address: company && {
      line1: company.address.line1,
      city: company.address.city,
      postal_code: company.address.postalCode,
    },
    contact_preferences: {
      review_mails: wantsMail(account, "review"),
      card_expiry_mails: wantsMail(account, "card_expiry"),
    },
  };
}
