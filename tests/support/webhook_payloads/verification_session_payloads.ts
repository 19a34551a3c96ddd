import { ENVELOPE, type Payloads } from "./envelope.ts";
import {
  newSession,
  redactedSession,
  refusedSession,
  sessionIn,
} from "./verification_session_object.ts";

/** Every event of a check of identity, in full. */
export function sessionPayloads(
  id: string,
): Payloads<`identity.verification_session.${string}`> {
  return {
    "identity.verification_session.canceled": {
      ...ENVELOPE,
      type: "identity.verification_session.canceled",
      data: { object: sessionIn(id, "canceled") },
    },
    "identity.verification_session.created": {
      ...ENVELOPE,
      type: "identity.verification_session.created",
      data: { object: newSession(id) },
    },
    "identity.verification_session.processing": {
      ...ENVELOPE,
      type: "identity.verification_session.processing",
      data: { object: sessionIn(id, "processing") },
    },
    "identity.verification_session.redacted": {
      ...ENVELOPE,
      type: "identity.verification_session.redacted",
      data: { object: redactedSession(id) },
    },
    "identity.verification_session.requires_input": {
      ...ENVELOPE,
      type: "identity.verification_session.requires_input",
      data: { object: refusedSession(id) },
    },
    "identity.verification_session.verified": {
      ...ENVELOPE,
      type: "identity.verification_session.verified",
      data: { object: sessionIn(id, "verified") },
    },
  };
}
