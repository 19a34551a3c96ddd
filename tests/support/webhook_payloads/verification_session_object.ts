import type Stripe from "stripe";

/** A check of identity, as the processor shows it in events. */
export function newSession(id: string): Stripe.Identity.VerificationSession {
  return {
    id: id,
    object: "identity.verification_session",
    client_secret: null,
    created: 1795218900,
    last_error: null,
    last_verification_report: null,
    livemode: false,
    redaction: null,
    related_customer_account: null,
    status: "requires_input",
    type: "document",
    url: null,
    client_reference_id: null,
    metadata: {
      account_id: "acc_1",
    },
    options: {
      document: {},
    },
    related_customer: null,
  };
}

/** The same at a later moment. */
export function sessionIn(
  id: string,
  status: Stripe.Identity.VerificationSession.Status,
): Stripe.Identity.VerificationSession {
  const isVerified = status === "verified";
  return {
    ...newSession(id),
    last_verification_report: isVerified ? "vr_1PaYl0AdRePoRt" : null,
    status,
  };
}

/** The same after a document that was not taken. */
export function refusedSession(
  id: string,
): Stripe.Identity.VerificationSession {
  return {
    ...newSession(id),
    last_error: {
      code: "document_expired",
      reason: "The provided identity document has expired.",
    },
    last_verification_report: "vr_1PaYl0AdRePoRt",
  };
}

/** The same once its personal data is gone. */
export function redactedSession(
  id: string,
): Stripe.Identity.VerificationSession {
  return { ...sessionIn(id, "verified"), redaction: { status: "redacted" } };
}
