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
 * Why codes may not be sent to the address; null when they may: to https, or
 * to http on this machine, without fragment and userinfo, and with no query
 * that a response could be mistaken for.
 */
export function redirectUriProblem(text: string): string | null {
  if (text.length > REDIRECT_URI_MAX) {
    return `must have at most ${REDIRECT_URI_MAX} characters`;
  }
  if (text.includes("#")) return "must have no fragment";
  if (!CHARACTERS.test(text)) return "must be an address as RFC 3986 writes it";
  if (!HTTPS.test(text) && withoutPort(text) === null) {
    return "must be https without a user's name, or http on 127.0.0.1, [::1] " +
      "or localhost";
  }
  if (!URL.canParse(text)) return "must be an address as RFC 3986 writes it";
  const { searchParams } = new URL(text);
  const reserved = RESERVED_KEYS.find((key) => searchParams.has(key));
  return reserved === undefined
    ? null
    : `must not carry ${reserved}, which the response says`;
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
