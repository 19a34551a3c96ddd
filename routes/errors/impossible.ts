import { InvariantBroken } from "../../domain/invariant.ts";
import type { Refusal, RefusalCode } from "../../domain/refusal.ts";

/**
 * What is met only where people and authorization servers are talked to; two
 * of them at the agent API, two at the operator API, too, which tell them before
 * they ask here.
 */
const BROWSER_CODES = [
  "cookie_repeated",
  "origin_not_own",
  "session_missing",
  "sign_in_stale",
  "sign_in_code_gone",
  "sign_in_code_wrong",
  "sign_in_mails_exhausted",
  "passkey_not_found",
  "passkey_rejected",
  "passkeys_full",
  "last_sign_in_method",
  "vat_id_taken",
  "cards_full",
  "tries_exhausted",
  "oauth_error",
  "authorization_unusable",
  "authorization_not_found",
  "authorization_of_another_browser",
  "partner_required",
  "decision_outdated",
] as const satisfies readonly RefusalCode[];

/** A refusal of sign-in or of the authorization server. */
export type BrowserRefusal = Extract<
  Refusal,
  { code: typeof BROWSER_CODES[number] }
>;

/** Whether an API, where nobody signs in, can't meet the refusal. */
export function isBrowserRefusal(refusal: Refusal): refusal is BrowserRefusal {
  const codes: readonly RefusalCode[] = BROWSER_CODES;
  return codes.includes(refusal.code);
}

/**
 * Stops on a refusal that no operation of the surface can give: a bug, which
 * the caller sees as that surface's 500.
 */
export function impossible(surface: string, code: RefusalCode): never {
  throw new InvariantBroken(
    `Invariant broken: the ${surface} surface met the refusal "${code}"`,
  );
}
