/**
 * Index rows of the records that have several kinds of them.
 *
 * @module
 */
import type { Account } from "../domain/accounts/account.ts";
import { operatorCaseOf } from "../domain/accounts/operator_case.ts";
import type { Creative } from "../domain/creatives/creative.ts";
import { dueRow } from "./due_rows.ts";
import { keys } from "./keys.ts";

/** A row that points at a record, written and removed with it. */
export interface IndexRow {
  key: Deno.KvKey;
  /** Ids only, never a copy; null keeps the row absent. */
  value: unknown;
}

/** An account's address, VAT id, and what is to be done about it. */
export function accountRows(account: Account): IndexRow[] {
  const { id: accountId, email, company, vatStatus } = account;
  const vatId = vatStatus === "valid" ? company?.vatId ?? null : null;
  const address = {
    key: keys.accountEmail(email),
    value: { email, accountId },
  };
  // No row for an id that is not verified: it may be another's.
  const holder = vatId === null ? [] : [{
    key: keys.vatHolder(vatId),
    value: { vatId, accountId },
  }];
  const deskCase = operatorCaseOf(account);
  const waiting = deskCase === null ? [] : [{
    key: keys.waitingAccount(deskCase.sinceMs, accountId),
    value: { accountId },
  }];
  return [
    address,
    ...holder,
    ...dueRow("vats", accountId, account),
    ...waiting,
  ];
}

/** A creative's owner, its place in the owner's list and at the desk. */
export function creativeRows(creative: Creative): IndexRow[] {
  const { adId, accountId, createdAtMs, state, submittedAtMs } = creative;
  const value = { adId, accountId };
  const rows: IndexRow[] = [
    { key: keys.creativeOwner(adId), value },
    { key: keys.creativeOfAccount(accountId, createdAtMs, adId), value },
  ];
  if (submittedAtMs === undefined) return rows;
  const key = keys.submittedCreative(submittedAtMs, adId);
  return [...rows, { key, value: state === "submitted" ? value : null }];
}
