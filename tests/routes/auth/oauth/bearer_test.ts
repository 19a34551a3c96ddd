/** What an access token is good for, and what is said when it is not. */
import { assert, assertEquals } from "@std/assert";
import { ACCESS_TOKEN_MS } from "../../../../domain/limits.ts";
import type { Resource } from "../../../../domain/oauth/resource.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import type { RouteServices } from "../../../../routes/context.ts";
import { bearerRefusals } from "../../../../routes/errors/bearer_error.ts";
import { PUBLIC_REFUSALS } from "../../../../routes/errors/public_surface.ts";
import {
  answeringBy,
  asSaid,
} from "../../../../routes/errors/refusal_answers.ts";
import { requireBearer } from "../../../../routes/middleware/bearer.ts";
import { route, type Surface } from "../../../../routes/route_table.ts";
import { connect, refreshForm } from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";
import { WORKING_SET } from "../../../support/working_set.ts";

const SITE = "https://spotlight.example";
const DOCUMENTS: Readonly<Record<string, string>> = {
  "/v1/agent/me": `${ISSUER}/.well-known/oauth-protected-resource`,
  "/mcp": `${ISSUER}/.well-known/oauth-protected-resource/mcp`,
  "/checkout": `${SITE}/.well-known/oauth-protected-resource`,
};

Deno.test("B1 without a token the answer has no body, no error and the document's address", async () => {
  await using world = await openOauthWorld({ further });
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    const answer = await world.ask(path);
    assertEquals([answer.status, await answer.text()], [401, ""]);
    // What buys a report at the checkout is no leave to spend on bids.
    const first = path === "/checkout" ? "account:read" : WORKING_SET;
    assertEquals(
      answer.headers.get("www-authenticate"),
      `Bearer resource_metadata="${document}", scope="${first}"`,
    );
  }
});

/** Resources a token is for, and the status at each surface. */
const AUDIENCES: readonly [string[] | null, number[]][] = [
  [null, [200, 200, 200]],
  [[ISSUER], [200, 200, 401]],
  [[`${ISSUER}/mcp`], [401, 200, 401]],
  [[SITE], [401, 401, 200]],
  [[`${ISSUER}/mcp`, SITE], [401, 200, 200]],
  [[`${ISSUER.toUpperCase()}/`], [200, 200, 401]],
];

Deno.test("B3 a token for another resource is invalid_token", async () => {
  await using world = await openOauthWorld({ further });
  for (const [resource, statuses] of AUDIENCES) {
    const { tokens } = await connect(world, { asked: { resource } });
    const answers = await Promise.all(
      Object.keys(DOCUMENTS).map((path) =>
        askWith(world, path, tokens.access_token)
      ),
    );
    assertEquals(answers.map(({ status }) => status), statuses);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      assertEquals((await answer.json()).error, "invalid_token");
    }
  }
});

Deno.test("B3 who comes with a good token for another resource is told what it is for, what is needed and how to have it", async () => {
  await using world = await openOauthWorld({ further });
  const held = { asked: { resource: [`${ISSUER}/mcp`] } };
  const { tokens } = await connect(world, held);
  const needed = { "/v1/agent/me": ISSUER, "/checkout": SITE };
  for (const [path, resource] of Object.entries(needed)) {
    const answer = await askWith(world, path, tokens.access_token);
    const { error, error_description } = await answer.json();
    assertEquals(error, "invalid_token");
    assertEquals(
      error_description,
      "Cannot authorize the request: the access token is for " +
        `${ISSUER}/mcp, and here one for ${resource} is needed: refresh it ` +
        `with resource=${resource}, and where that is invalid_target ` +
        `authorize again with resource=${resource}, beside others that you ` +
        "need",
    );
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert(challenge.includes(`error_description="${error_description}"`));
  }
  // A token that is not good tells nothing of what it was for.
  const gone = `${tokens.access_token.slice(0, -1)}!`;
  const { error_description } = await (await askWith(world, "/checkout", gone))
    .json();
  assert(!error_description.includes(`${ISSUER}/mcp`), error_description);
});

Deno.test("B3 a token narrowed to one resource is good for no other", async () => {
  await using world = await openOauthWorld({ further });
  const { clientId, tokens } = await connect(world);
  const answer = await world.post(
    refreshForm(clientId, tokens.refresh_token, {
      resource: `${ISSUER}/mcp`,
    }),
  );
  const { access_token } = await answer.json();
  const paths = Object.keys(DOCUMENTS);
  const answers = await Promise.all(
    paths.map((path) => askWith(world, path, access_token)),
  );
  assertEquals(answers.map(({ status }) => status), [401, 200, 401]);
});

Deno.test("B4 a missing scope is 403 insufficient_scope with the scope to ask for", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world, { asked: { scope: "bids:read" } });
  const answer = await askWith(world, "/v1/agent/me", tokens.access_token);
  assertEquals(answer.status, 403);
  assertEquals(
    answer.headers.get("www-authenticate"),
    `Bearer resource_metadata="${DOCUMENTS["/v1/agent/me"]}", ` +
      'error="insufficient_scope", scope="account:read"',
  );
  assertEquals((await answer.json()).code, "agent.scope-missing");
});

Deno.test("B5 the challenge of each resource names its own document", async () => {
  await using world = await openOauthWorld({ further });
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    const challenge = (await askWith(world, path, "x")).headers
      .get("www-authenticate");
    assert(
      challenge?.startsWith(
        `Bearer resource_metadata="${document}", error="invalid_token"`,
      ),
    );
  }
});

Deno.test("B6 unknown, expired and revoked tokens get one answer", async () => {
  await using world = await openOauthWorld();
  const [expired, revoked] = [await connect(world), await connect(world)];
  await revokeGrant(world.services, {
    grantId: revoked.grantId,
    accountId: "acc_ada",
  });
  world.bidding.clock.advance(ACCESS_TOKEN_MS);
  const other = await connect(world, { asked: { resource: SITE } });
  const unknown = `${other.tokens.access_token.slice(0, -43)}${"x".repeat(43)}`;
  const texts = [
    expired.tokens.access_token,
    revoked.tokens.access_token,
    other.tokens.refresh_token,
    other.code,
    unknown,
    "x",
  ];
  const seen = new Set<string>();
  for (const text of texts) {
    const answer = await askWith(world, "/v1/agent/me", text);
    const { status, headers } = answer;
    const body = await answer.text();
    seen.add(`${status} ${headers.get("www-authenticate")} ${body}`);
  }
  assertEquals(seen.size, 1);
});

Deno.test("B6 a token is found by its hash in one strong read, whatever is wrong", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world);
  const { kv } = world.bidding.testStore;
  const good = tokens.access_token;
  for (const text of [good, `${good.slice(0, -43)}${"x".repeat(43)}`]) {
    const before = kv.readCount;
    const answer = await askWith(world, "/v1/agent/nothing", text);
    await answer.body?.cancel();
    assertEquals(kv.readCount - before, 1);
  }
});

Deno.test("a grant's last use is noted once a minute", async () => {
  await using world = await openOauthWorld();
  const { grantId, tokens } = await connect(world);
  const { clock, testStore } = world.bidding;
  const lastUse = async () =>
    (await world.services.store.grants.find(grantId))?.lastUsedAtMs;
  const connectedAtMs = clock.now();
  clock.advance(59_999);
  await askWith(world, "/v1/agent/me", tokens.access_token);
  assertEquals(await lastUse(), connectedAtMs);
  clock.advance(1);
  const before = testStore.kv.commits.length;
  await Promise.all(
    Array.from(
      { length: 20 },
      () => askWith(world, "/v1/agent/me", tokens.access_token),
    ),
  );
  assertEquals(await lastUse(), clock.now());
  assertEquals(testStore.kv.commits.length - before <= 20, true);
});

Deno.test("a last use that cannot be noted stops no request", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world);
  world.bidding.clock.advance(60_000);
  const { kv } = world.bidding.testStore;
  kv.inject({ on: "commit", fault: { kind: "fail_before" } });
  const answer = await askWith(world, "/v1/agent/me", tokens.access_token);
  assertEquals(answer.status, 200);
});

function askWith(world: OauthWorld, path: string, text: string) {
  return world.ask(path, { headers: { authorization: `Bearer ${text}` } });
}

/** Stand-ins for the surfaces that others build. */
function further(routing: RouteServices): Surface[] {
  return [
    protectedSurface(routing, "/mcp", "mcp"),
    protectedSurface(routing, "/checkout", "site"),
  ];
}

function protectedSurface(
  routing: RouteServices,
  prefix: string,
  resource: Resource,
): Surface {
  const refused = answeringBy(
    "test",
    { ...PUBLIC_REFUSALS, ...bearerRefusals(resource) },
    asSaid,
  );
  return {
    prefix,
    enter: [requireBearer(routing, resource)],
    routes: [route("GET", prefix, () => new Response("{}"))],
    answers: { refused },
  };
}
