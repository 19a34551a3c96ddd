/**
 * What the service leaves behind of a flow. Each interop test ends with the
 * same look; here it is held to see something.
 */
import { assert, assertEquals } from "@std/assert";
import * as oauth from "oauth4webapi";
import { METADATA_PATH, publishClient } from "./support/document_host.ts";
import { EVERY_SECRET } from "../support/secret_book.ts";
import { discover, StrictClient } from "./support/strict_client.ts";
import { type InteropWorld, inWorld, leaksOf } from "./support/world.ts";

/** One flow in which every kind of secret there is passes. */
async function runEverything(world: InteropWorld): Promise<void> {
  const { callback, user } = world;
  const pair = await oauth.generateKeyPair("ES256", { extractable: true });
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
  await using host = publishClient((origin) => ({
    [METADATA_PATH]: {
      client_id: `${origin}${METADATA_PATH}`,
      client_name: "Signing agent",
      redirect_uris: [callback.redirectUri],
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [{ ...jwk, kid: "key-1" }] },
    },
  }));
  const agent = new StrictClient(world, await discover(world), {
    client: { client_id: host.clientId },
    auth: oauth.PrivateKeyJwt({ key: pair.privateKey, kid: "key-1" }),
  });
  const ada = user("ada");
  const denied = await agent.begin();
  await ada.authorize(denied.url, { decision: "deny" });
  callback.take();
  const begun = await agent.begin();
  await ada.authorize(begun.url);
  const parameters = agent.accept(begun);
  const tokens = await agent.redeem(begun, parameters);
  const second = await agent.refresh(tokens.refresh_token);
  await agent.call("/v1/agent/me", second.access_token);
  await agent.revoke(second.access_token);
  const ended = agent.call("/v1/agent/me", second.access_token);
  await ended.catch(() => {});
  await agent.redeem(begun, parameters).catch(() => {});
}

Deno.test("nothing that a client or browser holds is in the log or in the store after the flow", async () => {
  const remains = await inWorld(runEverything, "server");
  const { book, log, present } = remains;
  assertEquals(book.kinds(), new Set(EVERY_SECRET));
  // The look was at something, once the mail had left.
  for (
    const route of ["/sign-in/verify", "/connect/:request", "/oauth/token"]
  ) {
    assert(log.includes(`"route":"${route}","status":`), route);
  }
  const families = new Set(present.map(({ family }) => family));
  for (const family of ["authorization_codes", "grants", "sessions"]) {
    assert(families.has(family), family);
  }
  // Access tokens prove themselves: of these there is no row at all.
  assertEquals(families.has("access_tokens"), false);
});

Deno.test("a secret that is in the log or in the store is found, whatever it is", async () => {
  const remains = await inWorld(runEverything, "server");
  const { book } = remains;
  for (const [kind, text] of book.entries()) {
    const leaky = { ...remains, log: `${remains.log}{"detail":"${text}"}\n` };
    assert(leaksOf(leaky, "server").length > 0, `${kind} in the log`);
    if (kind === "e-mail address" || kind === "state") continue;
    const row = { family: "sessions", text: `["sessions"] {"id":"${text}"}` };
    const kept = { ...remains, present: [...remains.present, row] };
    assert(leaksOf(kept, "server").length > 0, `${kind} in the store`);
  }
});
