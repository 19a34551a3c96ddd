import { requireAccount } from "./require_account.ts";
import type { Services } from "../ports.ts";
import type { Partner } from "../partners/partner.ts";
import type { EligibilityReason } from "../refusal.ts";
import type { Account } from "./account.ts";
import type { AccountNote } from "./account_note.ts";
import { eligibilityReasons } from "./eligibility.ts";
import { hasWords, soughtWords } from "./account_words.ts";
import { parseEmail } from "./email.ts";

/** Accounts that the desk shows at once. */
export const DESK_ACCOUNTS_MAX = 50;
/** Lines of a history that are shown. */
const NOTES_MAX = 50;
/** Rows of the index that one search reads. */
const LOOKED_AT_MAX = 200;
/** Longest text that is looked for: an address of e-mail has no more. */
const SOUGHT_MAX = 254;

/** An account as the desk sees it. */
export interface DeskAccount {
  account: Account;
  reasons: readonly EligibilityReason[];
  /** Which account holds the VAT id that it gives; null for none. */
  vatHolderId: string | null;
  /** Null for who never asked to be one. */
  partner: Partner | null;
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
  const [notes, partner] = await Promise.all([
    store.listAccountNotes(accountId, { limit: NOTES_MAX }),
    store.partners.find(accountId),
  ]);
  const vatId = account.company?.vatId ?? null;
  const holder = vatId === null ? null : await store.vatHolders.find(vatId);
  const reasons = eligibilityReasons(account, settings);
  const vatHolderId = holder?.accountId ?? null;
  return { account, reasons, vatHolderId, partner, notes };
}

/** What a search for accounts has found. */
export interface FoundAccounts {
  accounts: readonly Account[];
  /** There may be more than were looked at. */
  isPartial: boolean;
}

/**
 * The accounts that a text names: one by its id or address of e-mail, else those
 * whose company has words that begin as the words of the text, or whose VAT id
 * begins so.
 */
export async function findDeskAccounts(
  { store }: Pick<Services, "store">,
  sought: string,
): Promise<FoundAccounts> {
  if (sought.length > SOUGHT_MAX) return NOTHING_FOUND;
  const text = sought.trim();
  const email = parseEmail(text);
  const id = email === null
    ? text
    : (await store.accountEmails.find(email))?.accountId ?? null;
  const named = id === null ? null : await store.accounts.find(id);
  if (named !== null) return { accounts: [named], isPartial: false };
  return email === null ? await findByWords({ store }, text) : NOTHING_FOUND;
}

const NOTHING_FOUND: FoundAccounts = { accounts: [], isPartial: false };

async function findByWords(
  { store }: Pick<Services, "store">,
  text: string,
): Promise<FoundAccounts> {
  const words = soughtWords(text);
  // The longest word leaves the fewest.
  const [longest] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return NOTHING_FOUND;
  const limit = LOOKED_AT_MAX;
  const read = await store.listAccountsByWord(longest, { limit });
  const accounts = new Map(
    read.filter((account) => hasWords(account, words))
      .map((account) => [account.id, account]),
  );
  return {
    accounts: [...accounts.values()].slice(0, DESK_ACCOUNTS_MAX),
    isPartial: read.length === limit || accounts.size > DESK_ACCOUNTS_MAX,
  };
}
