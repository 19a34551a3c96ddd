import { rateBucketKey } from "../../../../kv/rate_bucket_keys.ts";
import type { Services } from "../../../../domain/ports.ts";
import { assert, assertEquals } from "@std/assert";
import { ACCESS_TOKEN_MS } from "../../../../domain/limits.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import {
  cartOf,
  codeOf,
  newSession,
  paymentOf,
} from "../../../support/checkout_calls.ts";
import {
  type AskOptions,
  type Buyer,
  type CheckoutWorld,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";
import { createGrant } from "../../../../tools/demo/create_grant.ts";

const DOCUMENT =
  "https://spotlight.example/.well-known/oauth-protected-resource";

const NOBODYS = `cs_${"a".repeat(32)}`;
const CANCEL = `/checkout_sessions/${NOBODYS}/cancel`;

/** Every operation: its method, its path and a body it takes. */
const OPERATIONS: readonly [method: string, path: string, body?: unknown][] = [
  ["POST", "/checkout_sessions", cartOf()],
  ["GET", `/checkout_sessions/${NOBODYS}`],
  ["POST", `/checkout_sessions/${NOBODYS}`, {
    line_items: [{ id: "metrics:2026-11-19" }],
  }],
  ["POST", `/checkout_sessions/${NOBODYS}/complete`, paymentOf("spt_1")],
  ["POST", `/checkout_sessions/${NOBODYS}/cancel`, {}],
  ["GET", `/checkout_sessions/${NOBODYS}/resource`],
];

Deno.test("/checkout_sessions* answers 401 with an empty body without a token, before anything else", async () => {
  await using world = await openCheckoutWorld();
  const paths = [
    ...OPERATIONS.map(([, path]) => path),
    "/checkout_sessions/a/b",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const headers = { "api-version": null };
      const answer = await world.ask(path, { method, headers });
      assertEquals(answer.status, 401);
      assertEquals(await answer.text(), "");
      assertEquals(
        answer.headers.get("www-authenticate"),
        `Bearer resource_metadata="${DOCUMENT}", scope="account:read"`,
      );
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
  }
});

Deno.test("/checkout_sessions* answers 401 invalid_token to a token that is revoked or expired", async () => {
  await using world = await openCheckoutWorld();
  const { services } = world;
  const [ada, bob] = [await world.buyer("ada"), await world.buyer("bob")];
  const session = await newSession(world.ask, ada);
  const { accountId, id: grantId } = ada.grant;
  await revokeGrant(services, { accountId, grantId });
  for (const path of ["", "/complete", "/resource"]) {
    const at = `/checkout_sessions/${session.id}${path}`;
    const answer = await world.ask(at, {
      as: ada,
      ...path === "/complete" && { key: "k", body: paymentOf("spt_1") },
    });
    await assertInvalid(answer);
  }
  world.world.clock.advance(ACCESS_TOKEN_MS);
  await assertInvalid(
    await world.ask(`/checkout_sessions/${session.id}`, { as: bob }),
  );
});

Deno.test("/checkout_sessions* takes tokens for the site only", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { text } = await issueAccessToken(world.services, ada.grant.id, {
    resources: ["agent", "mcp"],
  });
  ada.accessToken = text;
  await assertInvalid(await world.ask("/checkout_sessions/x", { as: ada }));
});

async function assertInvalid(answer: Response): Promise<void> {
  assertEquals(answer.status, 401);
  assertEquals((await answer.json()).error, "invalid_token");
  const challenge = answer.headers.get("www-authenticate") ?? "";
  assert(challenge.includes(`resource_metadata="${DOCUMENT}"`), challenge);
}

Deno.test("/checkout_sessions* answers 405 with Allow as a flat error", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const allowed: Record<string, string> = {
    "/checkout_sessions": "POST",
    [`/checkout_sessions/${NOBODYS}`]: "GET, HEAD, POST",
    [`/checkout_sessions/${NOBODYS}/complete`]: "POST",
    [`/checkout_sessions/${NOBODYS}/cancel`]: "POST",
    [`/checkout_sessions/${NOBODYS}/resource`]: "GET, HEAD",
  };
  for (const [path, allow] of Object.entries(allowed)) {
    const answer = await world.ask(path, { as: ada, method: "DELETE" });
    assertEquals(answer.headers.get("allow"), allow);
    assertEquals(await codeOf(answer), "405 method_not_allowed");
  }
});

Deno.test("/checkout_sessions* answers 404 to paths that do not exist", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  for (
    const path of [
      "/checkout_sessions/",
      `/checkout_sessions/${NOBODYS}//`,
      `/checkout_sessions/${NOBODYS}/pay`,
      `/checkout_sessions/${NOBODYS}/complete/again`,
    ]
  ) {
    for (const method of ["GET", "POST"]) {
      const answer = await world.ask(path, { as: ada, method });
      assertEquals(await codeOf(answer), "404 not_found");
    }
  }
});

Deno.test("/checkout_sessions* draws one token of the grant's bucket a request, then answers 429", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const path = `/checkout_sessions/${NOBODYS}`;
  for (let n = 0; n < 120; n++) {
    const answer = await world.ask(path, { as: ada });
    assertEquals(answer.status, 404, `request ${n}`);
    assertEquals(answer.headers.get("ratelimit"), null);
  }
  const answer = await world.ask(path, {
    as: ada,
    headers: { "request-id": "r1" },
  });
  assertEquals(answer.headers.get("retry-after"), "1");
  assertEquals(answer.headers.get("request-id"), "r1");
  assertEquals(await codeOf(answer), "429 rate_limited");
  const deleted = await world.ask(path, { as: ada, method: "DELETE" });
  assertEquals(await codeOf(deleted), "405 method_not_allowed");
  const bob = await world.buyer("bob");
  assertEquals((await world.ask(path, { as: bob })).status, 404);
});

Deno.test("/checkout_sessions* answers 403 agent.scope-missing with a challenge without account:read", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada", ["bids:read"]);
  for (const [method, path, body] of OPERATIONS) {
    const answer = await world.ask(path, { as: ada, method, body });
    assertEquals(answer.status, 403);
    assertEquals(
      answer.headers.get("content-type"),
      "application/problem+json",
    );
    assertEquals(
      answer.headers.get("www-authenticate"),
      `Bearer resource_metadata="${DOCUMENT}", error="insufficient_scope", ` +
        `scope="account:read"`,
    );
    assertEquals((await answer.json()).code, "agent.scope-missing");
  }
});

Deno.test("/checkout_sessions* answers 400 to a version that is missing or unknown, in body and header", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const versions = [null, "2026-01-30", "2026-04-17, 2026-04-17", "latest", ""];
  for (const [method, path, body] of OPERATIONS) {
    for (const version of versions) {
      const headers = { "api-version": version };
      const answer = await world.ask(path, { as: ada, method, body, headers });
      assertEquals(answer.status, 400);
      assertEquals(answer.headers.get("supported-versions"), "2026-04-17");
      const error = await answer.json();
      assertEquals(error.type, "invalid_request");
      assertEquals(
        error.code,
        version === null ? "missing_api_version" : "unsupported_api_version",
      );
      assertEquals(error.supported_versions, ["2026-04-17"]);
    }
  }
});

Deno.test("POST /checkout_sessions* answers 400 without a key and to keys of another shape", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  for (const [method, path, body] of OPERATIONS) {
    if (method !== "POST") continue;
    const ask = (key: string | null) =>
      world.ask(path, { as: ada, body, headers: { "idempotency-key": key } });
    assertEquals(await codeOf(await ask(null)), "400 idempotency_key_required");
    for (const key of ["", "ä", "k".repeat(256)]) {
      const answer = await ask(key);
      assertEquals(answer.headers.get("idempotency-key"), null);
      assertEquals(await codeOf(answer), "400 invalid_idempotency_key");
    }
    for (const key of ["k", "k".repeat(255), "a key with spaces", "~!\"'"]) {
      const answer = await ask(`${key}`);
      assert([201, 404].includes(answer.status), `${answer.status} for ${key}`);
      assertEquals(answer.headers.get("idempotency-key"), key);
    }
  }
});

Deno.test("/checkout_sessions* echoes Request-Id and the key of a POST on every answer", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const poor = await world.buyer("poor", ["bids:read"]);
  const answers: AskOptions[] = [
    {},
    { as: poor },
    { as: ada },
    { as: ada, headers: { "api-version": null } },
    { as: ada, raw: "{" },
    { as: ada, body: cartOf("2026-11-30") },
    { as: ada, method: "PUT" },
  ];
  const path = "/checkout_sessions";
  for (const options of answers) {
    const headers = { "request-id": "req 7", ...options.headers };
    const sent = { body: cartOf(), ...options, headers, key: "key-7" };
    const answer = await world.ask(path, sent);
    assertEquals(answer.headers.get("request-id"), "req 7");
    const isPost = options.method === undefined;
    assertEquals(
      answer.headers.get("idempotency-key"),
      isPost ? "key-7" : null,
      `${answer.status}`,
    );
    assertEquals(answer.headers.get("cache-control"), "no-store");
  }
});

Deno.test("/checkout_sessions* sends back no Request-Id that is odd or long", async () => {
  await using world = await openCheckoutWorld();
  for (const odd of ["ü", "r".repeat(256), ""]) {
    const headers = { "request-id": odd };
    const answer = await world.ask("/checkout_sessions", { headers });
    assertEquals(answer.headers.get("request-id"), null);
  }
});

/** Has its identity checked. */
async function becomeKnown(
  { store }: Pick<Services, "store">,
  { grant: { accountId } }: Buyer,
): Promise<void> {
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({ ...account, identityStatus: "verified" });
  });
}

/** The answers to so many attempts to make a session, by agents in turn. */
async function attempts(
  { ask }: Pick<CheckoutWorld, "ask">,
  agents: readonly Buyer[],
  count: number,
): Promise<Response[]> {
  const answers: Response[] = [];
  for (let nth = 0; nth < count; nth++) {
    const as = agents[nth % agents.length];
    answers.push(
      await ask(CANCEL, { as, body: {}, key: `k-${nth}` }),
    );
  }
  return answers;
}

Deno.test("the agents of an account change its checkouts 1200 times at once together, then once a second", async () => {
  await using world = await openCheckoutWorld();
  const { services } = world;
  const ada = await world.buyer("ada");
  await becomeKnown(services, ada);
  const more = (_: unknown, nth: number) =>
    createGrant(services, {
      accountId: ada.grant.accountId,
      clientId: `https://agent.example/client${nth}.json`,
      scopes: ["account:read"],
      mandate: null,
    });
  const agents = [ada, ...await Promise.all(Array.from({ length: 10 }, more))];
  const admitted = await attempts(world, agents, 1_200);
  assertEquals(new Set(admitted.map(({ status }) => status)), new Set([404]));
  const [refused] = await attempts(world, agents, 1);
  assert(refused !== undefined);
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  const { message } = await refused.json();
  assertEquals(
    message,
    "Cannot answer now: the bucket of the account is empty, retry in 1 second",
  );
  // Looking is not refused, nor is anybody else.
  const look = await world.ask(`/checkout_sessions/${NOBODYS}`, { as: ada });
  assertEquals(look.status, 404);
  await newSession(world.ask, await world.buyer("bob"));
  world.world.clock.advance(1_000);
  const [later, tooMany] = await attempts(world, agents, 2);
  assertEquals([later?.status, tooMany?.status], [404, 429]);
});

Deno.test("accounts that nobody knows change checkouts 300 times at once together from one network, known ones as before", async () => {
  await using world = await openCheckoutWorld();
  const newcomers = await Promise.all(
    ["eve", "dan", "mia", "zoe"].map((name) => world.buyer(name)),
  );
  const admitted = await attempts(world, newcomers, 300);
  assertEquals(new Set(admitted.map(({ status }) => status)), new Set([404]));
  const [refused] = await attempts(world, newcomers, 1);
  assertEquals(refused?.status, 429);
  assertEquals(
    (await refused?.json()).message,
    "Cannot answer now: the bucket of the network is empty, retry in 60 seconds",
  );
  const ada = await world.buyer("ada");
  assertEquals((await attempts(world, [ada], 1))[0]?.status, 429);
  await becomeKnown(world.services, ada);
  assertEquals((await attempts(world, [ada], 1))[0]?.status, 404);
});

Deno.test("a POST of the checkout that says nothing to be done costs its account nothing", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const key = rateBucketKey(`checkout:${ada.grant.accountId}`);
  const { realKv } = world.world.testStore;
  const wrong = await world.ask("/checkout_sessions", {
    as: ada,
    body: {},
    key: "key-1",
  });
  assertEquals(wrong.status, 400);
  assertEquals((await realKv.get(key)).value, null);
  await newSession(world.ask, ada);
  assert((await realKv.get(key)).value !== null);
});
