import { invariant } from "../invariant.ts";
import type { Keys } from "../ports.ts";
import { type Extent, newAccessToken } from "./access_token.ts";
import { AUTHORIZATION_CODE_MS } from "./authorization_request.ts";
import type { Grant, RefreshLine, Undelivered } from "./grant.ts";
import { type IssuedTokens, issuedTokens } from "./issue_tokens.ts";
import { beginLine } from "./refresh_line.ts";

const PURPOSE = "first-tokens";

/** How long an exchange that was answered "try again" may be repeated: 30 s. */
const REPEATED_MS = 30_000;

/** What first tokens are made of, and when. */
export interface Exchange {
  /** The code and its verifier, which together nobody else has. */
  code: string;
  codeVerifier: string;
  madeAtMs: number;
  extent: Extent;
}

/**
 * The first tokens of a grant. They are derived, so whichever process is shown
 * the code and its verifier makes the same ones, and nobody can who does not
 * have both and a key of the service. Decision 0041 says why.
 *
 * @returns null when the secret that the line was begun under is out of use
 */
export function firstTokens(
  keys: Keys,
  grant: Grant,
  { code, codeVerifier, madeAtMs, extent }: Exchange,
): { tokens: IssuedTokens; line: RefreshLine } | null {
  const keyId = grant.refresh?.keyId ?? keys.currentId;
  const secret = (part: string) =>
    keys.mac(PURPOSE, `${part} ${code} ${codeVerifier}`, keyId);
  const line = secret("line");
  const refresh = secret("refresh");
  const access = secret("access");
  if (line === null || refresh === null || access === null) return null;
  const end = beginLine(grant, { line, first: refresh }, keyId, madeAtMs);
  const begun = grant.refresh ?? end.line;
  invariant(
    begun.currentHash === end.line.currentHash,
    "a code has one first refresh token",
  );
  const made = { ...grant, refresh: begun };
  const token = newAccessToken(keys, made, extent, access, madeAtMs);
  return { tokens: issuedTokens(made, token, end), line: begun };
}

/** Tokens that have just been made: one request is to be given them. */
export function justMade(madeAtMs: number): Undelivered {
  return { madeAtMs, repeatUntilMs: null };
}

/** The same from when a client was told to send its request again. */
export function repeatable(madeAtMs: number, nowMs: number): Undelivered {
  return { madeAtMs, repeatUntilMs: nowMs + REPEATED_MS };
}

/**
 * What is still to be delivered of a line: its first tokens, for as long as a
 * code is good, or a repeat was promised. Null for what one request was given.
 */
export function undeliveredOf(
  { undelivered }: RefreshLine,
  nowMs: number,
): Undelivered | null {
  if (undelivered === undefined) return null;
  const { madeAtMs, repeatUntilMs } = undelivered;
  const untilMs = repeatUntilMs ?? madeAtMs + AUTHORIZATION_CODE_MS;
  return nowMs <= untilMs ? undelivered : null;
}

/** The line with what is undelivered of it; null once a request was given it. */
export function lineWith(
  { undelivered: _before, ...line }: RefreshLine,
  undelivered: Undelivered | null,
): RefreshLine {
  return undelivered === null ? line : { ...line, undelivered };
}
