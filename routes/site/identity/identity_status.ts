import type { Account } from "../../../domain/accounts/account.ts";
import type { IdentityCheck } from "../../../domain/identity/identity_check.ts";

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

/** Why a check of identity failed, and what helps, by the processor's code. */
const REASONS: Readonly<Record<string, string>> = {
  abandoned: "The page was left before the check was complete.",
  consent_declined: "The check needs your consent, which was declined.",
  country_not_supported:
    "Documents of this country can’t be checked. Please use one of another " +
    "country, if you have one.",
  device_not_supported:
    "The device has no camera that could be used. Please try another one.",
  document_expired: "The document has expired. Please use a valid one.",
  document_type_not_supported:
    "A document of this kind can’t be checked. Please use a passport, an " +
    "identity card or a driving licence.",
  selfie_document_missing_photo:
    "The document has no photo. Please use one with a photo of you.",
  selfie_face_mismatch:
    "The face did not match the photo on the document. Please try again in " +
    "good light.",
  selfie_manipulated:
    "The photo of the face seemed to be altered. Please take a new one.",
  selfie_unverified_other:
    "The photo of the face could not be used. Please try again in good light.",
  under_supported_age: "The person on the document is too young to be checked.",
};

/** Said for every other code. */
const OTHER = "The document could not be verified. Please try again in good " +
  "light, with all of it in the picture, or use another document.";

/** A code in plain words. */
export function reasonText(code: string): string {
  return Object.hasOwn(REASONS, code) ? REASONS[code] ?? OTHER : OTHER;
}
