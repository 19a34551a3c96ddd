import type { Account } from "../../../domain/accounts/account.ts";
import type { IdentityCheck } from "../../../domain/identity/identity_check.ts";
import { reasonText } from "./identity_texts.ts";

/** How the identity behind an account stands, as the page shows it. */
export type IdentityStatus =
  | { kind: "verified"; atMs: number | null }
  | { kind: "none" }
  /** The page was opened and nothing is known of how it ended. */
  | { kind: "begun" }
  | { kind: "processing" }
  | { kind: "cancelled" }
  | { kind: "failed"; reason: string };

/** How it stands, by the account and the check that was begun last. */
export function identityStatusOf(
  { identityStatus }: Account,
  check: IdentityCheck | null,
): IdentityStatus {
  if (identityStatus === "verified") {
    return { kind: "verified", atMs: check?.verified?.atMs ?? null };
  }
  if (check === null || check.tries.length === 0) return { kind: "none" };
  if (check.status === "processing") return { kind: "processing" };
  if (check.status === "canceled") return { kind: "cancelled" };
  if (check.lastErrorCode !== null) {
    return { kind: "failed", reason: reasonText(check.lastErrorCode) };
  }
  return { kind: "begun" };
}
