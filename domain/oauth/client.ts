/** A public key as JWK Set documents hold it. */
export type Jwk = Readonly<Record<string, unknown>>;

/** What a client may sign with; never `none`, never a shared secret. */
export const ASSERTION_ALGORITHMS = ["ES256", "EdDSA", "PS256", "RS256"];

/** How a client proves who it is at the token endpoint. */
export type ClientAuthentication =
  | { method: "none" }
  | {
    method: "private_key_jwt";
    /** The keys of its document; null where it names an address. */
    jwks: readonly Jwk[] | null;
    jwksUri: string | null;
  };

/** A client, registered here or described by its own metadata document. */
export interface Client {
  /** `dcr_…`, or the https address of its document. */
  id: string;
  name: string;
  /** The host of its document; null when it only registered itself. */
  host: string | null;
  redirectUris: readonly string[];
  authentication: ClientAuthentication;
}

/** What a grant keeps of its client as the user saw it. */
export interface GrantClient {
  name: string;
  /** The host of its document; null when it only registered itself. */
  host: string | null;
  /** Where the code was sent; null for a grant no browser approved. */
  redirectHost: string | null;
  authentication: ClientAuthentication;
}

/** A client that registered itself (RFC 7591). All of them are public. */
export interface RegisteredClient {
  id: string;
  name: string;
  redirectUris: readonly string[];
  createdAtMs: number;
  /** 30 days on, until a user authorizes it: then it stays. */
  expiresAtMs: number | null;
}

/** A valid document from an address that a client named. */
export interface FetchedDocument {
  /** SHA-256 of the address, hex. */
  urlHash: string;
  url: string;
  /** As it came; it is checked again at each use. */
  body: string;
  fetchedAtMs: number;
  expiresAtMs: number;
}

/** An assertion that was accepted, and is not accepted again. */
export interface UsedAssertion {
  /** SHA-256 of client and `jti`, hex. */
  hash: string;
  expiresAtMs: number;
}

/** What is shown of a client that gave no name. */
export const UNNAMED_CLIENT = "Unnamed client";
