import { DAY_MS } from "../../day.ts";
import type { Services } from "../../ports.ts";
import { type RegisteredClient, UNNAMED_CLIENT } from "../client.ts";
import { refuseOauth } from "../refuse_oauth.ts";
import { parseClientName } from "./client_name.ts";
import { type DroppedRedirectUri, readRedirectUris } from "./redirect_uris.ts";

/** How long a client is kept that no user has authorized. */
export const UNUSED_CLIENT_MS = 30 * DAY_MS;

/** The client as it is kept, and what of its wishes is not. */
export interface ClientRegistration {
  client: RegisteredClient;
  dropped: readonly DroppedRedirectUri[];
}

/**
 * Registers a public client (RFC 7591). It gets an id and no secret, and is
 * forgotten after 30 days unless a user authorized it. Redirect addresses that
 * can't be used are dropped while others remain.
 *
 * @throws {Refused} `oauth_error`: `invalid_redirect_uri`,
 * `invalid_client_metadata`
 */
export async function registerClient(
  { clock, ids, store }: Pick<Services, "clock" | "ids" | "store">,
  input: { name: unknown; redirectUris: unknown },
): Promise<ClientRegistration> {
  const redirectUris = readRedirectUris(input.redirectUris);
  if (redirectUris === null) {
    refuseOauth(
      "invalid_redirect_uri",
      "redirect_uris must be 1 to 10 addresses, one of which at least is " +
        "https or http on loopback, without fragment, userinfo and " +
        "parameters of a response",
    );
  }
  const name = input.name === undefined
    ? UNNAMED_CLIENT
    : parseClientName(input.name);
  if (name === null) {
    refuseOauth(
      "invalid_client_metadata",
      "client_name must be 1 to 100 characters, all of which can be seen",
    );
  }
  const id = ids.next("dcr");
  const { kept, dropped } = redirectUris;
  const client = await store.transact((tx) => {
    const nowMs = clock.now();
    const client: RegisteredClient = {
      id,
      name,
      redirectUris: kept,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + UNUSED_CLIENT_MS,
    };
    tx.clients.save(client);
    return client;
  });
  return { client, dropped };
}
