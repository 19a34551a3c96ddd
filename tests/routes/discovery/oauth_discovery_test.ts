import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";
import { openOauthWorld } from "../../support/oauth_world.ts";
import { openSite } from "../../support/site_app.ts";
import { WORKING_SET } from "../../support/working_set.ts";

const AUTH = "https://api.spotlight.example";
const SERVER = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource";
const ALGORITHMS = ["ES256", "EdDSA", "PS256", "RS256"];

const SERVER_GOLDEN = {
  issuer: AUTH,
  authorization_endpoint: `${AUTH}/oauth/authorize`,
  token_endpoint: `${AUTH}/oauth/token`,
  registration_endpoint: `${AUTH}/oauth/register`,
  revocation_endpoint: `${AUTH}/oauth/token`,
  revocation_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  code_challenge_methods_supported: ["S256"],
  scopes_supported: [
    "account:read",
    "account:write",
    "reports:read",
    "bids:read",
    "bids:write",
    "creatives:read",
    "creatives:write",
    "invoices:read",
    "billing:read",
    "billing:write",
    "security:read",
    "security:write",
    "privacy:write",
    "connections:read",
    "connections:write",
    "affiliate:read",
    "affiliate:write",
  ],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [AUTH, `${AUTH}/mcp`, TEST_BASE_URL],
  service_documentation: `${TEST_BASE_URL}/auth.md`,
  op_policy_uri: `${TEST_BASE_URL}/privacy`,
  op_tos_uri: `${TEST_BASE_URL}/terms`,
};

const AGENT_AUTH_GOLDEN = {
  skill: `${TEST_BASE_URL}/auth.md`,
  register_uri: `${AUTH}/oauth/register`,
  claim_uri: `${AUTH}/oauth/authorize`,
  revocation_uri: `${AUTH}/oauth/token`,
  identity_types_supported: ["anonymous"],
  anonymous: { credential_types_supported: ["access_token"] },
  claim: "OAuth consent: send the user to claim_uri (authorization code, " +
    "PKCE S256). No credential exists before it.",
};

function resourceGolden(resource: string, name: string, first: string) {
  return {
    resource,
    authorization_servers: [AUTH],
    scopes_supported: first.split(" "),
    bearer_methods_supported: ["header"],
    resource_name: name,
    resource_documentation: `${TEST_BASE_URL}/auth.md`,
  };
}

Deno.test("the authorization server describes itself", async () => {
  await using world = await openOauthWorld();
  const answer = await world.ask(SERVER);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "public, max-age=300");
  assertEquals(answer.headers.get("access-control-allow-origin"), "*");
  const document = await answer.json();
  assertEquals(document, SERVER_GOLDEN);
  assertEquals(document.scopes_supported, SCOPES);
});

Deno.test("L4 the document on the site is the server's byte for byte", async () => {
  await using world = await openOauthWorld();
  await using site = await openSite();
  const own = await world.ask(SERVER);
  const mirror = await site.ask(SERVER);
  const ownText = await own.text();
  assertEquals(await mirror.text(), ownText);
  assertEquals(JSON.parse(ownText).issuer, AUTH);
  assertEquals(Object.fromEntries(mirror.headers), {
    ...Object.fromEntries(own.headers),
  });
});

Deno.test("L4 the agents' document is the server's and agent_auth, which that has not", async () => {
  await using world = await openOauthWorld();
  const { agent_auth: agentAuth, ...rest } = await (
    await world.ask(`${SERVER}-agent`)
  ).json();
  assertEquals(rest, SERVER_GOLDEN);
  assertEquals(agentAuth, AGENT_AUTH_GOLDEN);
});

Deno.test("each protected resource has a document that names it", async () => {
  await using world = await openOauthWorld();
  await using site = await openSite();
  assertEquals(
    await (await world.ask(RESOURCE)).json(),
    resourceGolden(AUTH, "Spotlight advertiser API", WORKING_SET),
  );
  assertEquals(
    await (await world.ask(`${RESOURCE}/mcp`)).json(),
    resourceGolden(
      `${AUTH}/mcp`,
      "Spotlight advertiser MCP server",
      WORKING_SET,
    ),
  );
  assertEquals(
    await (await site.ask(RESOURCE)).json(),
    resourceGolden(TEST_BASE_URL, "Spotlight checkout", "account:read"),
  );
});

Deno.test("the server is no OpenID provider", async () => {
  await using world = await openOauthWorld();
  await using site = await openSite();
  const path = "/.well-known/openid-configuration";
  for (const answer of [await world.ask(path), await site.ask(path)]) {
    assertEquals(answer.status, 404);
    await answer.body?.cancel();
  }
});

Deno.test("discovery costs nothing, answers HEAD and If-None-Match", async () => {
  await using world = await openOauthWorld();
  let last = Response.error();
  for (let n = 0; n < 200; n++) {
    last = await world.ask(SERVER, {}, "198.51.100.1");
    await last.body?.cancel();
  }
  assertEquals(last.status, 200);
  assertEquals(last.headers.get("ratelimit"), null);
  const head = await world.ask(SERVER, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  const etag = last.headers.get("etag") ?? "";
  const again = await world.ask(SERVER, {
    headers: { "if-none-match": etag },
  });
  assertEquals(again.status, 304);
});

Deno.test("a browser may read discovery with the headers of an MCP client", async () => {
  await using world = await openOauthWorld();
  const answer = await world.ask(RESOURCE, {
    method: "OPTIONS",
    headers: {
      origin: "https://app.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "mcp-protocol-version",
    },
  });
  assertEquals(answer.status, 204);
  const allowed = answer.headers.get("access-control-allow-headers") ?? "";
  assertEquals(allowed.split(", ").includes("*"), true);
  assert(!answer.headers.has("access-control-allow-credentials"));
});
