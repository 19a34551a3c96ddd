import { hasShortHost, isPublicHost } from "../fetching/public_url.ts";

/** Longest address, in characters, as typed and as kept (contract §7.9). */
export const TARGET_URL_MAX = 2_048;

/** What may be wrong with an address, and what to do about it. */
const PROBLEMS = {
  missing: "Enter the address of your page, such as https://example.com/.",
  too_long: `Use an address of ${TARGET_URL_MAX} characters at most.`,
  unreadable: "Remove spaces, backslashes and characters that can’t be seen.",
  not_https: "Use an address that begins with https://.",
  has_credentials: "Leave out the user name and password.",
  not_public: "Use the name of a public host, such as example.com: no IP " +
    "address and no local name.",
};

/** What is wrong with an address that an advertisement leads to. */
export type UrlProblem = keyof typeof PROBLEMS;

/** An address, or what is wrong with it. */
export type TargetReading =
  | { ok: true; url: string }
  | { ok: false; problem: UrlProblem };

/** Browsers repair all of these, each in its own way. */
const UNREADABLE = /[\s\\\p{C}\p{Default_Ignorable_Code_Point}]/u;
const AUTHORITY = /^https:\/\/([^/?#]*)/i;

/**
 * Reads the address that an advertisement leads to: https, a public host by
 * name, nobody's password. It is kept as browsers write it, in ASCII, so that
 * what is shown of its host is what is visited.
 */
export function readTargetUrl(typed: string): TargetReading {
  const text = typed.trim();
  if (text === "") return no("missing");
  if (text.length > TARGET_URL_MAX) return no("too_long");
  if (UNREADABLE.test(text)) return no("unreadable");
  const [, authority] = AUTHORITY.exec(text) ?? [];
  if (authority === undefined) return no("not_https");
  if (authority.includes("@")) return no("has_credentials");
  // Parsers look further for a host where none stands.
  const url = hasShortHost(text) ? URL.parse(text) : null;
  if (url === null || !isPublicHost(url.hostname)) return no("not_public");
  if (url.href.length > TARGET_URL_MAX) return no("too_long");
  return { ok: true, url: url.href };
}

function no(problem: UrlProblem): TargetReading {
  return { ok: false, problem };
}

/** What is wrong with an address and what to do, in a sentence for anyone. */
export function urlSentence(problem: UrlProblem): string {
  return PROBLEMS[problem];
}
