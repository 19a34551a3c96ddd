import { sha256Hex } from "../sha256.ts";
import type { InTurn } from "../operations/transact_in_turn.ts";
import type { Services } from "../ports.ts";
import { readAccessToken } from "./access_token.ts";
import { looksLikeUrl } from "./clients/client_id_url.ts";
import { findNamedGrant } from "./find_named_grant.ts";
import type { Grant } from "./grant.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { isAuthorizationCode } from "./tokens.ts";

/**
 * The client's own grant behind a code or token, to know how the client has to
 * prove itself before anything is used up. Null when there is none, and at once for
 * clients that are no address: all of those are public.
 *
 * @param inTurn in which the store is asked
 */
export async function findGrantOf(
  services: Pick<Services, "store">,
  inTurn: InTurn,
  clientId: string,
  text: string,
): Promise<Grant | null> {
  if (!looksLikeUrl(clientId)) return null;
  const grant = await inTurn(() => findGrantBehind(services, text));
  return grant?.clientId === clientId ? grant : null;
}

async function findGrantBehind(
  { store }: Pick<Services, "store">,
  text: string,
): Promise<Grant | null> {
  const code = isAuthorizationCode(text)
    ? await store.authorizationCodes.find(sha256Hex(text))
    : null;
  const grantId = code?.grantId ?? readRefreshToken(text)?.grantId ??
    readAccessToken(text)?.grantId ?? null;
  if (grantId === null) return null;
  return await findNamedGrant(store, grantId);
}
