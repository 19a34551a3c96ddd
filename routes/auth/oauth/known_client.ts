import {
  isClientIdUrl,
  looksLikeUrl,
} from "../../../domain/oauth/clients/client_id_url.ts";
import type { OauthParts } from "./oauth_parts.ts";

/**
 * Whether there is or may be such a client. An address is believed, since
 * fetching it would tell nothing about a token that is wrong anyway.
 */
export async function isKnownClient(
  { services, unregisteredClients }: OauthParts,
  clientId: string,
): Promise<boolean> {
  const { store, settings } = services;
  if (looksLikeUrl(clientId)) return isClientIdUrl(settings, clientId);
  if (unregisteredClients.includes(clientId)) return true;
  return await store.clients.find(clientId) !== null;
}
