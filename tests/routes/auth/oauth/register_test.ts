import { assert, assertEquals } from "@std/assert";
import {
  approve,
  assertOauthError,
  authorizationQuery,
  postRegistration,
  REDIRECT_URI,
  register,
} from "../../../support/oauth_flow.ts";
import {
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

const DAY_MS = 86_400_000;

Deno.test("POST /oauth/register answers a public client", async () => {
  await using world = await openOauthWorld();
  const answer = await postRegistration(world, {
    client_name: "Bid Agent",
    redirect_uris: ["http://127.0.0.1/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
    scope: "account:read bids:write admin",
    logo_uri: "https://evil.example/logo.png",
  });
  assertEquals(answer.status, 201);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const { client_id, ...rest } = await answer.json();
  assert(/^dcr_[a-z0-9]{20}$/.test(client_id));
  assertEquals(rest, {
    client_id_issued_at: world.services.clock.now() / 1_000,
    client_name: "Bid Agent",
    redirect_uris: ["http://127.0.0.1/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
    scope: "account:read bids:write",
  });
});

const BAD_URIS = [
  "javascript:alert(1)",
  "data:text/html,x",
  "http://client.example/cb",
  "https://client.example/cb#x",
  "com.example.app:/cb",
  "myapp://cb",
  "https://user:secret@client.example/cb",
  "https://user@client.example/cb",
  "https://client.example\\@evil.example",
  "https:client.example/cb",
  "https:///cb",
  "//client.example/cb",
  "https://client.example/c b",
  "https://client.example/<x>",
  "http://localhost.evil.example/cb",
  "http://127.0.0.1@evil.example/cb",
  "http://0.0.0.0/cb",
  " https://client.example/cb",
  "",
  "https://client.example/\r\n",
  `https://client.example/${"x".repeat(2_048)}`,
];

Deno.test("D1 an address that codes may not be sent to cannot be registered", async () => {
  await using world = await openOauthWorld();
  for (const uri of BAD_URIS) {
    const answer = await postRegistration(world, { redirect_uris: [uri] });
    await assertOauthError(answer, "invalid_redirect_uri");
  }
  const many = Array.from({ length: 11 }, (_, n) => `${REDIRECT_URI}/${n}`);
  for (const uris of [undefined, [], "https://x.example", [1], many]) {
    const answer = await postRegistration(world, { redirect_uris: uris });
    await assertOauthError(answer, "invalid_redirect_uri");
  }
});

Deno.test("D1 addresses that can't be used are dropped beside good ones, and the answer says which and why", async () => {
  await using world = await openOauthWorld();
  for (const uri of BAD_URIS) {
    const answer = await postRegistration(world, {
      redirect_uris: [uri, REDIRECT_URI, uri],
    });
    assertEquals(answer.status, 201, uri);
    const body = await answer.json();
    assertEquals(body.redirect_uris, [REDIRECT_URI]);
    const [dropped, ...more] = body.dropped_redirect_uris;
    assertEquals([dropped.redirect_uri, more], [uri, []]);
    assert(dropped.reason.startsWith("must "), dropped.reason);
    // What was dropped is no address of this client.
    const path = authorizationQuery(body.client_id, { redirect_uri: uri });
    const asked = await world.ask(path);
    assertEquals([asked.status, asked.headers.get("location")], [400, null]);
  }
});

Deno.test("D1 the three addresses that Cursor names make a client of two", async () => {
  await using world = await openOauthWorld();
  const answer = await postRegistration(world, {
    client_name: "Cursor",
    redirect_uris: [
      "http://localhost:8787/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "cursor://anysphere.cursor-mcp/oauth/callback",
    ],
  });
  assertEquals(answer.status, 201);
  const body = await answer.json();
  assertEquals(body.redirect_uris, [
    "http://localhost:8787/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
  ]);
  assertEquals(body.dropped_redirect_uris, [{
    redirect_uri: "cursor://anysphere.cursor-mcp/oauth/callback",
    reason: "must be https without a user's name, or http on 127.0.0.1, " +
      "[::1] or localhost",
  }]);
});

Deno.test("D2 a client that asks for a secret gets none", async () => {
  await using world = await openOauthWorld();
  for (const method of ["client_secret_basic", "private_key_jwt", undefined]) {
    const answer = await postRegistration(world, {
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: method,
      client_secret: "mine",
    });
    const body = await answer.json();
    assertEquals(body.token_endpoint_auth_method, "none");
    assert(!Object.keys(body).some((key) => key.includes("secret")));
  }
});

Deno.test("D3 what is no JSON object of 8 KiB at most is invalid_client_metadata", async () => {
  await using world = await openOauthWorld();
  const bodies = [
    "[]",
    "null",
    '"x"',
    "{",
    "",
    JSON.stringify({ redirect_uris: [REDIRECT_URI], x: "x".repeat(8_192) }),
  ];
  for (const body of bodies) {
    const answer = await postRegistration(world, body);
    await assertOauthError(answer, "invalid_client_metadata");
  }
  const form = await world.ask("/oauth/register", {
    method: "POST",
    body: new URLSearchParams({ redirect_uris: REDIRECT_URI }),
  });
  await assertOauthError(form, "invalid_client_metadata");
});

Deno.test("D3 names with control or bidi characters and odd types are refused", async () => {
  await using world = await openOauthWorld();
  const names = ["", " ", "a\nb", "\u202Egpj", "\u0000", "x".repeat(101), 7];
  for (const name of names) {
    const answer = await postRegistration(world, {
      redirect_uris: [REDIRECT_URI],
      client_name: name,
    });
    await assertOauthError(answer, "invalid_client_metadata");
  }
  for (
    const members of [
      { grant_types: ["client_credentials"] },
      { grant_types: ["refresh_token"] },
      { grant_types: "authorization_code" },
      { response_types: ["token"] },
    ]
  ) {
    const answer = await postRegistration(world, {
      redirect_uris: [REDIRECT_URI],
      ...members,
    });
    await assertOauthError(answer, "invalid_client_metadata");
  }
});

Deno.test("D4 a registered client's id never looks like an address", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world, { client_id: "https://x.example/c" });
  assert(clientId.startsWith("dcr_"));
});

Deno.test("a client that nobody authorized is forgotten after 30 days", async () => {
  await using world = await openOauthWorld();
  const [used, unused] = [await register(world), await register(world)];
  await approve(world, { clientId: used });
  world.bidding.clock.advance(30 * DAY_MS);
  assertEquals((await world.ask(authorizationQuery(used))).status, 303);
  assertEquals((await world.ask(authorizationQuery(unused))).status, 400);
});

Deno.test("an address may register 10 clients an hour", async () => {
  await using world = await openOauthWorld();
  const statuses = [];
  const post = () =>
    world.ask("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    }, "198.51.100.1");
  for (let n = 0; n < 10; n++) statuses.push((await post()).status);
  assertEquals(statuses, Array(10).fill(201));
  const limited = await post();
  assertEquals(limited.headers.get("retry-after"), "360");
  await assertOauthError(limited, "slow_down", 429);
  world.bidding.clock.advance(360_000);
  assertEquals((await post()).status, 201);
});

Deno.test("what a page of another site has sent costs an address no registration that a program needs", async () => {
  await using world = await openOauthWorld();
  const post = (headers: Record<string, string>) =>
    world.ask("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    }, "198.51.100.1");
  for (let n = 0; n < 80; n++) {
    const answer = await post({ "content-type": "text/plain;charset=UTF-8" });
    await assertOauthError(answer, "invalid_client_metadata");
  }
  const byScript = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty",
    origin: "https://rival.example",
  };
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await post(byScript)).status);
  assertEquals(statuses, [...Array(10).fill(201), 429]);
  assertEquals((await post({})).status, 201);
});

/** Registers once from each address; how many were let. */
async function registeredFrom(
  world: OauthWorld,
  addresses: readonly string[],
): Promise<number> {
  let registered = 0;
  for (const address of addresses) {
    const answer = await world.ask("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [REDIRECT_URI] }),
    }, address);
    if (answer.status === 201) {
      registered += 1;
      await answer.body?.cancel();
    } else await assertOauthError(answer, "slow_down", 429);
  }
  return registered;
}

Deno.test("an IPv6 customer registers no more clients from 256 or 65,536 networks than its /56 and /48 allow", async () => {
  await using world = await openOauthWorld();
  const links = (count: number, prefix: (nth: number) => string) =>
    Array.from({ length: count }, (_, nth) => `${prefix(nth)}::1`);
  const hex = (number: number) => number.toString(16);
  const household = links(60, (nth) => `2001:db8:1:2${hex(nth + 16)}`);
  assertEquals(await registeredFrom(world, household), 20);
  const site = links(60, (nth) => `2001:db8:1:${hex(nth + 16)}00`);
  assertEquals(await registeredFrom(world, site), 20, "40 of the /48 in all");
  assertEquals(await registeredFrom(world, ["2001:db8:2::1"]), 1);
  // What was refused was taken from nobody: an hour fills all of it again.
  world.bidding.clock.advance(3_600_000);
  assertEquals(await registeredFrom(world, household), 20);
});

Deno.test("parallel registrations from one /56 are counted exactly", async () => {
  await using world = await openOauthWorld();
  const all = await Promise.all(
    Array.from(
      { length: 60 },
      (_, nth) =>
        registeredFrom(world, [`2001:db8:1:2${(nth + 16).toString(16)}::1`]),
    ),
  );
  assertEquals(all.reduce((sum, each) => sum + each, 0), 20);
});
