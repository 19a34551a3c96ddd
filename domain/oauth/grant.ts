import type { Day } from "../day.ts";
import type { GrantClient } from "./client.ts";
import type { Resource } from "./resource.ts";

/**
 * Every scope, in the order of contract §9.8. Access tokens name them by
 * their place, so a new one is added at the end.
 */
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

/** Cents a grant committed by bids accepted on one UTC day. */
export interface MandateUse {
  grantId: string;
  /** The UTC day on which the bids were placed, not the auction day. */
  day: Day;
  usedCents: number;
  expiresAtMs: number;
}

/** Scopes that are granted only shortly after a sign-in. */
export const FRESH_SCOPES: readonly Scope[] = [
  "bids:write",
  "billing:write",
  "security:write",
  "privacy:write",
];

/** Why a grant was revoked. */
export type RevokedReason =
  /** In the browser, or by another grant that holds `connections:write`. */
  | "user"
  /** By the client, with its refresh token (RFC 7009). */
  | "client"
  /** A used code was presented again: it may have been stolen. */
  | "code_replay"
  /** A used refresh token was presented again: it may have been stolen. */
  | "refresh_reuse"
  /** With everything else of the account. */
  | "account";

/** The one line of refresh tokens of a grant: only its end is good. */
export interface RefreshLine {
  /** Hash of what all its tokens have in common. */
  lineHash: string;
  /** Of the token that is good now; they are counted from 1. */
  number: number;
  /** Hash of the token that is good now. */
  currentHash: string;
  /** Hash of the one before it, and when it was used. */
  previousHash: string | null;
  previousUsedAtMs: number | null;
  /** When the current token ends. */
  endsAtMs: number;
  /** The key that made the current token of the one before it. */
  keyId: string;
  /** Absent once the first tokens were given, over a network, or were used. */
  undelivered?: Undelivered;
}

/** To whom first tokens are given that were made. */
export interface Undelivered {
  madeAtMs: number;
  /** The exchange that made them; absent in notes of earlier versions. */
  madeBy?: string;
  /**
   * Until when they are given as often as they are asked for, since that was
   * promised; null where one request is still to be given them, and 0 where
   * who made them has been.
   */
  repeatUntilMs: number | null;
}

/** An advertiser's delegation to one client: limited and revocable. */
export interface Grant {
  id: string;
  accountId: string;
  clientId: string;
  client: GrantClient;
  scopes: readonly Scope[];
  resources: readonly Resource[];
  mandate: Mandate | null;
  /** Null until the code has been exchanged. */
  refresh: RefreshLine | null;
  createdAtMs: number;
  /** To the minute; null until the first use. */
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
  revokedReason: RevokedReason | null;
  /** Those of its access tokens that were ended one by one; absent for none. */
  endedTokens?: readonly EndedToken[];
  /** Those issued until then have ended too; absent for none. */
  endedThroughMs?: number;
}

/** An access token that was ended before its hour was over. */
export interface EndedToken {
  /** Its name, which is no secret. */
  name: string;
  expiresAtMs: number;
}

/**
 * What a bearer token tells of its grant, with its own scopes and resources,
 * which may be fewer. None of it ever changes.
 */
export type BearerGrant = Pick<
  Grant,
  "id" | "accountId" | "clientId" | "scopes" | "resources"
>;

/** What a checked bearer token tells. */
export interface Bearer {
  grant: BearerGrant;
}
