import type { Config } from "../config/config.ts";
import { deriveKeys } from "../config/keys.ts";
import {
  type SignedCookie,
  signedCookie,
} from "../routes/middleware/signed_cookie.ts";
import { SESSION_MAX_MS } from "../domain/sessions/session.ts";

/** How long a browser may take between asking for a code and giving it. */
const SIGN_IN_COOKIE_S = 3_600;

/** As long as browsers keep a cookie at most: 400 days. */
const DEVICE_COOKIE_S = 400 * 86_400;

/** The cookies of the website. */
export interface SiteCookies {
  /** The signed cookie of a website session (contract §9.7). */
  sessionCookie: SignedCookie;
  /** Binds a sign-in under way to the browser that began it. */
  signInCookie: SignedCookie;
  /**
   * Tells a browser in which an address has signed in. It is no sign-in: all it
   * gives is a reserve of codes that others can't use up.
   */
  deviceCookie: SignedCookie;
}

/**
 * The website's cookies, each with keys for its name and environment alone.
 * They are Secure wherever the site has https, which is everywhere but on a
 * developer's machine: on http a Secure cookie is sent by some clients only.
 */
export function siteCookies(config: Config): SiteCookies {
  const { environment, baseUrl } = config.settings;
  const cookie = (name: string, maxAgeS: number) =>
    signedCookie({
      name,
      keys: deriveKeys(config.secrets, `cookie|${name}|${environment}`),
      secure: baseUrl.startsWith("https:"),
      maxAgeS,
    });
  const suffix = environment === "preview" ? "_preview" : "";
  return {
    sessionCookie: cookie(config.sessionCookie, SESSION_MAX_MS / 1_000),
    signInCookie: cookie(`svc_sign_in${suffix}`, SIGN_IN_COOKIE_S),
    deviceCookie: cookie(`svc_device${suffix}`, DEVICE_COOKIE_S),
  };
}
