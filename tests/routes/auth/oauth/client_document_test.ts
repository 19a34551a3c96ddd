/** Clients that are described at the address that is their id. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ALL_CLIENT_FETCHES } from "../../../../domain/rate_limit/policy.ts";
import {
  CLIENT_DOCUMENT,
  CLIENT_ID,
  jsonDocument,
} from "../../../support/client_host.ts";
import {
  approve,
  authorizationQuery,
  codeForm,
  connect,
  refreshForm,
  start,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

const REDIRECT = { redirect_uri: "https://agent.example/callback" };
const MINUTE_MS = 60_000;

Deno.test("a client is known by the document at its address", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world, {
    clientId: CLIENT_ID,
    asked: REDIRECT,
  });
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals(grant?.client, {
    name: "Bid Agent",
    host: "agent.example",
    redirectHost: "agent.example",
    authentication: { method: "none" },
  });
  await tokensOf(
    await world.post(refreshForm(CLIENT_ID, connected.tokens.refresh_token)),
  );
  assertEquals(world.clients.asked, ["/client.json"]);
});

const BAD_IDS = [
  "https://agent.example:8443/client.json",
  "https://agent.example:25/client.json",
  "https://agent.example:80/client.json",
  "http://agent.example/client.json",
  "https://agent.example",
  "https://agent.example/",
  "https://agent.example/a/../client.json",
  "https://agent.example/./client.json",
  "https://agent.example/%2e%2e/client.json",
  "https://agent.example/%2E/client.json",
  "https://user@agent.example/client.json",
  "https://user:secret@agent.example/client.json",
  "https://agent.example/client.json#x",
  "https://agent.example\\client.json",
  "https:\\\\agent.example/client.json",
  "https://agent.example/\tclient.json",
  " https://agent.example/client.json",
  "https:/agent.example/client.json",
  "https://AGENT.example/client.json",
  "https://agent.example:443/client.json",
  "HTTPS://agent.example/client.json",
  "https://2130706433/client.json",
  "https://0x7f.1/client.json",
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://localhost/client.json",
  "https://agent/client.json",
  "https://agent.local/client.json",
  "https://agent.internal/client.json",
  `https://agent.example/${"x".repeat(512)}`,
  "ftp://agent.example/client.json",
  "urn:client",
];

Deno.test("D5 an id that is no plain public address is not fetched", async () => {
  await using world = await openOauthWorld();
  for (const clientId of BAD_IDS) {
    const answer = await world.ask(authorizationQuery(clientId, REDIRECT));
    await answer.body?.cancel();
    assertEquals(answer.status, 400, clientId);
  }
  assertEquals(world.clients.asked, []);
});

Deno.test("a document may name addresses that can't be used beside good ones", async () => {
  await using world = await openOauthWorld();
  const good = "https://agent.example/callback";
  const redirectUris = ["cursor://agent/callback", good];
  world.clients.answer = () =>
    jsonDocument({ ...CLIENT_DOCUMENT, redirect_uris: redirectUris });
  await start(world, CLIENT_ID, { redirect_uri: good });
  const path = authorizationQuery(CLIENT_ID, {
    redirect_uri: "cursor://agent/callback",
  });
  const answer = await world.ask(path);
  assertEquals([answer.status, answer.headers.get("location")], [400, null]);
  assertStringIncludes(await answer.text(), "its redirect address must be");
});

const BAD_DOCUMENTS: readonly unknown[] = [
  { client_id: undefined },
  { client_id: `${CLIENT_ID}/` },
  { client_id: "https://agent.example:443/client.json" },
  { client_id: "https://agent.example/other.json" },
  { client_name: undefined },
  { client_name: "" },
  { client_name: "\u202Egpj" },
  { redirect_uris: undefined },
  { redirect_uris: [] },
  { redirect_uris: ["javascript:alert(1)"] },
  { client_secret: "x" },
  { client_secret_expires_at: 0 },
  { token_endpoint_auth_method: "client_secret_basic" },
  { token_endpoint_auth_method: "client_secret_jwt" },
  { token_endpoint_auth_method: "private_key_jwt" },
  {
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y", d: "d" }] },
  },
  {
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ kty: "oct", k: "x" }] },
  },
  { logo_uri: "http://agent.example/logo.png" },
  { tos_uri: "javascript:alert(1)" },
  { client_uri: 7 },
].map((changes) => ({ ...CLIENT_DOCUMENT, ...changes }));

Deno.test("D6 a faulty document is as good as none, and is asked for again", async () => {
  await using world = await openOauthWorld();
  for (const [nth, document] of BAD_DOCUMENTS.entries()) {
    world.clients.answer = () => jsonDocument(document);
    assertEquals(await status(world), 400, JSON.stringify(document));
    assertEquals(world.clients.asked.length, nth + 1);
    world.bidding.clock.advance(1_000);
  }
});

Deno.test("D7 an answer that is no JSON document of 5 KB at once is refused", async () => {
  await using world = await openOauthWorld();
  const good = JSON.stringify(CLIENT_DOCUMENT);
  const answers = [
    () => Response.redirect("https://agent.example/other.json", 302),
    () => new Response(good, { status: 201, headers: JSON_TYPE }),
    () => new Response(good, { headers: { "content-type": "text/html" } }),
    () => jsonDocument(`${good}${" ".repeat(6_000)}`),
    () => jsonDocument("{"),
    () => jsonDocument("[]"),
    () => jsonDocument("null"),
    () => new Response(null, { status: 204 }),
    () => new Response("gone", { status: 500 }),
  ];
  for (const answer of answers) {
    world.clients.answer = answer;
    assertEquals(await status(world), 400, answer.toString());
    world.bidding.clock.advance(1_000);
  }
});

Deno.test("D8 a host that resolves to our own network is not connected to", async () => {
  await using world = await openOauthWorld();
  const special = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "fc00::1",
  ];
  for (const address of special) {
    const family = address.includes(":") ? 6 : 4;
    world.clients.resolve = () =>
      Promise.resolve([
        { address: "93.184.215.14", family: 4 },
        { address, family },
      ]);
    assertEquals(await status(world), 400, address);
  }
  assertEquals(world.clients.asked, []);
});

Deno.test("D9 a good document is kept as long as it says, 5 minutes to 24 hours", async () => {
  await using world = await openOauthWorld();
  const kept: [string | null, number][] = [
    [null, 5],
    ["max-age=0", 5],
    ["no-cache", 5],
    ["max-age=1800", 30],
    ["max-age=9999999", 24 * 60],
  ];
  for (const [header, minutes] of kept) {
    world.clients.asked.length = 0;
    world.clients.answer = () =>
      jsonDocument(
        CLIENT_DOCUMENT,
        header === null ? {} : { "cache-control": header },
      );
    assertEquals(await status(world), 303);
    world.bidding.clock.advance(minutes * MINUTE_MS - 1);
    assertEquals(await status(world), 303);
    assertEquals(world.clients.asked.length, 1, String(header));
    world.bidding.clock.advance(1);
    assertEquals(await status(world), 303);
    assertEquals(world.clients.asked.length, 2, String(header));
    world.bidding.clock.advance(25 * 60 * MINUTE_MS);
  }
});

Deno.test("D9 parallel requests fetch a document once", async () => {
  await using world = await openOauthWorld();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, () => status(world)),
  );
  assertEquals(statuses, Array(20).fill(303));
  assertEquals(world.clients.asked.length, 1);
});

Deno.test("D9 10 documents a minute are fetched at the wish of one address", async () => {
  await using world = await openOauthWorld();
  const statuses = [];
  for (let n = 0; n < 11; n++) {
    const path = authorizationQuery(
      `https://agent.example/${n}.json`,
      REDIRECT,
    );
    const answer = await world.ask(path, {}, "198.51.100.1");
    await answer.body?.cancel();
    statuses.push(answer.status);
    world.bidding.clock.advance(200);
  }
  assertEquals(statuses.slice(-2), [400, 429]);
  assertEquals(world.clients.asked.length, 10);
});

Deno.test("D10 changed redirect addresses take effect, old grants keep what the user saw", async () => {
  await using world = await openOauthWorld();
  const old = await connect(world, { clientId: CLIENT_ID, asked: REDIRECT });
  world.bidding.clock.advance(6 * MINUTE_MS);
  world.clients.answer = () =>
    jsonDocument({
      ...CLIENT_DOCUMENT,
      client_name: "Renamed",
      redirect_uris: ["https://agent.example/new"],
    });
  assertEquals(await status(world), 400);
  await start(world, CLIENT_ID, { redirect_uri: "https://agent.example/new" });
  const grant = await world.services.store.grants.find(old.grantId);
  assertEquals(grant?.client.name, "Bid Agent");
  const form = refreshForm(CLIENT_ID, old.tokens.refresh_token);
  await tokensOf(await world.post(form));
});

Deno.test("D10 the token endpoint never fetches a document", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world, {
    clientId: CLIENT_ID,
    asked: REDIRECT,
  });
  world.bidding.clock.advance(50_000);
  world.clients.asked.length = 0;
  world.clients.answer = () => new Response(null, { status: 500 });
  await tokensOf(await world.post(codeForm(approved, REDIRECT)));
  assertEquals(world.clients.asked, []);
});

Deno.test("D11 whatever is wrong with a document the page says the same", async () => {
  await using world = await openOauthWorld();
  const texts = new Set<string>();
  const wrongs: (() => void)[] = [
    () => world.clients.answer = () => new Response(null, { status: 404 }),
    () => world.clients.answer = () => jsonDocument("{"),
    () => world.clients.answer = () => jsonDocument({ client_id: "x" }),
    () => world.clients.resolve = () => Promise.reject(new Error("no name")),
    () => world.clients.resolve = () => Promise.resolve([]),
    () =>
      world.clients.resolve = () =>
        Promise.resolve([{ address: "10.0.0.1", family: 4 }]),
  ];
  for (const spoil of wrongs) {
    spoil();
    const path = authorizationQuery(CLIENT_ID, REDIRECT);
    const text = await (await world.ask(path)).text();
    texts.add(text);
    assert(text.includes("agent.example"), "the page names the host");
  }
  assertEquals(texts.size, 1);
});

/** Documents that come only when the test lets them, at its end at last. */
function slowDocuments(world: OauthWorld) {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  world.clients.answer = async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/slow")) await over;
    return jsonDocument({
      ...CLIENT_DOCUMENT,
      client_id: `https://agent.example${pathname}`,
    });
  };
  return { end, [Symbol.dispose]: end };
}

/** Asks to be connected as the client at a path. */
function connectFrom(
  world: OauthWorld,
  path: string,
  from: string,
): Promise<Response> {
  const clientId = `https://agent.example${path}`;
  return world.ask(authorizationQuery(clientId, REDIRECT), {}, from);
}

Deno.test("slow documents asked for from 64 networks of one /48 keep no honest application out", async () => {
  await using world = await openOauthWorld();
  using slow = slowDocuments(world);
  const attack = Array.from({ length: 64 }, (_, nth) =>
    connectFrom(
      world,
      `/slow${nth}.json`,
      `2001:db8:bad:${nth.toString(16)}00::1`,
    ));
  // Until its share of places is taken and its queue is full.
  const refused = await Promise.race(attack);
  assertEquals(refused.status, 503);
  assertEquals(refused.headers.get("retry-after"), "5");
  assertStringIncludes(await refused.text(), "<h1>Temporarily busy</h1>");
  const honest: number[] = [];
  for (let nth = 0; nth < 12; nth++) {
    world.bidding.clock.advance(200);
    const answer = await connectFrom(
      world,
      `/honest${nth}.json`,
      `192.0.2.${nth}`,
    );
    honest.push(answer.status);
    await answer.body?.cancel();
  }
  assertEquals(honest, Array(12).fill(303));
  slow.end();
  world.bidding.clock.advance(60_000);
  const statuses = new Set<number>();
  for (const answer of await Promise.all(attack)) {
    statuses.add(answer.status);
    if (!answer.bodyUsed) await answer.body?.cancel();
  }
  assert(statuses.isSubsetOf(new Set([303, 429, 503])), [...statuses].join());
  const fetched = world.clients.asked.filter((path) => path.includes("slow"));
  assert(fetched.length <= 12, `${fetched.length} of the /48 were fetched`);
});

Deno.test("whoever asks for a client's document first is refused for itself alone", async () => {
  await using world = await openOauthWorld();
  const attacker = "198.51.100.9";
  for (let nth = 0; nth < 10; nth++) {
    const answer = await connectFrom(world, `/${nth}.json`, attacker);
    await answer.body?.cancel();
    world.bidding.clock.advance(200);
  }
  world.clients.answer = () => jsonDocument(CLIENT_DOCUMENT);
  const [first, ...others] = await Promise.all(
    [attacker, "192.0.2.1", "192.0.2.2"].map((from) =>
      connectFrom(world, "/client.json", from)
    ),
  );
  assertEquals(first?.status, 429);
  assertEquals(others.map(({ status }) => status), [303, 303]);
  for (const answer of [first, ...others]) await answer?.body?.cancel();
});

Deno.test("so many documents in a second that the service is busy are 503, never the client's fault", async () => {
  await using world = await openOauthWorld();
  slowDocuments(world).end();
  const { limiter } = world;
  const all = { id: "client_fetches:all", policy: ALL_CLIENT_FETCHES };
  for (let nth = 0; nth < 10; nth++) await limiter.takeAll([all], "");
  const answer = await connectFrom(world, "/one.json", "192.0.2.1");
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("retry-after"), "1");
  assertStringIncludes(await answer.text(), "Temporarily busy");
  assertEquals(world.clients.asked, []);
  world.bidding.clock.advance(1_000);
  const again = await connectFrom(world, "/one.json", "192.0.2.1");
  await again.body?.cancel();
  assertEquals(again.status, 303);
});

const JSON_TYPE = { "content-type": "application/json" };

async function status(world: OauthWorld): Promise<number> {
  const answer = await world.ask(authorizationQuery(CLIENT_ID, REDIRECT));
  await answer.body?.cancel();
  return answer.status;
}
