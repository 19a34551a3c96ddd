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
  /** For all its bids until the end; absent where the user set none. */
  totalCapCents?: number;
  validUntilMs: number;
}

/** What bids took out of a mandate's total. */
export interface TotalUse {
  usedCents: number;
  sinceMs: number;
  /** From then on a new mandate begins a count of its own. */
  endsAtMs: number;
}

/**
 * Which grant is the connection of a client. It stays when that is revoked, so
 * that the next one goes on with what was used on that day.
 */
export interface Connection {
  accountId: string;
  clientId: string;
  grantId: string;
}

/** Cents a grant committed by bids accepted on one UTC day. */
export interface MandateUse {
  grantId: string;
  /** The UTC day on which the bids were placed, not the auction day. */
  day: Day;
  usedCents: number;
  expiresAtMs: number;
}

/**
 * Scopes that are granted only shortly after a sign-in: those with which an agent
 * does what takes one in the browser. Two of them set where events are sent to.
 */
export const FRESH_SCOPES: readonly Scope[] = [
  "account:write",
  "bids:write",
  "billing:write",
  "security:write",
  "privacy:write",
  "affiliate:write",
];

/**
 * Whether an agent with these scopes may know what its account bids, and what of
 * a mandate bids have used, which tells the same. Bids are sealed from any other,
 * as they are from rivals: one was let see the account, or which agents there are.
 */
export function isToldOfBids(scopes: readonly Scope[]): boolean {
  return scopes.includes("bids:read") || scopes.includes("bids:write");
}

/** Why one line of a grant ended before its time. */
export type LineEndedReason =
  /** By the client, with its refresh token (RFC 7009). */
  | "client"
  /** A used code was presented again: it may have been stolen. */
  | "code_replay"
  /** A used refresh token was presented again: it may have been stolen. */
  | "refresh_reuse"
  /** The client was authorized more often than lines are kept. */
  | "too_many";

/** Why a grant was revoked, with all its lines. */
export type RevokedReason =
  /** In the browser, or by another grant that holds `connections:write`. */
  | "user"
  /** With everything else of the account. */
  | "account"
  /** Its lines went on under a later grant of the same client. */
  | "merged"
  /** In rows of the time when a grant had one line, which ended it. */
  | Exclude<LineEndedReason, "too_many">;

/** A line of refresh tokens: only its end is good. */
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

/** One authorization of a client, such as one installation of it. */
export interface Line {
  /** Of the first one that of its grant. */
  id: string;
  /** What its tokens are for, as it was asked. */
  resources: readonly Resource[];
  /** When the user said yes. */
  begunAtMs: number;
  /** Null until its code has been exchanged. */
  refresh: RefreshLine | null;
  /** The grant that its tokens name, where they were given by another one. */
  namedGrantId?: string;
}

/** A line whose code has been exchanged. */
export type TokenLine = Line & { refresh: RefreshLine };

/**
 * An advertiser's delegation to one client, its connection: limited and
 * revocable. A client has one in an account, with a line for each time that it
 * was authorized. Decision 0041 says why.
 */
export interface Grant {
  id: string;
  accountId: string;
  clientId: string;
  /** As the user saw it last. */
  client: GrantClient;
  /** What the user ticked last; tokens of all lines are bounded by it. */
  scopes: readonly Scope[];
  /** Of the line that began last. */
  resources: readonly Resource[];
  mandate: Mandate | null;
  /** Its authorizations, in the order they began. */
  lines: readonly Line[];
  /** Changed by `withLines()` only: the line that the release before knows. */
  refresh: RefreshLine | null;
  /** Counted once the user has set a total, also while it is taken away. */
  totalUse?: TotalUse;
  /** When the user consented last; absent where that made the grant. */
  allowedAtMs?: number;
  /**
   * When its owner was last mailed of a line that began and changed nothing else,
   * and whether another was ended for one that day; absent for never.
   */
  lineMailed?: { day: Day; isOfEnding: boolean };
  /** Why and when a line ended last before its time; absent for none. */
  lastEnding?: { reason: LineEndedReason; atMs: number };
  /**
   * An address for events that a token set before is told nothing more: a token
   * may have been stolen, or it was over until its user allowed it again.
   */
  trustedSinceMs?: number;
  /** The later grant that its lines went on under; absent for none. */
  mergedInto?: string;
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
 * What a bearer token tells of its grant: the scopes that both have, and the
 * token's own resources.
 */
export interface BearerGrant
  extends
    Pick<Grant, "id" | "accountId" | "clientId" | "scopes" | "resources"> {
  /** The line that the token is of. */
  lineId: string;
}

/** What a checked bearer token tells. */
export interface Bearer {
  grant: BearerGrant;
}
