/** openid-client runs the flow as most of its users do. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as client from "openid-client";
import { inWorld } from "./support/world.ts";

Deno.test("openid-client registers, gets tokens, refreshes, calls and revokes", async () => {
  await inWorld(async ({ authUrl, book, callback, user }) => {
    const redirectUri = callback.redirectUri;
    const config = await client.dynamicClientRegistration(
      new URL(authUrl),
      { client_name: "openid-client", redirect_uris: [redirectUri] },
      undefined,
      {
        algorithm: "oauth2",
        execute: [client.allowInsecureRequests],
        [client.customFetch]: book.fetch,
      },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "account:read",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    });
    await user("ada").authorize(url);
    const tokens = await client.authorizationCodeGrant(
      config,
      callback.take(),
      { pkceCodeVerifier: verifier, expectedState: state },
    );
    assertEquals(tokens.scope, "account:read");
    const me = new URL(`${authUrl}/v1/agent/me`);
    const call = (token: string) =>
      client.fetchProtectedResource(config, token, me, "GET");
    assertEquals((await call(tokens.access_token)).status, 200);
    const next = await client.refreshTokenGrant(
      config,
      tokens.refresh_token ?? "",
    );
    assert(next.refresh_token !== tokens.refresh_token);
    await client.tokenRevocation(config, next.refresh_token ?? "");
    for (const { access_token } of [tokens, next]) {
      const refused = await assertRejects(
        () => call(access_token),
        client.WWWAuthenticateChallengeError,
      );
      assertEquals(refused.cause[0]?.parameters.error, "invalid_token");
    }
  });
});
