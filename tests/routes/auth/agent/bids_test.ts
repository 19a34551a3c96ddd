import { assert, assertEquals } from "@std/assert";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import {
  type AgentApi,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import {
  type Agent,
  BID_DAY,
  bidBy,
  inBrowser,
} from "../../../support/bidding_world.ts";

Deno.test("GET /v1/agent/bids lists one's own bid of the day", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const answer = await api.ask(`/v1/agent/bids?day=${BID_DAY}`, { as: ada });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const { bids } = await answer.json();
  assertEquals(bids.length, 1);
  const { id, ...bid } = bids[0];
  assert(id.startsWith("bid_"));
  assertEquals(bid, {
    day: BID_DAY,
    ad_id: "ad_ada",
    amount_cents: 1_000,
    currency: "EUR",
    status: "active",
    placed_at: "2026-11-20T12:00:00.000Z",
  });
});

Deno.test("GET /v1/agent/bids lists browser bids, and nothing on a day without", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await placeBid(
    api.world.services,
    bidBy(ada, await inBrowser(api.world, ada)),
  );
  assertEquals((await bidsOf(api, ada)).length, 1);
  const other = await api.ask("/v1/agent/bids?day=2026-11-19", { as: ada });
  assertEquals(await other.json(), { bids: [] });
});

Deno.test("GET /v1/agent/bids answers 400 without a day and for a bad one", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const queries = ["", "?day=2026-02-30", "?day=x", "?day=", "?Day=2026-11-20"];
  for (const query of queries) {
    const answer = await api.ask(`/v1/agent/bids${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("GET /v1/agent/bids/{id} answers one's own bid", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const [bid] = await bidsOf(api, ada);
  assert(bid);
  const answer = await api.ask(`/v1/agent/bids/${bid.id}`, { as: ada });
  assertEquals(answer.status, 200);
  assertEquals(await answer.json(), bid);
});

Deno.test("GET /v1/agent/bids/{id} cannot tell another's bid from an unknown one", async () => {
  await using api = await openAgentApi();
  const [ada, bob] = [
    await api.world.agent("ada"),
    await api.world.agent("bob"),
  ];
  await postBid(api, bob);
  const [theirs] = await bidsOf(api, bob);
  assert(theirs);
  const ids = [theirs.id, "bid_unknown", "a%2Fb", "x".repeat(3_000), "%00"];
  for (const id of ids) {
    const answer = await api.ask(`/v1/agent/bids/${id}`, { as: ada });
    assertEquals(answer.status, 404, id);
    assertEquals((await answer.json()).code, "agent.bid-not-found");
  }
});

Deno.test("GET /v1/agent/bids takes bids:read", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ["bids:write"] });
  for (const path of [`/v1/agent/bids?day=${BID_DAY}`, "/v1/agent/bids/x"]) {
    const answer = await api.ask(path, { as: ada });
    assertEquals(answer.status, 403);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert(challenge.includes('scope="bids:read"'));
  }
});

Deno.test("/v1/agent answers HEAD as GET without a body", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const paths = ["/v1/agent/me", `/v1/agent/bids?day=${BID_DAY}`];
  for (const path of paths) {
    const answer = await api.ask(path, { as: ada, method: "HEAD" });
    assertEquals(answer.status, 200);
    assertEquals(await answer.text(), "");
    assertEquals(answer.headers.get("content-type"), "application/json");
  }
  const bad = await api.ask("/v1/agent/bids", { as: ada, method: "HEAD" });
  assertEquals(bad.status, 400);
});

Deno.test("/v1/agent answers 405 with the methods that exist", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const allowed = [
    ["/v1/agent/me", "GET, HEAD, PATCH"],
    ["/v1/agent/auction", "GET, HEAD"],
    ["/v1/agent/bids", "GET, HEAD, POST"],
    ["/v1/agent/bids/bid_1", "GET, HEAD"],
  ] as const;
  for (const [path, allow] of allowed) {
    for (const method of ["DELETE", "PUT", "PATCH", "OPTIONS"]) {
      if (allow.includes(method)) continue;
      const answer = await api.ask(path, { as: ada, method });
      assertEquals(answer.status, 405);
      assertEquals(answer.headers.get("allow"), allow);
      assertEquals((await answer.json()).code, "agent.method-not-allowed");
    }
  }
});

Deno.test("/v1/agent answers 404 agent.not-found for an unknown path", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const path of ["/v1/agent", "/v1/agent/x", "/v1/agent/bids/a/b"]) {
    const answer = await api.ask(path, { as: ada });
    assertEquals(answer.status, 404);
    assertEquals((await answer.json()).code, "agent.not-found");
  }
});

Deno.test("/v1/agent gives a grant 120 requests, then 429 with Retry-After only", async () => {
  await using api = await openAgentApi();
  const [ada, bob] = [
    await api.world.agent("ada"),
    await api.world.agent("bob"),
  ];
  for (let n = 0; n < 118; n++) {
    assertEquals((await api.ask("/v1/agent/me", { as: ada })).status, 200);
  }
  // What is not found or not allowed costs as much.
  await api.ask("/v1/agent/nothing", { as: ada });
  await api.ask("/v1/agent/me", { as: ada, method: "PUT" });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "1");
  assertEquals(answer.headers.get("ratelimit"), null);
  assertEquals(answer.headers.get("ratelimit-policy"), null);
  assertEquals((await answer.json()).code, "agent.rate-limited");
  const put = await api.ask("/v1/agent/me", { as: ada, method: "PUT" });
  assertEquals(put.status, 405);
  assertEquals(put.headers.get("retry-after"), null);
  assertEquals((await api.ask("/v1/agent/me", { as: bob })).status, 200);
  api.world.clock.advance(500);
  assertEquals((await api.ask("/v1/agent/me", { as: ada })).status, 200);
});

async function bidsOf(
  api: AgentApi,
  agent: Agent,
): Promise<{ id: string }[]> {
  const path = `/v1/agent/bids?day=${BID_DAY}`;
  return (await (await api.ask(path, { as: agent })).json()).bids;
}

Deno.test("GET /v1/agent/bids without a day says what is wanted, with an example", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const { detail } = await (await api.ask("/v1/agent/bids", { as: ada }))
    .json();
  assertEquals(
    detail,
    "Cannot list the bids of a day: day must be given, as a calendar date " +
      "written YYYY-MM-DD, such as 2026-11-19",
  );
});

Deno.test("the answer to a bid leads to the bid itself", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const what of ["placed", "replayed"]) {
    const { headers } = await postBid(api, ada);
    const [, path = ""] = /^<(.+)>; rel="related"$/.exec(
      headers.get("link") ?? "",
    ) ?? [];
    const { bids } = await (await api.ask(path, { as: ada })).json();
    assertEquals([bids.length, bids[0].amount_cents], [1, 1_000], what);
  }
  const refused = await postBid(api, ada, { amount_cents: 900 }, "another");
  assertEquals([refused.status, refused.headers.get("link")], [409, null]);
});
