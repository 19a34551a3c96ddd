import type { Reviewer } from "../creatives/creative_note.ts";
import type { WriteTable } from "../tables.ts";
import type { Account } from "./account.ts";

/** What an operator decided about an account. */
export type AccountEvent =
  | "suspended"
  | "suspension_lifted"
  | "block_lifted"
  | "refusal_lifted"
  | "rename_approved"
  | "rename_refused"
  | "vat_approved"
  | "vat_declined"
  | "vat_released"
  | "partner_approved"
  | "partner_refused"
  | "partner_ended";

/** One line of the append-only history of an account. */
export interface AccountNote {
  accountId: string;
  /** Counts from 1. */
  number: number;
  event: AccountEvent;
  by: Reviewer;
  atMs: number;
  /** Why, in the operator's words, which the owner is told. */
  reason: string;
}

/** An account as it is saved with one more line of its history. */
export function saveWithNote(
  tx: { accounts: WriteTable<Account>; accountNotes: WriteTable<AccountNote> },
  account: Account,
  note: Omit<AccountNote, "accountId" | "number">,
): Account {
  const number = (account.notes ?? 0) + 1;
  const saved = { ...account, notes: number };
  tx.accounts.save(saved);
  tx.accountNotes.save({ accountId: account.id, number, ...note });
  return saved;
}
