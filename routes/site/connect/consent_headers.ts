import { nameableOrigin } from "./way_back.tsx";

/**
 * The policy of the consent page, with the origin that its answer leads to:
 * browsers apply `form-action` to the redirect after a form as well, and would
 * stop there without a word.
 */
export function consentHeaders(
  redirectOrigin: string,
): Readonly<Record<string, string>> {
  const origin = nameableOrigin(redirectOrigin);
  const formAction = origin === null ? "'self'" : `'self' ${origin}`;
  return {
    "content-security-policy": [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      `form-action ${formAction}`,
    ].join("; "),
  };
}
