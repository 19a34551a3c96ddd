import type { Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";
import { lineOfToken, readAccessToken } from "./access_token.ts";
import { findNamedGrant } from "./find_named_grant.ts";
import { lineOfRefreshToken } from "./lines.ts";
import type { Parameters } from "./parameters.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { isAuthorizationCode } from "./tokens.ts";

/**
 * The id of the grant whose code or token a form shows, whether it is still good
 * or was: whoever shows it holds or held what only the grant's client was given.
 * Null for whatever was made up.
 */
export async function findShownGrant(
  services: Pick<Services, "store" | "keys">,
  form: Parameters,
): Promise<string | null> {
  const text = shownIn(form);
  return text === null ? null : await grantIdOf(services, text);
}

/** The grant that a form names, or the code that would, though made up. */
export function namedIn(form: Parameters): string {
  const text = shownIn(form) ?? "";
  const named = readRefreshToken(text) ?? readAccessToken(text);
  return named?.grantId ?? text;
}

/** The code or token that a form shows. */
function shownIn(form: Parameters): string | null {
  return form.get("code") ?? form.get("refresh_token") ?? form.get("token");
}

async function grantIdOf(
  { store, keys }: Pick<Services, "store" | "keys">,
  text: string,
): Promise<string | null> {
  if (isAuthorizationCode(text)) {
    const code = await store.authorizationCodes.find(sha256Hex(text));
    return code?.grantId ?? null;
  }
  const refresh = readRefreshToken(text);
  const access = readAccessToken(text);
  const named = refresh ?? access;
  const grant = named && await findNamedGrant(store, named.grantId);
  if (grant === null) return null;
  const line = refresh !== null && lineOfRefreshToken(grant, refresh) ||
    access !== null && lineOfToken(keys, grant, access);
  return line ? grant.id : null;
}
