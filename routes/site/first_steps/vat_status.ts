import type { Account } from "../../../domain/accounts/account.ts";
import { isEuCountry } from "../../../domain/tax/countries.ts";
import {
  claimedVatId,
  isNameOther,
  vatCaseOf,
  vatDueAtMs,
  vatRefusalOf,
} from "../../../domain/accounts/vat_claim.ts";
import { vatCheckOf } from "../../../domain/accounts/vat_check.ts";

/** What is known of the company's VAT id. */
export type VatStatus =
  | { kind: "none"; inUnion: boolean }
  | { kind: "unasked"; vatId: string }
  | { kind: "valid"; vatId: string; atMs: number | null }
  | { kind: "invalid"; vatId: string; atMs: number | null }
  /** Confirmed; it counts once identity and card are there. */
  | { kind: "claimed"; vatId: string; registered: string | null }
  /** Confirmed, and compared with the company by an operator. */
  | { kind: "compared"; vatId: string }
  /** An operator said no to it. */
  | { kind: "refused"; vatId: string; reason: string }
  /** The registry gave no answer; `nextMs` is when it is asked again. */
  | { kind: "unknown"; vatId: string; nextMs: number | null };

/** How the account's VAT id stands; null before onboarding. */
export function vatStatusOf(account: Account): VatStatus | null {
  if (account.company === null) return null;
  const { country, vatId } = account.company;
  if (vatId === null) return { kind: "none", inUnion: isEuCountry(country) };
  const check = vatCheckOf(account);
  const atMs = check?.atMs ?? null;
  const refusal = vatRefusalOf(account);
  if (refusal !== null && account.vatStatus === "unverified") {
    return { kind: "refused", vatId, reason: refusal.reason };
  }
  if (claimedVatId(account) !== null) {
    if (vatCaseOf(account) !== null) return { kind: "compared", vatId };
    const registered = isNameOther(account) ? check?.name ?? null : null;
    return { kind: "claimed", vatId, registered };
  }
  switch (account.vatStatus) {
    case "valid":
    case "invalid":
      return { kind: account.vatStatus, vatId, atMs };
    case "unverified":
      return check === null || check.failures === 0
        ? { kind: "unasked", vatId }
        : { kind: "unknown", vatId, nextMs: vatDueAtMs(account) };
  }
}
