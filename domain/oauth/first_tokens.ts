import { invariant } from "../invariant.ts";
import type { Keys } from "../ports.ts";
import { CHANCE_LENGTH, type Extent, newAccessToken } from "./access_token.ts";
import { AUTHORIZATION_CODE_MS } from "./authorization_request.ts";
import type { Grant, Line, RefreshLine, Undelivered } from "./grant.ts";
import { type IssuedTokens, issuedTokens } from "./issue_tokens.ts";
import { beginLine } from "./refresh_line.ts";

const PURPOSE = "first-tokens";

/** How long an exchange that was answered "try again" may be repeated: 30 s. */
const REPEATED_MS = 30_000;

/**
 * By the hash of its code: what a process has answered "try again", which it may
 * not have been able to write down.
 */
export type RepeatPromises = Map<string, Undelivered>;

/** What first tokens are made of, and when. */
export interface Exchange {
  /** The code and its verifier, which together nobody else has. */
  code: string;
  codeVerifier: string;
  madeAtMs: number;
  extent: Extent;
}

/**
 * The first tokens of a line. They are derived, so whichever process is shown
 * the code and its verifier makes the same ones, and nobody can who does not
 * have both and a key of the service. Decision 0041 says why.
 *
 * @returns null when the secret that the line was begun under is out of use
 */
export function firstTokens(
  keys: Keys,
  { grant, line: before }: { grant: Grant; line: Line },
  { code, codeVerifier, madeAtMs, extent }: Exchange,
): { tokens: IssuedTokens; line: RefreshLine } | null {
  const keyId = before.refresh?.keyId ?? keys.currentId;
  const secret = (part: string) =>
    keys.mac(PURPOSE, `${part} ${code} ${codeVerifier}`, keyId);
  const line = secret("line");
  const refresh = secret("refresh");
  if (line === null || refresh === null) return null;
  const named = { ...grant, id: before.namedGrantId ?? grant.id };
  const end = beginLine(named, { line, first: refresh }, keyId, madeAtMs);
  const begun = before.refresh ?? end.line;
  invariant(
    begun.currentHash === end.line.currentHash,
    "a code has one first refresh token",
  );
  const issuing = { grant, line: { ...before, refresh: begun } };
  // The line's name is the end of its secret, and this the beginning.
  const chance = line.slice(0, CHANCE_LENGTH);
  const token = newAccessToken(keys, issuing, extent, chance, madeAtMs);
  return { tokens: issuedTokens(grant, token, end), line: begun };
}

/** The same tokens from when a client was told to send its request again. */
export function repeatable(note: Undelivered, nowMs: number): Undelivered {
  return { ...note, repeatUntilMs: nowMs + REPEATED_MS };
}

/**
 * The note if it lets tokens be given now: for as long as a code is good, or a
 * repeat was promised.
 */
export function inTime(
  note: Undelivered | undefined,
  nowMs: number,
): Undelivered | null {
  if (note === undefined) return null;
  const { madeAtMs, repeatUntilMs } = note;
  const untilMs = repeatUntilMs ?? madeAtMs + AUTHORIZATION_CODE_MS;
  return nowMs <= untilMs ? note : null;
}

/** Whether what the exchange makes is what the line has, if it has anything. */
export function isOf({ refresh }: Line, note: Undelivered): boolean {
  if (refresh === null) return true;
  const { undelivered } = refresh;
  return undelivered !== undefined && undelivered.madeBy === note.madeBy;
}

/** The line with what is undelivered of it; null once a request was given it. */
export function lineWith(
  { undelivered: _before, ...line }: RefreshLine,
  undelivered: Undelivered | null,
): RefreshLine {
  return undelivered === null ? line : { ...line, undelivered };
}
