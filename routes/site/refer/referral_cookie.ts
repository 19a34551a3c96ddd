import type { Settings } from "../../../domain/ports.ts";
import { parseCode } from "../../../domain/partners/create_link.ts";
import { REFERRAL_COOKIE_MS } from "../../../domain/partners/limits.ts";
import { Refused } from "../../../domain/refusal.ts";
import { cookieValue } from "../../middleware/signed_cookie.ts";
import type { RouteContext } from "../../route_table.ts";

/**
 * Keeps the code of the partner's link that was followed first, once its reader
 * has agreed. It is not signed: the same code may be in an address.
 */
const NAME = "svc_ref";

/** The code that the browser keeps; null for none, and for what is no code. */
export function keptCode(context: RouteContext): string | null {
  try {
    return parseCode(cookieValue(context.req.raw.headers.get("cookie"), NAME));
  } catch (thrown) {
    // One of the two was added by a neighbouring host.
    if (thrown instanceof Refused) return null;
    throw thrown;
  }
}

/** The Set-Cookie header that keeps a code for 30 days. */
export function keepCode(code: string, settings: Settings): string {
  return `${NAME}=${code}; Max-Age=${REFERRAL_COOKIE_MS / 1_000}; ${
    attributes(settings)
  }`;
}

/** The Set-Cookie header that takes the code away. */
export function forgetCode(settings: Settings): string {
  return `${NAME}=; Max-Age=0; ${attributes(settings)}`;
}

function attributes({ baseUrl }: Settings): string {
  const secure = baseUrl.startsWith("https:") ? "Secure; " : "";
  return `Path=/; ${secure}HttpOnly; SameSite=Lax`;
}
