import { requireAccount } from "./require_account.ts";
import type { Services } from "../ports.ts";
import type { EligibilityReason } from "../refusal.ts";
import type { Account } from "./account.ts";
import type { AccountNote } from "./account_note.ts";
import { eligibilityReasons } from "./eligibility.ts";
import { parseEmail } from "./email.ts";

/** Accounts that the desk shows at once. */
export const DESK_ACCOUNTS_MAX = 50;
/** Lines of a history that are shown. */
const NOTES_MAX = 50;
/** Longest text that is looked for: an address of e-mail has no more. */
const SOUGHT_MAX = 254;

/** An account as the desk sees it. */
export interface DeskAccount {
  account: Account;
  reasons: readonly EligibilityReason[];
  /** Which account holds the VAT id that it gives; null for none. */
  vatHolderId: string | null;
  /** Newest first. */
  notes: readonly AccountNote[];
}

/**
 * One account with its history, for operators.
 *
 * @throws {Refused} `account_not_found`
 */
export async function readDeskAccount(
  { store, settings }: Pick<Services, "store" | "settings">,
  { accountId }: { accountId: string },
): Promise<DeskAccount> {
  const account = await requireAccount(store, accountId);
  const notes = await store.listAccountNotes(accountId, { limit: NOTES_MAX });
  const vatId = account.company?.vatId ?? null;
  const holder = vatId === null ? null : await store.vatHolders.find(vatId);
  const reasons = eligibilityReasons(account, settings);
  const vatHolderId = holder?.accountId ?? null;
  return { account, reasons, vatHolderId, notes };
}

/** The id of the account that an id or an address of e-mail names, if any. */
export async function findDeskAccount(
  { store }: Pick<Services, "store">,
  sought: string,
): Promise<string | null> {
  if (sought.length > SOUGHT_MAX) return null;
  const text = sought.trim();
  const email = parseEmail(text);
  if (email !== null) {
    return (await store.accountEmails.find(email))?.accountId ?? null;
  }
  return (await store.accounts.find(text))?.id ?? null;
}
