import type Stripe from "stripe";
import type {
  IdentityProcessor,
  IdentitySession,
} from "../../domain/payments/processor_identity.ts";
import { oneOf } from "./one_of.ts";
import { outcomeOf } from "./outcome.ts";
import { pageOf } from "./pages.ts";

const STATUSES = [
  "requires_input",
  "processing",
  "verified",
  "canceled",
] as const;

/** Stripe Identity behind the domain's port. */
export function identityCalls({ identity }: Stripe): IdentityProcessor {
  const { verificationSessions } = identity;
  return {
    createIdentitySession: ({ accountId, returnUrl }, idempotencyKey) =>
      outcomeOf(() =>
        verificationSessions.create({
          type: "document",
          client_reference_id: accountId,
          metadata: { account_id: accountId },
          return_url: returnUrl,
        }, { idempotencyKey }), toSession),
    retrieveIdentitySession: (id) =>
      outcomeOf(() => verificationSessions.retrieve(id), toSession),
    listIdentitySessions: (accountId, cursor, limit) =>
      outcomeOf(
        () =>
          verificationSessions.list({
            client_reference_id: accountId,
            limit,
            ...cursor !== null && { starting_after: cursor },
          }),
        pageOf(toSession),
      ),
    redactIdentitySession: (id, idempotencyKey) =>
      outcomeOf(
        () => verificationSessions.redact(id, {}, { idempotencyKey }),
        toSession,
      ),
  };
}

/** Only the outcome is read; what the document said stays at the processor. */
function toSession(
  session: Stripe.Identity.VerificationSession,
): IdentitySession {
  return {
    id: session.id,
    status: oneOf(STATUSES, session.status),
    accountId: session.metadata["account_id"] ?? null,
    lastErrorCode: session.last_error?.code ?? null,
    url: session.url,
    isRedacted: (session.redaction ?? null) !== null,
  };
}
