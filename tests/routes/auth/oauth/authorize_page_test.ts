/** What is wrong with client or redirect address is told to the person alone. */
import { assert, assertEquals } from "@std/assert";
import type { AuthorizationRequest } from "../../../../domain/oauth/authorization_request.ts";
import {
  authorizationQuery,
  REDIRECT_URI,
  register,
  start,
} from "../../../support/oauth_flow.ts";
import {
  type Members,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

Deno.test("A1 an unknown client gets a page and no redirect", async () => {
  await using world = await openOauthWorld();
  const unknown = ["dcr_unknown", "client", "https://", "x".repeat(600)];
  for (const clientId of unknown) {
    await assertPage(world, authorizationQuery(clientId));
  }
  await assertPage(world, authorizationQuery("x", { client_id: null }));
});

const NEAR_MISSES = [
  `${REDIRECT_URI}/`,
  `${REDIRECT_URI}?a=1`,
  `${REDIRECT_URI}#x`,
  "https://client.example/CB",
  "https://CLIENT.example/cb",
  "https://client.example:8443/cb",
  "https://client.example:443/cb",
  "https://client.example@evil.example/cb",
  "https://user@client.example/cb",
  "https://client.example/%63b",
  "https://client.example/a/../cb",
  "https://client.example/%2e/cb",
  "https://client.example\\@evil.example/cb",
  "http://client.example/cb",
  "https://client.example.evil.example/cb",
  "https://client.example/c b",
  "javascript:alert(1)",
];

Deno.test("A2 a redirect address that is not registered gets a page and no redirect", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  for (const redirect of NEAR_MISSES) {
    const changes = { redirect_uri: redirect };
    await assertPage(world, authorizationQuery(clientId, changes));
  }
});

Deno.test("A2 a redirect address that is missing gets a page and no redirect", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  for (const redirect of [null, ""]) {
    const changes = { redirect_uri: redirect };
    await assertPage(world, authorizationQuery(clientId, changes));
  }
});

Deno.test("A3 the port of a loopback address may differ, its path and host may not", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world, {
    redirect_uris: ["http://127.0.0.1/cb", "http://[::1]:1/cb?a=1"],
  });
  const good = [
    "http://127.0.0.1/cb",
    "http://127.0.0.1:51004/cb",
    "http://[::1]:51004/cb?a=1",
    "http://[::1]/cb?a=1",
  ];
  for (const redirect of good) {
    await start(world, clientId, { redirect_uri: redirect });
  }
  const bad = [
    "http://127.0.0.1:51004/other",
    "http://127.0.0.1:51004/cb/",
    "http://localhost:51004/cb",
    "http://127.0.0.2/cb",
    "https://127.0.0.1/cb",
    "http://127.0.0.1:99999/cb",
    "http://127.0.0.1:51004@evil.example/cb",
    "http://127.0.0.1.evil.example/cb",
    "http://[::1]:51004/cb",
  ];
  for (const redirect of bad) {
    const changes = { redirect_uri: redirect };
    await assertPage(world, authorizationQuery(clientId, changes));
  }
});

Deno.test("A5 a repeated client or redirect address gets a page and no redirect", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const repeated: Members[] = [
    { client_id: [clientId, clientId] },
    { redirect_uri: [REDIRECT_URI, REDIRECT_URI] },
    { redirect_uri: [REDIRECT_URI, "https://evil.example/"] },
  ];
  for (const changes of repeated) {
    await assertPage(world, authorizationQuery(clientId, changes));
  }
});

Deno.test("A query longer than 8 KiB gets a page", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const changes = { state: "s".repeat(8_192) };
  await assertPage(world, authorizationQuery(clientId, changes));
});

Deno.test("a state longer than 2,048 characters as it is kept gets a page, and nothing is kept", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await start(world, clientId, { state: "s".repeat(2_048) });
  const rows = await requestsOf(world);
  for (const state of ["s".repeat(2_049), "\u{1F600}".repeat(171)]) {
    await assertPage(world, authorizationQuery(clientId, { state }));
  }
  assertEquals(await requestsOf(world), rows);
});

Deno.test("an authorization request keeps little of its client, however much the client registered", async () => {
  await using world = await openOauthWorld();
  const addresses = Array.from(
    { length: 10 },
    (_, nth) => `https://client.example/${nth}/`.padEnd(700, "x"),
  );
  const clientId = await register(world, { redirect_uris: addresses });
  await start(world, clientId, { redirect_uri: addresses[3] ?? "" });
  const [row] = await requestsOf(world);
  assert(row && !("redirectUris" in row.client));
  assert(JSON.stringify(row).length < 1_500);
});

Deno.test("one /48 has 120 authorization requests kept at once and then two a second, whatever /64s it asks from", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const statuses = new Map<number, number>();
  const askFrom = async (address: string) => {
    const answer = await world.ask(authorizationQuery(clientId), {}, address);
    await answer.body?.cancel();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  };
  const linkOf = (nth: number) => `2001:db8:1:${(nth << 7).toString(16)}::1`;
  for (let nth = 0; nth < 150; nth++) await askFrom(linkOf(nth));
  assertEquals([statuses.get(303), statuses.get(429)], [120, 30]);
  assertEquals((await requestsOf(world)).length, 120);
  const refused = await askFrom(linkOf(200));
  assertEquals(refused.headers.get("retry-after"), "1");
  assertEquals((await askFrom("2001:db8:2::1")).status, 303);
  world.bidding.clock.advance(1_000);
  assertEquals((await askFrom(linkOf(201))).status, 303);
});

/** What is kept of authorization requests. */
async function requestsOf(world: OauthWorld): Promise<AuthorizationRequest[]> {
  const { realKv } = world.bidding.testStore;
  const rows: AuthorizationRequest[] = [];
  const prefix = ["authorization_requests"];
  for await (const { value } of realKv.list<AuthorizationRequest>({ prefix })) {
    rows.push(value);
  }
  return rows;
}

Deno.test("A12 the page shows no text of the request and runs nothing", async () => {
  await using world = await openOauthWorld();
  const hostile = '"><script>alert(1)</script>\r\nSet-Cookie: a=b';
  for (const name of ["client_id", "redirect_uri", "state"]) {
    const path = authorizationQuery("dcr_unknown", { [name]: hostile });
    const answer = await world.ask(path);
    const text = await answer.text();
    assert(!text.includes("alert"));
    assertEquals(answer.headers.get("set-cookie"), null);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert(policy.startsWith("default-src 'none'"));
    assertEquals(answer.headers.get("x-frame-options"), "DENY");
  }
});

Deno.test("GET /oauth/authorize is the only method and needs no cookie", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const answer = await world.ask(authorizationQuery(clientId), {
    method: "POST",
  });
  assertEquals(answer.status, 405);
  assertEquals(answer.headers.get("allow"), "GET, HEAD");
  assertEquals(answer.headers.get("access-control-allow-origin"), null);
});

Deno.test("/oauth/authorize draws on the bucket of the address", async () => {
  await using world = await openOauthWorld();
  const path = authorizationQuery("dcr_unknown");
  const statuses = [];
  for (let n = 0; n < 61; n++) {
    const answer = await world.ask(path, {}, "198.51.100.1");
    statuses.push(answer.status);
    if (n === 60) assertEquals(answer.headers.get("retry-after"), "1");
    assertEquals(answer.headers.get("ratelimit"), null);
  }
  assertEquals(statuses.slice(-2), [400, 429]);
});

Deno.test("a page of /oauth/authorize is dark for who wants it, in whole sentences", async () => {
  await using world = await openOauthWorld();
  const answer = await world.ask(authorizationQuery("dcr_unknown"));
  const text = await answer.text();
  assert(text.includes('<link rel="stylesheet" href="/style.css?v='), text);
  assert(text.includes("the application is not known here.</p>"), text);
});

Deno.test("/oauth/authorize answers 503 as a page while the store fails", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  world.bidding.testStore.kv.inject({
    on: "read",
    fault: { kind: "fail_before" },
  });
  const answer = await world.ask(authorizationQuery(clientId));
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("retry-after"), "1");
  assert(answer.headers.get("content-type")?.startsWith("text/html"));
});

async function assertPage(world: OauthWorld, path: string): Promise<void> {
  const answer = await world.ask(path);
  assertEquals([answer.status, answer.headers.get("location")], [400, null]);
  assertEquals(
    answer.headers.get("content-type"),
    "text/html; charset=utf-8",
  );
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const text = await answer.text();
  assert(text.includes("<h1>This application cannot be connected</h1>"), path);
}
