/** oauth4webapi, the strictest client there is, runs the whole flow. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import * as oauth from "oauth4webapi";
import { WORKING_SET } from "../support/working_set.ts";
import {
  discover,
  registerStrict,
  type StrictClient,
  strictOptions,
} from "./support/strict_client.ts";
import type { ConsentAnswer } from "./support/user.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Connects a client that asks for some scopes; the user grants them all. */
async function connected(world: InteropWorld, scope = "account:read") {
  const agent = await registerStrict(world, "Strict agent");
  const begun = await agent.begin({ scope });
  await world.user("ada").authorize(begun.url);
  const parameters = agent.accept(begun);
  const tokens = await agent.redeem(begun, parameters);
  return { agent, begun, parameters, tokens };
}

/** Asserts that a token is refused, and that the client can tell why. */
async function assertDead(
  { authUrl }: InteropWorld,
  agent: StrictClient,
  accessToken: string,
): Promise<void> {
  const refused = await assertRejects(
    () => agent.call("/v1/agent/me", accessToken),
    oauth.WWWAuthenticateChallengeError,
  );
  assertEquals(refused.status, 401);
  const [challenge, ...others] = refused.cause;
  assertEquals(others, []);
  assertEquals(challenge?.scheme, "bearer");
  assertEquals(challenge?.parameters.error, "invalid_token");
  assertEquals(
    challenge?.parameters.resource_metadata,
    `${authUrl}/.well-known/oauth-protected-resource`,
  );
  const body = await refused.response.json();
  assertEquals(body.error, "invalid_token");
}

/** Asserts an error of the token endpoint. */
async function assertRefused(
  request: Promise<unknown>,
  error: string,
): Promise<void> {
  const refused = await assertRejects(() => request, oauth.ResponseBodyError);
  assertEquals([refused.error, refused.status], [error, 400]);
}

Deno.test("oauth4webapi finds the server by its issuer and by each of its resources", () =>
  run(async (world) => {
    const { authUrl, baseUrl } = world;
    assertEquals((await discover(world)).issuer, authUrl);
    for (const resource of [authUrl, `${authUrl}/mcp`, baseUrl]) {
      const identifier = new URL(resource);
      const response = await oauth.resourceDiscoveryRequest(
        identifier,
        strictOptions(world),
      );
      const found = await oauth.processResourceDiscoveryResponse(
        identifier,
        response,
      );
      assertEquals(found.authorization_servers, [authUrl]);
      const first = resource === baseUrl ? "account:read" : WORKING_SET;
      assertEquals(found.scopes_supported, first.split(" "));
    }
  }));

Deno.test("oauth4webapi does not take the website for the issuer", () =>
  run(async (world) => {
    const issuer = new URL(world.baseUrl);
    const response = await oauth.discoveryRequest(issuer, {
      algorithm: "oauth2",
      ...strictOptions(world),
    });
    await assertRejects(
      () => oauth.processDiscoveryResponse(issuer, response),
      oauth.OperationProcessingError,
    );
  }));

Deno.test("oauth4webapi registers, gets a token for what the user ticked and calls the agent API", () =>
  run(async (world) => {
    const agent = await registerStrict(world, "Strict agent");
    assertEquals(agent.client.token_endpoint_auth_method, "none");
    assertEquals(agent.client.client_secret, undefined);
    const begun = await agent.begin({
      scope: "account:read bids:read bids:write billing:write",
    });
    const lastDay = new Date(Date.now() + 30 * DAY_MS).toISOString()
      .slice(0, 10);
    const answer: ConsentAnswer = {
      scopes: ["account:read", "bids:read", "bids:write"],
      mandate: { maxBidEuros: "12.50", dailyCapEuros: "40", lastDay },
    };
    await world.user("ada").authorize(begun.url, answer);
    const tokens = await agent.redeem(begun, agent.accept(begun));
    assertEquals(tokens.token_type, "bearer");
    assertEquals(tokens.expires_in, 3_600);
    assertEquals(tokens.scope, "account:read bids:read bids:write");
    const response = await agent.call("/v1/agent/me", tokens.access_token);
    assertEquals(response.status, 200);
    const { mandate } = await response.json();
    assertEquals(mandate.max_bid_cents, 1_250);
    assertEquals(mandate.daily_cap_cents, 4_000);
  }));

Deno.test("oauth4webapi may listen on another port of this machine than it registered", () =>
  run(async (world) => {
    const portless = "http://127.0.0.1/callback";
    const agent = await registerStrict(world, "Native agent", portless);
    const begun = await agent.begin();
    await world.user("ada").authorize(begun.url);
    const tokens = await agent.redeem(begun, agent.accept(begun));
    assertEquals(tokens.scope, "account:read");
  }));

Deno.test("oauth4webapi notices an answer with another issuer or state", () =>
  run(async (world) => {
    const agent = await registerStrict(world, "Strict agent");
    const begun = await agent.begin();
    const back = await world.user("ada").authorize(begun.url);
    for (const name of ["iss", "state"]) {
      for (const value of [null, "https://elsewhere.example"]) {
        const changed = new URL(back);
        changed.searchParams.delete(name);
        if (value !== null) changed.searchParams.set(name, value);
        assertThrows(
          () =>
            oauth.validateAuthResponse(
              agent.server,
              agent.client,
              changed,
              begun.state,
            ),
          oauth.OperationProcessingError,
        );
      }
    }
  }));

Deno.test("oauth4webapi is told when the user denies, and of a faulty request when the user goes back to it", () =>
  run(async (world) => {
    const agent = await registerStrict(world, "Strict agent");
    const denied = await agent.begin();
    await world.user("ada").authorize(denied.url, { decision: "deny" });
    const no = assertThrows(
      () => agent.accept(denied),
      oauth.AuthorizationResponseError,
    );
    assertEquals(no.error, "access_denied");
    const faulty = await agent.begin({ scope: "account:read everything" });
    // The person is told at once, before any sign-in, and follows the link.
    const page = await assertRejects(
      () => world.user("bo").authorize(faulty.url),
      Error,
      "/oauth/authorize answered 400",
    );
    assertStringIncludes(page.message, "The scope everything is not known");
    const [, link = ""] = /href="([^"]+[?]error=[^"]+)"/.exec(page.message) ??
      [];
    await (await fetch(link.replaceAll("&amp;", "&"))).body?.cancel();
    const mistake = assertThrows(
      () => agent.accept(faulty),
      oauth.AuthorizationResponseError,
    );
    assertEquals(mistake.error, "invalid_scope");
  }));

Deno.test("oauth4webapi replays a code: it is refused, and what it gave is dead", () =>
  run(async (world) => {
    const { agent, begun, parameters, tokens } = await connected(world);
    await agent.call("/v1/agent/me", tokens.access_token);
    await assertRefused(agent.redeem(begun, parameters), "invalid_grant");
    await assertDead(world, agent, tokens.access_token);
    await assertRefused(agent.refresh(tokens.refresh_token), "invalid_grant");
  }));

Deno.test("oauth4webapi cannot kill a grant with a code and the wrong verifier", () =>
  run(async (world) => {
    const { agent, begun, parameters, tokens } = await connected(world);
    const verifier = oauth.generateRandomCodeVerifier();
    const stolen = agent.redeem({ ...begun, verifier }, parameters);
    await assertRefused(stolen, "invalid_grant");
    await agent.call("/v1/agent/me", tokens.access_token);
  }));

Deno.test("oauth4webapi refreshes: the token rotates, a lost answer can be fetched again", () =>
  run(async (world) => {
    const { agent, tokens } = await connected(world, "account:read bids:read");
    const narrow = { scope: "account:read" };
    const second = await agent.refresh(tokens.refresh_token, narrow);
    assertEquals(second.scope, "account:read");
    assert(second.refresh_token !== tokens.refresh_token);
    const again = await agent.refresh(tokens.refresh_token);
    assertEquals(again.refresh_token, second.refresh_token);
    assert(again.access_token !== second.access_token);
    const third = await agent.refresh(second.refresh_token);
    assertEquals(third.scope, "account:read bids:read");
    const issued = [tokens, second, again, third];
    const texts = new Set(issued.map((each) => each.access_token));
    assertEquals(texts.size, issued.length);
    await agent.call("/v1/agent/me", third.access_token);
    const wide = { scope: "account:read bids:write" };
    const wider = agent.refresh(third.refresh_token, wide);
    await assertRefused(wider, "invalid_scope");
  }));

Deno.test("oauth4webapi presents a used refresh token: the grant is dead", () =>
  run(async (world) => {
    const { agent, tokens } = await connected(world);
    const second = await agent.refresh(tokens.refresh_token);
    world.pass(MINUTE_MS);
    await assertRefused(agent.refresh(tokens.refresh_token), "invalid_grant");
    await assertRefused(agent.refresh(second.refresh_token), "invalid_grant");
    await assertDead(world, agent, second.access_token);
  }));

Deno.test("oauth4webapi gets a new access token when the hour is over", () =>
  run(async (world) => {
    const { agent, tokens } = await connected(world);
    world.pass(60 * MINUTE_MS);
    await assertDead(world, agent, tokens.access_token);
    const second = await agent.refresh(tokens.refresh_token);
    await agent.call("/v1/agent/me", second.access_token);
  }));

Deno.test("oauth4webapi revokes at the token endpoint: one access token, or the grant", () =>
  run(async (world) => {
    const { agent, tokens } = await connected(world);
    await agent.revoke(tokens.access_token);
    await assertDead(world, agent, tokens.access_token);
    const second = await agent.refresh(tokens.refresh_token);
    await agent.revoke(second.refresh_token);
    await assertDead(world, agent, second.access_token);
    await assertRefused(agent.refresh(second.refresh_token), "invalid_grant");
    await agent.revoke(second.refresh_token);
  }));

Deno.test("oauth4webapi is refused at the next request once the user has revoked it", () =>
  run(async (world) => {
    const agent = await registerStrict(world, "Strict agent");
    const ada = world.user("ada");
    const begun = await agent.begin();
    await ada.authorize(begun.url);
    const tokens = await agent.redeem(begun, agent.accept(begun));
    await agent.call("/v1/agent/me", tokens.access_token);
    await ada.revokeAgent();
    await assertDead(world, agent, tokens.access_token);
    await assertRefused(agent.refresh(tokens.refresh_token), "invalid_grant");
  }));

Deno.test("oauth4webapi reads which scope it lacks from the challenge", () =>
  run(async (world) => {
    const { agent, tokens } = await connected(world);
    const refused = await assertRejects(
      () => agent.call("/v1/agent/bids?day=2026-11-20", tokens.access_token),
      oauth.WWWAuthenticateChallengeError,
    );
    assertEquals(refused.status, 403);
    const [challenge] = refused.cause;
    assertEquals(challenge?.parameters.error, "insufficient_scope");
    assertEquals(challenge?.parameters.scope, "bids:read");
    const { code } = await refused.response.json();
    assertEquals(code, "agent.scope-missing");
  }));

Deno.test("oauth4webapi gets tokens for one resource, good nowhere else", () =>
  run(async (world) => {
    const agent = await registerStrict(world, "Strict agent");
    const resource = `${world.authUrl}/mcp`;
    const begun = await agent.begin({ resource });
    await world.user("ada").authorize(begun.url);
    const parameters = agent.accept(begun);
    const wider = agent.redeem(begun, parameters, { resource: world.authUrl });
    await assertRefused(wider, "invalid_target");
    const tokens = await agent.redeem(begun, parameters, { resource });
    await assertDead(world, agent, tokens.access_token);
  }));

async function run(
  test: (world: InteropWorld) => Promise<void>,
): Promise<void> {
  await inWorld(test);
}
