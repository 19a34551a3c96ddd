import { assert, assertEquals } from "@std/assert";
import { ACCESS_TOKEN_MS } from "../../../../domain/limits.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import {
  type AgentApi,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import { WORKING_SET } from "../../../support/working_set.ts";

const DOCUMENT =
  "https://api.spotlight.example/.well-known/oauth-protected-resource";
const PATHS = [
  "/v1/agent",
  "/v1/agent/me",
  "/v1/agent/auction",
  "/v1/agent/bids",
  "/v1/agent/bids/bid_1",
  "/v1/agent/no/such/path",
];

Deno.test("/v1/agent/* answers 401 with an empty body without a token", async () => {
  await using api = await openAgentApi();
  for (const path of PATHS) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const answer = await api.ask(path, { method });
      assertEquals(answer.status, 401);
      assertEquals(await answer.text(), "");
      assertEquals(
        answer.headers.get("www-authenticate"),
        `Bearer resource_metadata="${DOCUMENT}", scope="${WORKING_SET}"`,
      );
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
  }
});

Deno.test("/v1/agent/* answers 401 invalid_token for odd Authorization headers", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const token = ada.accessToken;
  const odd = [
    "Bearer",
    "Bearer ",
    "Bearer x",
    `Bearer ${token}x`,
    `Bearer ${token} ${token}`,
    `Bearer "${token}"`,
    `Bearer ${ada.refreshToken}`,
  ];
  for (const authorization of odd) {
    await assertInvalid(
      await api.ask("/v1/agent/me", { headers: { authorization } }),
    );
  }
});

Deno.test("B2 /v1/agent/* takes another scheme for no token at all", async () => {
  await using api = await openAgentApi();
  const { accessToken } = await api.world.agent("ada");
  const others = ["", "Basic YTpi", `Basic ${accessToken}`, accessToken];
  for (const authorization of others) {
    const answer = await api.ask("/v1/agent/me", {
      headers: { authorization },
    });
    assertEquals(answer.status, 401, authorization);
    assertEquals(await answer.text(), "");
  }
});

Deno.test("B2 /v1/agent/* answers 400 to two Authorization headers", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const other of [`Bearer ${ada.accessToken}`, "Basic YTpi"]) {
    const headers = new Headers();
    headers.append("authorization", `Bearer ${ada.accessToken}`);
    headers.append("authorization", other);
    const answer = await api.ask("/v1/agent/me", { headers });
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).error, "invalid_request");
  }
});

Deno.test("/v1/agent/* reads the scheme in any case", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const scheme of ["bearer", "BEARER", "Bearer  "]) {
    const authorization = `${scheme} ${ada.accessToken}`;
    const answer = await api.ask("/v1/agent/me", {
      headers: { authorization },
    });
    assertEquals(answer.status, 200);
  }
});

Deno.test("/v1/agent/* takes no token from the query", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const path = `/v1/agent/me?access_token=${ada.accessToken}`;
  assertEquals((await api.ask(path)).status, 401);
});

Deno.test("/v1/agent/* answers 401 to an expired and to a revoked token alike", async () => {
  await using api = await openAgentApi();
  const [ada, bob] = [
    await api.world.agent("ada"),
    await api.world.agent("bob"),
  ];
  await revokeGrant(api.world.services, {
    grantId: bob.grant.id,
    accountId: bob.account.id,
  });
  const revoked = await api.ask("/v1/agent/me", { as: bob });
  api.world.clock.advance(ACCESS_TOKEN_MS);
  const expired = await api.ask("/v1/agent/me", { as: ada });
  const unknown = await api.ask("/v1/agent/me", {
    headers: { authorization: `Bearer svc_at_grant_1_${"x".repeat(43)}` },
  });
  const [first, ...others] = await Promise.all(
    [revoked, expired, unknown].map(assertInvalid),
  );
  for (const other of others) assertEquals(other, first);
});

Deno.test("/v1/agent/* answers 401 to the request after a revocation", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  assertEquals((await postBid(api, ada)).status, 200);
  await revokeGrant(api.world.services, {
    grantId: ada.grant.id,
    accountId: ada.account.id,
  });
  await assertInvalid(await postBid(api, ada));
});

Deno.test("/v1/agent/* charges a 401 to the address, not to a grant", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const statuses = [];
  for (let n = 0; n < 121; n++) {
    statuses.push((await api.ask("/v1/agent/me")).status);
  }
  assertEquals(statuses.filter((status) => status === 401).length, 120);
  const limited = await api.ask("/v1/agent/me", {
    headers: { authorization: "Bearer x" },
  });
  assertEquals(limited.status, 429);
  assertEquals(limited.headers.get("retry-after"), "1");
  const body = await limited.json();
  assertEquals(Object.keys(body), [
    "type",
    "title",
    "status",
    "detail",
    "docs",
  ]);
  assertEquals((await api.ask("/v1/agent/me", { as: ada })).status, 200);
  const elsewhere = await api.ask("/v1/agent/me", { from: "192.0.2.2" });
  assertEquals(elsewhere.status, 401);
});

Deno.test("/v1/agent/* answers 503 while tokens cannot be read", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  api.world.testStore.kv.inject({
    on: "read",
    fault: { kind: "fail_before" },
  });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  assertEquals(answer.status, 503);
  assertEquals(answer.headers.get("retry-after"), "1");
});

Deno.test("/v1/agent/* tells the request log which grant asked", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await api.ask("/v1/agent/bids/bid_1", { as: ada });
  assertEquals(api.trace().grantId, ada.grant.id);
  assertEquals(api.trace().route, "/v1/agent/bids/:id");
});

async function assertInvalid(
  answer: Awaited<ReturnType<AgentApi["ask"]>>,
): Promise<unknown> {
  assertEquals(answer.status, 401);
  assertEquals(
    answer.headers.get("www-authenticate"),
    `Bearer resource_metadata="${DOCUMENT}", error="invalid_token", ` +
      'error_description="Cannot authorize the request: ' +
      "the access token is not valid, refresh it; where that is refused, ask " +
      `the user to connect this agent again", scope="${WORKING_SET}"`,
  );
  const body = await answer.json();
  assertEquals(body.error, "invalid_token");
  assert(typeof body.error_description === "string");
  return body;
}
