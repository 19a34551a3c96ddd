/**
 * Checks of a person's identity.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { invalidRequest } from "./errors.ts";
import { endHostedPages, newHostedPage } from "./hosted_page.ts";
import type { VerificationSession } from "./objects.ts";

/** How long the page of a verification is open, for one use (Stripe API). */
const PAGE_KEPT_S = 48 * 60 * 60;

/** Why a check can fail, as the API names it, and what it says. */
export const IDENTITY_ERRORS = {
  abandoned: "The person left before the check was complete.",
  consent_declined: "The person declined to be checked.",
  country_not_supported: "Documents of this country are not supported.",
  device_not_supported: "The device has no camera.",
  document_expired: "The document is expired.",
  document_type_not_supported: "Documents of this kind are not supported.",
  document_unverified_other: "The document could not be verified.",
  selfie_document_missing_photo: "The document has no photo of a face.",
  selfie_face_mismatch: "The face is not the one on the document.",
  selfie_manipulated: "The photo was manipulated.",
  selfie_unverified_other: "The photo could not be verified.",
  under_supported_age: "The person is too young to be checked.",
} as const;

/** The name of such a reason. */
export type IdentityError = keyof typeof IDENTITY_ERRORS;

/** What a check comes to. */
export type IdentityOutcome = "verified" | IdentityError;

/** What a check is made with. */
export type NewVerification =
  & Pick<
    VerificationSession,
    "client_reference_id" | "metadata" | "options" | "related_customer"
  >
  & { returnUrl: string | null };

/** Begins a check; it waits for the person. */
export function newVerification(
  call: Call,
  { returnUrl, ...given }: NewVerification,
): VerificationSession {
  const id = call.newId("vs");
  const session = call.put("verification_session", {
    id,
    object: "identity.verification_session",
    client_secret: `${id}_secret_test_${call.newSecret()}`,
    created: call.now,
    last_error: null,
    last_verification_report: null,
    livemode: false,
    redaction: null,
    related_customer_account: null,
    status: "requires_input",
    type: "document",
    url: newPage(call, id, returnUrl),
    ...given,
  });
  call.emit("identity.verification_session.created", session);
  return session;
}

/**
 * The check as it is now: an address that was left unused for too long is
 * taken back when the check is next looked at.
 *
 * @throws {ApiError} `resource_missing`
 */
export function currentVerification(
  call: Call,
  id: string,
): VerificationSession {
  const session = call.get("verification_session", id);
  if (session.url === null) return session;
  const pages = call.filed("hosted_page", "subject", id);
  if (pages.some(({ expires_at }) => expires_at > call.now)) return session;
  return call.put("verification_session", { ...session, url: null });
}

/** The person hands in the document; the page is of no more use. */
export function submitVerification(
  call: Call,
  session: VerificationSession,
): VerificationSession {
  endHostedPages(call, session.id);
  const submitted = call.put("verification_session", {
    ...session,
    client_secret: null,
    last_error: null,
    status: "processing",
    url: null,
  });
  call.emit("identity.verification_session.processing", submitted);
  return submitted;
}

/** The check is decided. One that failed may be tried on a new page. */
export function decideVerification(
  call: Call,
  session: VerificationSession,
  outcome: IdentityOutcome,
): VerificationSession {
  if (outcome === "verified") {
    const verified = call.put("verification_session", {
      ...session,
      status: "verified",
    });
    call.emit("identity.verification_session.verified", verified);
    return verified;
  }
  const failed = call.put("verification_session", {
    ...session,
    client_secret: `${session.id}_secret_test_${call.newSecret()}`,
    last_error: { code: outcome, reason: IDENTITY_ERRORS[outcome] },
    status: "requires_input",
    url: newPage(call, session.id, returnUrlOf(call, session)),
  });
  call.emit("identity.verification_session.requires_input", failed);
  return failed;
}

/**
 * Gives a check up.
 *
 * @throws {ApiError} 400 unless it waits for the person
 */
export function cancelVerification(
  call: Call,
  session: VerificationSession,
): VerificationSession {
  if (session.status !== "requires_input") {
    throw invalidRequest(
      `You cannot cancel this VerificationSession because its status is ` +
        `${session.status}: it must be requires_input.`,
    );
  }
  endHostedPages(call, session.id);
  const canceled = call.put("verification_session", {
    ...session,
    client_secret: null,
    status: "canceled",
    url: null,
  });
  call.emit("identity.verification_session.canceled", canceled);
  return canceled;
}

/**
 * Removes what a check collected. Of the real processor it may take days, which
 * nobody waits for; one that waits for the person ends by it.
 *
 * @throws {ApiError} 400 for one that is under way, canceled or redacted
 */
export function redactVerification(
  call: Call,
  session: VerificationSession,
): VerificationSession {
  const { status, redaction } = session;
  if (redaction !== null || !/^(requires_input|verified)$/.test(status)) {
    throw invalidRequest(
      `You cannot redact this VerificationSession because its status is ` +
        `${
          redaction?.status ?? status
        }: it must be requires_input or verified.`,
    );
  }
  const ended = status === "verified"
    ? session
    : cancelVerification(call, session);
  const redacted = call.put("verification_session", {
    ...ended,
    client_secret: null,
    last_error: null,
    metadata: {},
    redaction: { status: "redacted" },
    url: null,
  });
  call.emit("identity.verification_session.redacted", redacted);
  return redacted;
}

/** Where the person goes back to. */
export function returnUrlOf(
  call: Call,
  { id }: VerificationSession,
): string | null {
  const [newest] = call.filed("hosted_page", "subject", id);
  return newest?.return_url ?? null;
}

function newPage(
  call: Call,
  subject: string,
  return_url: string | null,
): string {
  const expires_at = call.now + PAGE_KEPT_S;
  return newHostedPage(call, {
    kind: "identity",
    subject,
    expires_at,
    return_url,
  });
}
