import type { PasskeyServices } from "../../../domain/passkeys/passkey_challenge.ts";
import type { Log } from "../../../domain/ports.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import type { SignedCookie } from "../../middleware/signed_cookie.ts";

/** What signing in and accounts are made of. */
export interface SignInParts extends RateLimits {
  services: PasskeyServices & { log: Log };
  /** The signed cookie of a website session (contract §9.7). */
  sessionCookie: SignedCookie;
  /** Binds a sign-in under way to the browser that began it. */
  signInCookie: SignedCookie;
  /** Tells a browser in which an address has signed in. */
  deviceCookie: SignedCookie;
}
