/**
 * The whole flow over HTTP with a client that is nobody's of ours and checks
 * every answer: discovery, registration, PKCE, exchange, replay, refresh, a
 * protected request and revocation.
 */
import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import { approveAuthorization } from "../../../../domain/oauth/authorize/approve_authorization.ts";
import { saveSession } from "../../../support/sessions.ts";
import { seen } from "../../../support/captured_logs.ts";
import { readyAccount } from "../../../support/bidding_world.ts";
import { saveAccount } from "../../../support/oauth_world.ts";
import {
  type RunningService,
  runService,
} from "../../../support/running_service.ts";

const HTTP = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: seen.fetch,
};
const REDIRECT = "http://127.0.0.1:51004/cb";

interface Flow {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  auth: oauth.ClientAuth;
}

Deno.test("oauth4webapi registers, connects, reads, refreshes and revokes", async () => {
  await using running = await runService();
  const flow = await discover(running);
  const tokens = await exchange(running, flow);
  const { authUrl } = running.config.settings;
  const me = new URL(`${authUrl}/v1/agent/me`);
  const ask = (token: string) =>
    oauth.protectedResourceRequest(token, "GET", me, undefined, null, HTTP);
  const answer = await ask(tokens.access_token);
  assertEquals((await answer.json()).user_id, "acc_ada");
  const refreshed = await refresh(flow, tokens.refresh_token ?? "");
  const { server, client, auth } = flow;
  const revoked = await oauth.revocationRequest(
    server,
    client,
    auth,
    refreshed.access_token,
    HTTP,
  );
  await oauth.processRevocationResponse(revoked);
  const challenge = await assertRejects(
    () => ask(refreshed.access_token),
    oauth.WWWAuthenticateChallengeError,
  );
  const [said] = challenge.cause;
  assertEquals(said?.parameters.error, "invalid_token");
  assertEquals(
    said?.parameters.resource_metadata,
    `${authUrl}/.well-known/oauth-protected-resource`,
  );
});

Deno.test("oauth4webapi finds the server from the resource", async () => {
  await using running = await runService();
  const { authUrl } = running.config.settings;
  for (const resource of [`${authUrl}`, `${authUrl}/mcp`]) {
    const url = new URL(resource);
    const answer = await oauth.resourceDiscoveryRequest(url, HTTP);
    const found = await oauth.processResourceDiscoveryResponse(url, answer);
    assertEquals(found.authorization_servers, [authUrl]);
  }
});

Deno.test("oauth4webapi refuses the document on the site as that of another issuer", async () => {
  await using running = await runService();
  const site = new URL(running.config.settings.baseUrl);
  const answer = await oauth.discoveryRequest(site, {
    ...HTTP,
    algorithm: "oauth2",
  });
  await assertRejects(
    () => oauth.processDiscoveryResponse(site, answer),
    oauth.OperationProcessingError,
  );
});

Deno.test("oauth4webapi is told that a replayed code is invalid_grant", async () => {
  await using running = await runService();
  const flow = await discover(running);
  const { server, client, auth } = flow;
  const { params, verifier } = await authorize(running, flow);
  const redeem = async () => {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      params,
      REDIRECT,
      verifier,
      HTTP,
    );
    return await oauth.processAuthorizationCodeResponse(
      server,
      client,
      answer,
    );
  };
  await redeem();
  const error = await assertRejects(redeem, oauth.ResponseBodyError);
  assertEquals([error.error, error.status], ["invalid_grant", 400]);
});

async function discover(running: RunningService): Promise<Flow> {
  const { settings } = running.config;
  await saveAccount(running.service.core.services, readyAccount("ada"));
  const issuer = new URL(settings.authUrl);
  const found = await oauth.discoveryRequest(issuer, {
    ...HTTP,
    algorithm: "oauth2",
  });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const registered = await oauth.dynamicClientRegistrationRequest(
    server,
    { client_name: "Independent", redirect_uris: ["http://127.0.0.1/cb"] },
    HTTP,
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    registered,
  );
  return { server, client, auth: oauth.None() };
}

/** Sends the browser, and gives the user's yes without one. */
async function authorize(
  running: RunningService,
  { server, client }: Flow,
): Promise<{ params: URLSearchParams; verifier: string }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint ?? "");
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: "account:read",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const answer = await seen.fetch(address, { redirect: "manual" });
  const requestId = answer.headers.get("location")?.split("/").at(-1) ?? "";
  const { services } = running.service.core;
  const { redirectTo } = await approveAuthorization(services, {
    requestId,
    sessionHash: "session",
    session: await saveSession(services),
    scopes: ["account:read"],
    mandate: null,
  });
  const back = new URL(redirectTo);
  const params = oauth.validateAuthResponse(server, client, back, state);
  return { params, verifier };
}

async function exchange(
  running: RunningService,
  flow: Flow,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, auth } = flow;
  const { params, verifier } = await authorize(running, flow);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    params,
    REDIRECT,
    verifier,
    HTTP,
  );
  return await oauth.processAuthorizationCodeResponse(server, client, answer);
}

async function refresh(
  { server, client, auth }: Flow,
  token: string,
): Promise<oauth.TokenEndpointResponse> {
  const answer = await oauth.refreshTokenGrantRequest(
    server,
    client,
    auth,
    token,
    HTTP,
  );
  return await oauth.processRefreshTokenResponse(server, client, answer);
}

Deno.test("in development a client's document may be on the developer's machine", async () => {
  await using running = await runService();
  const documents = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) =>
      Response.json({
        client_id: url,
        client_name: "Local",
        redirect_uris: [REDIRECT],
      }),
  );
  const clientId = `http://127.0.0.1:${documents.addr.port}/client.json`;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
  });
  const { authUrl } = running.config.settings;
  const answer = await seen.fetch(`${authUrl}/oauth/authorize?${query}`, {
    redirect: "manual",
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 303);
  await documents.shutdown();
});
