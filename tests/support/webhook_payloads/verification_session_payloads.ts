import { type Payloads, told } from "./envelope.ts";
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
      ...told(sessionIn(id, "canceled")),
      type: "identity.verification_session.canceled",
    },
    "identity.verification_session.created": {
      ...told(newSession(id)),
      type: "identity.verification_session.created",
    },
    "identity.verification_session.processing": {
      ...told(sessionIn(id, "processing")),
      type: "identity.verification_session.processing",
    },
    "identity.verification_session.redacted": {
      ...told(redactedSession(id)),
      type: "identity.verification_session.redacted",
    },
    "identity.verification_session.requires_input": {
      ...told(refusedSession(id)),
      type: "identity.verification_session.requires_input",
    },
    "identity.verification_session.verified": {
      ...told(sessionIn(id, "verified")),
      type: "identity.verification_session.verified",
    },
  };
}
