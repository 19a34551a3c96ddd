import type { Account } from "../accounts/account.ts";
import { isVerifiedPartner, type Partner } from "./partner.ts";

/**
 * The account as its partnership makes it: saved in every commit that saves the
 * partner.
 */
export function withStanding(
  account: Account,
  partner: Partner,
): Account {
  const { state, appliedAtMs, decidedAtMs } = partner;
  const sinceMs = state === "applied" ? appliedAtMs : decidedAtMs;
  return {
    ...account,
    partner: isVerifiedPartner(partner),
    partnership: { state, sinceMs: sinceMs ?? appliedAtMs },
  };
}
