/** Every scope, in the order the interface lists them. */
export const SCOPES = [
  "account:read",
  "account:write",
  "reports:read",
  "bids:read",
  "bids:write",
  "creatives:read",
  "creatives:write",
  "invoices:read",
  "billing:read",
  "billing:write",
  "security:read",
  "security:write",
  "privacy:write",
  "connections:read",
  "connections:write",
  "affiliate:read",
  "affiliate:write",
] as const;

/** One OAuth scope. */
export type Scope = typeof SCOPES[number];

/** What the user allowed an agent to spend. */
export interface Mandate {
  maxBidCents: number;
  dailyCapCents: number;
  validUntilMs: number;
}

/** An advertiser's delegation to one client: limited and revocable. */
export interface Grant {
  id: string;
  accountId: string;
  clientId: string;
  scopes: readonly Scope[];
  mandate: Mandate | null;
  createdAtMs: number;
  revokedAtMs: number | null;
}

/** An opaque access token, of which only the hash is kept. */
export interface AccessToken {
  hash: string;
  grantId: string;
  createdAtMs: number;
  expiresAtMs: number;
  revokedAtMs: number | null;
}

/** An opaque refresh token, of which only the hash is kept. */
export interface RefreshToken {
  hash: string;
  grantId: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** What a checked bearer token tells. */
export interface Bearer {
  grant: Grant;
}
