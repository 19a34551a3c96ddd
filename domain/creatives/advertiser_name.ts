import type { Account } from "../accounts/account.ts";
import type { AdvertiserName, Creative } from "./creative.ts";

/** The name that a creative would be approved with now; empty before onboarding. */
export function presentName(
  { company, nameVersion: version = 0 }: Account,
): AdvertiserName {
  return { name: company?.name ?? "", version };
}

/**
 * The name that readers see with a creative: the one it was approved with, or a
 * later one that an operator approved for the company. Creatives approved
 * before names were frozen show the company's, which since then changes under
 * an approved creative only by an operator's approval. Decision 0193 says why.
 */
export function advertiserOf(
  { advertiser }: Pick<Creative, "advertiser">,
  account: Account,
): string {
  const present = presentName(account);
  return advertiser === undefined || advertiser.version < present.version
    ? present.name
    : advertiser.name;
}
