import { invariant } from "../invariant.ts";
import { ACCESS_TOKEN_MS } from "../limits.ts";
import type { Keys } from "../ports.ts";
import {
  type Grant,
  type Line,
  type RefreshLine,
  type Scope,
  SCOPES,
  type TokenLine,
} from "./grant.ts";
import { type Resource, RESOURCES } from "./resource.ts";

/** Begins every access token, for secret scanners and support. */
const ACCESS_TOKEN_PREFIX = "svc_at_";

const PURPOSE = "access-token";

/** Digits of the moment of issue, of what it is for, and of chance. */
const TIME_DIGITS = 9;
const EXTENT_DIGITS = 5;
/** As many characters of a secret tell tokens of one moment apart. */
export const CHANCE_LENGTH = 6;
const BASE = 36;
/** Characters of the authentication code: 138 bits. */
const MAC_LENGTH = 23;

/**
 * `svc_at_<grant id>_<name><mac>`, name and mac being 43 characters together.
 * All but the grant's id have a fixed length, so the split is one-to-one
 * although any part may contain `_`.
 */
const SHAPE =
  /^svc_at_([A-Za-z0-9_-]{1,64})_(([0-9a-z]{9})([0-9a-z]{5})[A-Za-z0-9_-]{6})([A-Za-z0-9_-]{23})$/;

/** What the text of an access token says, true only if its grant proves it. */
export interface AccessTokenParts {
  grantId: string;
  /** Which of the grant's tokens it is; no secret. */
  name: string;
  mac: string;
  /** An hour after its issue; it also ends with the mandate of its grant. */
  expiresAtMs: number;
  /** Some or all of the grant's. */
  scopes: readonly Scope[];
  resources: readonly Resource[];
}

/** An access token that has just been made; its text is shown only here. */
export interface NewAccessToken {
  text: string;
  /** From its issue on: an hour, or less where the mandate ends sooner. */
  lifetimeMs: number;
  scopes: readonly Scope[];
}

/** The grant of an access token, as far as its tokens rest on it. */
export type ProvingGrant = Pick<Grant, "id" | "lines">;

/** The grant and its line that a new access token is issued under. */
export interface Issuing {
  grant: Pick<Grant, "id" | "mandate">;
  line: Pick<TokenLine, "refresh" | "namedGrantId">;
}

/** What an access token is to be good for. */
export type Extent = Pick<Grant, "scopes" | "resources">;

/** Reads the text of an access token; `null` for another text. */
export function readAccessToken(text: string): AccessTokenParts | null {
  const [, grantId, name, time, extent, mac] = SHAPE.exec(text) ?? [];
  if (
    grantId === undefined || name === undefined || time === undefined ||
    extent === undefined || mac === undefined
  ) return null;
  const bits = parseInt(extent, BASE);
  return {
    grantId,
    name,
    mac,
    expiresAtMs: parseInt(time, BASE) + ACCESS_TOKEN_MS,
    scopes: SCOPES.filter((_, at) => bits & scopeBit(at)),
    resources: RESOURCES.filter((_, at) => bits & resourceBit(at)),
  };
}

/**
 * Makes an access token of 1 hour, never beyond the mandate's end; `secret` is
 * random, from `ids.secret()`. A line has tokens once its code was exchanged.
 */
export function newAccessToken(
  keys: Keys,
  { grant, line }: Issuing,
  { scopes, resources }: Extent,
  secret: string,
  nowMs: number,
): NewAccessToken {
  const name = digits(nowMs, TIME_DIGITS) +
    digits(bitsOf(scopes, resources), EXTENT_DIGITS) +
    secret.slice(-CHANCE_LENGTH);
  const grantId = line.namedGrantId ?? grant.id;
  const mac = macOf(keys, grantId, line.refresh, name, keys.currentId);
  invariant(mac !== null, "the current key is known");
  return {
    text: `${ACCESS_TOKEN_PREFIX}${grantId}_${name}${mac}`,
    lifetimeMs: Math.min(ACCESS_TOKEN_MS, leftOf(grant, nowMs)),
    scopes,
  };
}

function leftOf({ mandate }: Issuing["grant"], nowMs: number): number {
  return mandate === null ? Infinity : mandate.validUntilMs - nowMs;
}

/**
 * The line of this grant that a token is of, if this service made it; null for
 * any other text. Nothing is stored of a good one; decision 0033 says why.
 */
export function lineOfToken(
  keys: Keys,
  { id, lines }: ProvingGrant,
  token: Pick<AccessTokenParts, "grantId" | "name" | "mac">,
): TokenLine | null {
  const isProven = (line: Line): line is TokenLine => {
    const { refresh, namedGrantId: grantId = id } = line;
    if (refresh === null || token.grantId !== grantId) return false;
    return keys.ids.some((keyId) => {
      const mac = macOf(keys, grantId, refresh, token.name, keyId);
      return mac !== null && isSame(mac, token.mac);
    });
  };
  return lines.find(isProven) ?? null;
}

/**
 * Made of two things that lie apart: the service's key, and the line's hash in
 * the store. Neither alone makes a token.
 */
function macOf(
  keys: Keys,
  grantId: string,
  { lineHash }: Pick<RefreshLine, "lineHash">,
  name: string,
  keyId: string,
): string | null {
  const text = `${grantId} ${lineHash} ${name}`;
  return keys.mac(PURPOSE, text, keyId)?.slice(0, MAC_LENGTH) ?? null;
}

function bitsOf(
  scopes: readonly Scope[],
  resources: readonly Resource[],
): number {
  let bits = 0;
  for (const scope of scopes) bits |= scopeBit(SCOPES.indexOf(scope));
  for (const resource of resources) {
    bits |= resourceBit(RESOURCES.indexOf(resource));
  }
  return bits;
}

/** Bits of resources come first, so that scopes may grow in number. */
function resourceBit(at: number): number {
  return 1 << at;
}

function scopeBit(at: number): number {
  return 1 << (RESOURCES.length + at);
}

/** Takes as long wherever the first difference is. */
function isSame(made: string, shown: string): boolean {
  let difference = made.length ^ shown.length;
  for (let at = 0; at < made.length; at++) {
    difference |= made.charCodeAt(at) ^ shown.charCodeAt(at);
  }
  return difference === 0;
}

function digits(value: number, length: number): string {
  return value.toString(BASE).padStart(length, "0");
}
