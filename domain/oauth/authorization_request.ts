import type { Client } from "./client.ts";
import type { Scope } from "./grant.ts";
import type { Resource } from "./resource.ts";

/** How long a user has to answer: 10 minutes. */
export const AUTHORIZATION_REQUEST_MS = 10 * 60_000;
/** How long a code may be exchanged after the approval. */
export const AUTHORIZATION_CODE_MS = 60_000;
/** A code is remembered for as long as what came of it: 30 days. */
export const CODE_KEPT_MS = 30 * 86_400_000;

/** What a client asks for, checked. */
export interface AskedGrant {
  scopes: readonly Scope[];
  resources: readonly Resource[];
  /** BASE64URL(SHA-256(code_verifier)), RFC 7636. */
  codeChallenge: string;
}

/**
 * A checked authorization request, which waits for its user. Decision 0040 says
 * why it belongs to one browser.
 */
export interface AuthorizationRequest {
  /** `areq_…`, not guessable. */
  id: string;
  /** Rows of earlier versions have all of its redirect addresses as well. */
  client: Omit<Client, "redirectUris">;
  redirectUri: string;
  /** Percent-encoded as it goes back; null where none was sent. */
  state: string | null;
  /** Rows of earlier versions may be of another kind: those are not found. */
  outcome: { kind: "valid"; asked: AskedGrant };
  /** The browser that opened it first, by what names its session. */
  sessionHash: string | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/**
 * A code, of which only the hash is kept. Its row never changes: that it was
 * used is told by its line of the grant, which has refresh tokens from then on.
 */
export interface AuthorizationCode {
  hash: string;
  grantId: string;
  /** Absent where the grant had one line, which has the grant's id. */
  lineId?: string;
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  createdAtMs: number;
  /** When it is too late for exchanging it. */
  goodUntilMs: number;
  /** When it is forgotten, and a replay is no longer recognised. */
  expiresAtMs: number;
}
