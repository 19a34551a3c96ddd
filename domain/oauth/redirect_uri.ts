/** Longest redirect address. */
export const REDIRECT_URI_MAX = 2_048;

/** RFC 3986 without the characters that browsers repair or drop. */
const CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
/** A redirect address is https or on loopback, neither with userinfo. */
const HTTPS = /^https:\/\/[^/?@]+(?=[/?]|$)/;
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(:\d{1,5})?/;

/** What an authorization response says itself (OpenIddict refuses them too). */
const RESERVED_KEYS: readonly string[] = [
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri",
  "response",
];

/**
 * Whether codes may be sent to the address: https, or http on this machine,
 * without fragment and userinfo, and with no query that a response could be
 * mistaken for.
 */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > REDIRECT_URI_MAX || !CHARACTERS.test(text)) return false;
  if (!HTTPS.test(text) && withoutPort(text) === null) return false;
  if (!URL.canParse(text)) return false;
  const { searchParams, username, password } = new URL(text);
  return username === "" && password === "" &&
    !RESERVED_KEYS.some((key) => searchParams.has(key));
}

/**
 * Whether the address is the registered one, character by character. Only the
 * port of a native client on this machine may differ (RFC 8252 §7.3).
 */
export function isSameRedirectUri(registered: string, text: string): boolean {
  if (registered === text) return true;
  const bare = withoutPort(registered);
  return bare !== null && bare === withoutPort(text);
}

/** Whether the address is on the user's own machine, where anybody listens. */
export function isLoopbackRedirectUri(text: string): boolean {
  return withoutPort(text) !== null;
}

/** The host that is shown to the user, without the passing port of loopback. */
export function redirectHost(text: string): string {
  const { host, hostname } = new URL(text);
  return isLoopbackRedirectUri(text) ? hostname : host;
}

/** An http address on loopback without its port; null for any other. */
function withoutPort(text: string): string | null {
  const match = LOOPBACK.exec(text);
  if (match === null) return null;
  const rest = text.slice(match[0].length);
  return /^([/?]|$)/.test(rest) ? `${match[1]}${rest}` : null;
}
