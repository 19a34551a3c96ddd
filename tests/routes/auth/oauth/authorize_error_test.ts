/** Errors that the person is told at once, and the client by a click. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startAuthorization } from "../../../../domain/oauth/authorize/start_authorization.ts";
import { openAuthorization } from "../../../../domain/oauth/authorize/open_authorization.ts";
import {
  approve,
  authorizationQuery,
  CHALLENGE,
  REDIRECT_URI,
  register,
  SESSION,
  start,
  VERIFIER,
} from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type Members,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

Deno.test("A4 a missing, plain or misshapen challenge is invalid_request", async () => {
  await using world = await openOauthWorld();
  const bad: Members[] = [
    { code_challenge: null },
    { code_challenge: "" },
    { code_challenge_method: null },
    { code_challenge_method: "plain" },
    { code_challenge_method: "s256" },
    { code_challenge: VERIFIER, code_challenge_method: "plain" },
    { code_challenge: CHALLENGE.slice(1) },
    { code_challenge: `${CHALLENGE}A` },
    { code_challenge: `${CHALLENGE}=` },
    { code_challenge: `${CHALLENGE.slice(1)}+` },
    { code_challenge: `${CHALLENGE.slice(1)}~` },
  ];
  await assertErrors(world, bad, "invalid_request");
});

Deno.test("A5 a repeated parameter is invalid_request, and a repeated state is not sent", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  for (const name of ["scope", "state", "code_challenge", "response_type"]) {
    const changes = { [name]: ["account:read", "account:read"] };
    const back = await errorOf(world, clientId, changes);
    assertEquals(back.get("error"), "invalid_request");
    assertEquals(back.get("state"), name === "state" ? null : "state-1");
  }
});

Deno.test("A5 resource may be repeated, and an empty parameter counts as absent", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await start(world, clientId, { resource: [ISSUER, `${ISSUER}/mcp`] });
  await start(world, clientId, { scope: "" });
  const path = `${authorizationQuery(clientId)}&scope=`;
  assertEquals((await world.ask(path)).status, 303);
});

Deno.test("A6 an error goes back with state and iss", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const back = await errorOf(world, clientId, { scope: "bids:delete" });
  assertEquals([...back.keys()], [
    "error",
    "error_description",
    "state",
    "iss",
  ]);
  assertEquals(back.get("state"), "state-1");
  assertEquals(back.get("iss"), ISSUER);
});

Deno.test("A6 a code goes back with state and iss, the query of the address kept", async () => {
  await using world = await openOauthWorld();
  const address = "https://client.example/cb?tenant=7";
  const clientId = await register(world, { redirect_uris: [address] });
  const { redirectTo } = await approve(world, {
    clientId,
    asked: { redirect_uri: address },
  });
  assertEquals([...redirectTo.searchParams.keys()], [
    "tenant",
    "code",
    "state",
    "iss",
  ]);
  assertEquals(redirectTo.searchParams.get("iss"), ISSUER);
});

Deno.test("A7 a faulty request redirects nobody: a page says what is wrong, and where its link leads", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const before = world.bidding.testStore.kv.commits.length;
  const path = authorizationQuery(clientId, { scope: "bids:delete" });
  const answer = await world.ask(path);
  assertEquals(answer.status, 400);
  for (const name of ["location", "refresh", "set-cookie"]) {
    assertEquals(answer.headers.get(name), null);
  }
  const html = await answer.text();
  assertStringIncludes(html, "The scope bids:delete is not known");
  assertStringIncludes(html, "Go to <bdi>client.example</bdi>");
  assert(!/http-equiv|<script/i.test(html), "nothing goes there by itself");
  assertEquals(world.bidding.testStore.kv.commits.length, before);
});

Deno.test("A7 a faulty request of a client with a document is a page as well", async () => {
  await using world = await openOauthWorld();
  const started = await startAuthorization(world.services, {
    query: authorizationQuery("https://agent.example/client.json", {
      scope: "bids:delete",
    }).split("?")[1] ?? "",
    admit: () => Promise.resolve(),
    resolveClient: (id) =>
      Promise.resolve({
        id,
        name: "Agent",
        host: "agent.example",
        redirectUris: [REDIRECT_URI],
        authentication: { method: "none" },
      }),
  });
  assertEquals(started.kind, "faulty");
});

Deno.test("A8 an unknown scope is invalid_scope and named, where a description may hold it", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const described = async (scope: string) =>
    (await errorOf(world, clientId, { scope })).get("error_description");
  assertEquals(
    await described("account:read admin"),
    "The scope admin is not known",
  );
  for (const odd of ['a"b', "a\\b", "ä", "<b>\u0000", "x".repeat(65), " "]) {
    assertEquals(await described(odd), "A scope is not known");
  }
  const bad = ["bids:delete", "account:read admin", "*", "ACCOUNT:READ"];
  await assertErrors(world, bad.map((scope) => ({ scope })), "invalid_scope");
});

Deno.test("A9 an address that carries what a response says cannot be registered", async () => {
  await using world = await openOauthWorld();
  for (const key of ["code", "state", "iss", "error", "response"]) {
    const answer = await world.ask("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [`${REDIRECT_URI}?${key}=x`] }),
    });
    assertEquals((await answer.json()).error, "invalid_redirect_uri");
  }
});

Deno.test("A10 request objects and other response types are refused", async () => {
  await using world = await openOauthWorld();
  await assertErrors(world, [{ request: "x" }], "request_not_supported");
  await assertErrors(
    world,
    [{ request_uri: "urn:x" }],
    "request_uri_not_supported",
  );
  await assertErrors(
    world,
    ["token", "code token", "id_token", "none"]
      .map((type) => ({ response_type: type })),
    "unsupported_response_type",
  );
  await assertErrors(
    world,
    [{ response_type: null }, { response_mode: "fragment" }],
    "invalid_request",
  );
});

Deno.test("A resource that is not ours is invalid_target", async () => {
  await using world = await openOauthWorld();
  const bad = [
    "https://evil.example",
    `${ISSUER}/mcp/x`,
    `${ISSUER}#x`,
    `${ISSUER}/MCP`,
    "mcp",
  ];
  await assertErrors(
    world,
    bad.map((resource) => ({ resource })),
    "invalid_target",
  );
});

Deno.test("A11 state comes back byte for byte", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const states = [
    `a&b#c"d<e>f'g h+i%j=k?l/m;n`,
    "ä€😀",
    "%00%0d%0a",
    "s".repeat(2_048),
  ];
  for (const state of states) {
    const { redirectTo } = await approve(world, {
      clientId,
      asked: { state },
    });
    assertEquals(redirectTo.searchParams.get("state"), state);
    assert(/^[!-~]+$/.test(redirectTo.href));
  }
});

Deno.test("A11 state that is no UTF-8 comes back byte for byte", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  for (const raw of ["%FF%fe", "%zz", "a%20b"]) {
    const query = authorizationQuery(clientId, { state: null });
    const answer = await world.ask(`${query}&state=${raw}`);
    const location = answer.headers.get("location") ?? "";
    const requestId = location.slice(location.lastIndexOf("/") + 1);
    const kept = await world.services.store.authorizationRequests
      .find(requestId);
    assertEquals(kept?.state, raw.replace("%zz", "%25zz"));
  }
});

Deno.test("A12 a hostile name and state break neither address nor header", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world, {
    client_name: '"><script>alert(1)</script>',
  });
  const { redirectTo } = await approve(world, {
    clientId,
    asked: { state: "x\r\nSet-Cookie: a=b" },
  });
  assert(!/[\r\n<>"]/.test(redirectTo.href));
  assertEquals(
    redirectTo.searchParams.get("state"),
    "x\r\nSet-Cookie: a=b",
  );
});

Deno.test("scope that is left out asks for account:read", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const requestId = await start(world, clientId, { scope: null });
  const opened = await openAuthorization(world.services, {
    requestId,
    sessionHash: SESSION,
  });
  assertEquals(opened.scopes, ["account:read"]);
  assertEquals(opened.resources, ["agent", "mcp", "site"]);
});

async function assertErrors(
  world: OauthWorld,
  bad: readonly Members[],
  error: string,
): Promise<void> {
  const clientId = await register(world);
  for (const changes of bad) {
    const back = await errorOf(world, clientId, changes);
    assertEquals(back.get("error"), error, JSON.stringify(changes));
  }
}

/** What the client is told, if the person follows the link of the page. */
async function errorOf(
  world: OauthWorld,
  clientId: string,
  changes: Members,
): Promise<URLSearchParams> {
  const answer = await world.ask(authorizationQuery(clientId, changes));
  assertEquals(answer.status, 400, JSON.stringify(changes));
  assertEquals(answer.headers.get("location"), null);
  const [, link = ""] = /href="([^"]*[?]error=[^"]*)"/
    .exec(await answer.text()) ?? [];
  const redirectTo = link.replaceAll("&amp;", "&");
  assert(redirectTo.startsWith(`${REDIRECT_URI}?`), redirectTo);
  return new URL(redirectTo).searchParams;
}
