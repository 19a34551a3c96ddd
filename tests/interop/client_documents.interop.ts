/** Clients known by the document at their address, made of oauth4webapi. */
import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import {
  type DocumentHost,
  METADATA_PATH,
  publishClient,
} from "./support/document_host.ts";
import { discover, StrictClient } from "./support/strict_client.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

const KEYS_PATH = "/keys.json";

/** Where the keys of a client are. */
type KeysAt = "in the document" | "at jwks_uri";

/** A client that signs, with the site that says so. */
interface SigningClient {
  host: DocumentHost;
  privateKey: oauth.PrivateKey;
}

async function publishSigning(
  { callback }: InteropWorld,
  keysAt: KeysAt,
): Promise<SigningClient> {
  const pair = await oauth.generateKeyPair("ES256", { extractable: true });
  const kid = "key-1";
  const jwk = { ...await crypto.subtle.exportKey("jwk", pair.publicKey), kid };
  const jwks = { keys: [jwk] };
  const host = publishClient((origin) => ({
    [METADATA_PATH]: {
      client_id: `${origin}${METADATA_PATH}`,
      client_name: "Signing agent",
      redirect_uris: [callback.redirectUri],
      token_endpoint_auth_method: "private_key_jwt",
      ...keysAt === "at jwks_uri"
        ? { jwks_uri: `${origin}${KEYS_PATH}` }
        : { jwks },
    },
    ...keysAt === "at jwks_uri" && { [KEYS_PATH]: jwks },
  }));
  return { host, privateKey: { key: pair.privateKey, kid } };
}

async function clientOf(
  world: InteropWorld,
  { clientId }: DocumentHost,
  auth: oauth.ClientAuth,
): Promise<StrictClient> {
  const client = { client_id: clientId };
  return new StrictClient(world, await discover(world), { client, auth });
}

for (const keysAt of ["in the document", "at jwks_uri"] as const) {
  Deno.test(`oauth4webapi proves itself by a signature, its keys ${keysAt}`, async () => {
    await inWorld(async (world) => {
      const { host, privateKey } = await publishSigning(world, keysAt);
      await using _host = host;
      const auth = oauth.PrivateKeyJwt(privateKey);
      const agent = await clientOf(world, host, auth);
      const begun = await agent.begin();
      await world.user("ada").authorize(begun.url);
      const parameters = agent.accept(begun);
      const tokens = await agent.redeem(begun, parameters);
      await agent.call("/v1/agent/me", tokens.access_token);
      const second = await agent.refresh(tokens.refresh_token);
      await agent.call("/v1/agent/me", second.access_token);
      await agent.revoke(second.refresh_token);
      await assertRejects(
        () => agent.call("/v1/agent/me", second.access_token),
        oauth.WWWAuthenticateChallengeError,
      );
      const wanted = keysAt === "at jwks_uri"
        ? [METADATA_PATH, KEYS_PATH]
        : [METADATA_PATH];
      assertEquals(host.asked, wanted);
    });
  });
}

Deno.test("oauth4webapi without its signature, with another's or a repeated one is not the client", async () => {
  await inWorld(async (world) => {
    const { host, privateKey } = await publishSigning(world, "in the document");
    await using _host = host;
    const other = await oauth.generateKeyPair("ES256");
    const repeated = oauth.PrivateKeyJwt(privateKey, {
      [oauth.modifyAssertion]: (_, payload) => payload.jti = "once",
    });
    const agent = await clientOf(world, host, repeated);
    const begun = await agent.begin();
    await world.user("ada").authorize(begun.url);
    const parameters = agent.accept(begun);
    const forged = oauth.PrivateKeyJwt({ key: other.privateKey, kid: "key-1" });
    for (const auth of [oauth.None(), forged]) {
      const stranger = await clientOf(world, host, auth);
      await assertNotClient(stranger.redeem(begun, parameters));
    }
    const tokens = await agent.redeem(begun, parameters);
    await assertNotClient(agent.refresh(tokens.refresh_token));
    await agent.call("/v1/agent/me", tokens.access_token);
  });
});

Deno.test("oauth4webapi is known by its document alone, which is fetched once", async () => {
  await inWorld(async (world) => {
    await using host = publishClient((origin) => ({
      [METADATA_PATH]: {
        client_id: `${origin}${METADATA_PATH}`,
        client_name: "Public agent",
        redirect_uris: [world.callback.redirectUri],
      },
    }));
    const agent = await clientOf(world, host, oauth.None());
    for (const name of ["ada", "bo"]) {
      const begun = await agent.begin();
      await world.user(name).authorize(begun.url);
      const tokens = await agent.redeem(begun, agent.accept(begun));
      await agent.call("/v1/agent/me", tokens.access_token);
    }
    assertEquals(host.asked, [METADATA_PATH]);
  });
});

async function assertNotClient(request: Promise<unknown>): Promise<void> {
  const refused = await assertRejects(() => request, oauth.ResponseBodyError);
  assertEquals([refused.error, refused.status], ["invalid_client", 401]);
}
