import type { Account } from "./account.ts";

/** That something about an account waits for an operator, and since when. */
export interface DeskCase {
  sinceMs: number;
}

/** What waits for an operator about an account; null for nothing. */
export function deskCaseOf(account: Account): DeskCase | null {
  const { disputeLostAtMs: sinceMs } = account;
  return sinceMs === undefined ? null : { sinceMs };
}
