import { DEMO_CLIENT_ID } from "../../../tools/demo/issue_demo_token.ts";
import { DEMO_AGENT_CLIENT_ID } from "../../../tools/demo/open_demo_access.ts";
import {
  isClientIdUrl,
  looksLikeUrl,
} from "../../../domain/oauth/clients/client_id_url.ts";
import type { Services } from "../../../domain/ports.ts";

/** Clients that nobody registers: those of development. */
const BUILT_IN: readonly string[] = [DEMO_CLIENT_ID, DEMO_AGENT_CLIENT_ID];

/**
 * Whether there is or may be such a client. An address is believed, since
 * fetching it would tell nothing about a token that is wrong anyway.
 */
export async function isKnownClient(
  { store, settings }: Pick<Services, "store" | "settings">,
  clientId: string,
): Promise<boolean> {
  if (looksLikeUrl(clientId)) return isClientIdUrl(settings, clientId);
  if (BUILT_IN.includes(clientId)) return true;
  return await store.clients.find(clientId) !== null;
}
