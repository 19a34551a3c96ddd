/** An origin that a Content-Security-Policy can name. */
const NAMEABLE = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

/**
 * The origin for `form-action`, which browsers apply to where a form's answer
 * leads too; null where it can't be named: `[::1]`, and hosts with characters
 * that would say something else in a policy.
 */
export function nameableOrigin(origin: string): string | null {
  return NAMEABLE.test(origin) ? origin : null;
}

/**
 * The policy of a page of one person whose forms are answered by leading to
 * these origins: browsers apply `form-action` to the redirect after a form as
 * well, and would stop there without a word.
 */
export function formsLeadTo(
  origins: readonly string[],
): Readonly<Record<string, string>> {
  const named = origins.map(nameableOrigin).filter((origin) => origin !== null);
  return {
    "content-security-policy": [
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self'",
      "manifest-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      `form-action ${["'self'", ...named].join(" ")}`,
    ].join("; "),
  };
}
