import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/** BASE64URL of 32 bytes is 43 characters, always. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * PKCE with S256 is required (OAuth 2.1 §7.5). A missing method would mean
 * `plain`, which would be a downgrade.
 */
export function checkPkce({ parameters }: Asked): OauthError | null {
  const challenge = parameters.get("code_challenge");
  if (challenge === null) {
    return oauthError("invalid_request", "code_challenge is required");
  }
  if (parameters.get("code_challenge_method") !== "S256") {
    return oauthError("invalid_request", "code_challenge_method must be S256");
  }
  return S256_CHALLENGE.test(challenge) ? null : oauthError(
    "invalid_request",
    "code_challenge must be 43 characters of base64url",
  );
}
