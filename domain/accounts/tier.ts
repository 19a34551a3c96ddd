import type { Account } from "./account.ts";

/** How far an account has come; `new` before a paid win (contract §7.2). */
export type Tier = "new" | "standard" | "partner";

/** The account's tier; null until it is onboarded. */
export function tierOf(account: Account): Tier | null {
  if (account.company === null) return null;
  if (account.partner) return "partner";
  return account.paidWins > 0 ? "standard" : "new";
}
