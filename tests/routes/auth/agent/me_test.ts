import { assert, assertEquals } from "@std/assert";
import {
  bidMembers,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import { BID_DAY } from "../../../support/bidding_world.ts";

const READY = `day=${BID_DAY}&ad_id=ad_ada&amount_cents=1000`;

Deno.test("GET /v1/agent/me answers the account summary, ready to bid", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answer = await api.ask(`/v1/agent/me?${READY}`, { as: ada });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("ratelimit"), null);
  const { first_bid, ...summary } = await answer.json();
  assertEquals(summary, {
    user_id: "acc_ada",
    company_name: "ada GmbH",
    country: "DE",
    tier: "new",
    eligibility: { can_bid: true, reasons: [] },
    mandate: {
      max_bid_cents: 100_000,
      daily_cap_cents: 1_000_000,
      valid_until: "2026-12-20T12:00:00.000Z",
    },
    scopes: ["account:read", "bids:read", "bids:write"],
  });
  const { requirements, recovery, ...rest } = first_bid;
  assertEquals(rest, {
    checked_at: "2026-11-20T12:00:00.000Z",
    status: "ready",
    next_action: {
      actor: "agent",
      label: "Place the bid with POST",
      url: `${api.world.services.settings.authUrl}/v1/agent/bids`,
      tool: "place_bid",
      arguments: bidMembers(ada),
      required_scopes: ["bids:write"],
      required_inputs: ["idempotency_key"],
    },
  });
  assertEquals(requirements[0], {
    id: "account",
    status: "satisfied",
    code: "ok",
    detail: "The account is onboarded",
  });
  assertEquals(recovery.read, {
    tool: "list_my_bids",
    arguments: { day: BID_DAY },
  });
});

Deno.test("GET /v1/agent/me says where an account stands before onboarding", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { account: { company: null } });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  const summary = await answer.json();
  assertEquals(summary.company_name, null);
  assertEquals(summary.country, null);
  assertEquals(summary.tier, null);
  assertEquals(summary.eligibility, {
    can_bid: false,
    reasons: ["onboarding_incomplete"],
    action_url: "/onboarding",
  });
  assertEquals(summary.first_bid.status, "blocked");
  const { next_action: next } = summary.first_bid;
  const { baseUrl } = api.world.services.settings;
  assertEquals([next.actor, next.url], ["user", `${baseUrl}/onboarding`]);
});

Deno.test("GET /v1/agent/me gives null for a grant without a mandate", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ["account:read"] });
  await api.world.services.store.transact((tx) => {
    tx.grants.save({ ...ada.grant, mandate: null });
  });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  assertEquals((await answer.json()).mandate, null);
});

Deno.test("GET /v1/agent/me tells the tiers apart", async () => {
  await using api = await openAgentApi();
  const tiers = [
    ["new", {}],
    ["standard", { paidWins: 1 }],
    ["partner", { partner: true, paidWins: 1 }],
  ] as const;
  for (const [tier, account] of tiers) {
    const agent = await api.world.agent("ada", { account });
    const answer = await api.ask("/v1/agent/me", { as: agent });
    assertEquals((await answer.json()).tier, tier);
  }
});

Deno.test("GET /v1/agent/me never says e-mail, VAT id or card", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answer = await api.ask(`/v1/agent/me?${READY}`, { as: ada });
  const text = await answer.text();
  for (const secret of ["@", "DE123456789", "pm_ada", "4242", "cus_"]) {
    assert(!text.includes(secret), `the summary says ${secret}`);
  }
});

Deno.test("GET /v1/agent/me judges a raise against one's own live bid", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const same = await api.ask(`/v1/agent/me?${READY}`, { as: ada });
  const { first_bid } = await same.json();
  assertEquals(first_bid.status, "blocked");
  assertEquals(first_bid.requirements.at(-1).code, "bid_not_higher");
  const more = READY.replace("1000", "1001");
  const higher = await api.ask(`/v1/agent/me?${more}`, { as: ada });
  assertEquals((await higher.json()).first_bid.status, "ready");
});

Deno.test("GET /v1/agent/me blocks amounts of 0 to 99 and does not refuse them", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const cents of ["0", "99"]) {
    const query = READY.replace("1000", cents);
    const answer = await api.ask(`/v1/agent/me?${query}`, { as: ada });
    assertEquals(answer.status, 200);
    const { first_bid } = await answer.json();
    assertEquals(first_bid.status, "blocked");
    assertEquals(first_bid.requirements.at(-1).code, "amount_out_of_bounds");
  }
});

Deno.test("GET /v1/agent/me answers 400 for members of another shape", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const queries = [
    "day=2026-02-30",
    "day=",
    "day=today",
    `day=${BID_DAY}&day=${BID_DAY}`,
    "ad_id=",
    `ad_id=${"a".repeat(65)}`,
    "ad_id=a%20b",
    "amount_cents=-1",
    "amount_cents=1.5",
    "amount_cents=100000001",
    "amount_cents=1e3",
    "amount_cents=",
    "amount_cents=1&amount_cents=2",
  ];
  for (const query of queries) {
    const answer = await api.ask(`/v1/agent/me?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("GET /v1/agent/me ignores members it does not know", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answer = await api.ask("/v1/agent/me?x=1&x=2", { as: ada });
  assertEquals(answer.status, 200);
});

Deno.test("GET /v1/agent/me takes account:read and names it when missing", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ["bids:read"] });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  assertEquals(answer.status, 403);
  assertEquals((await answer.json()).code, "agent.scope-missing");
  const challenge = answer.headers.get("www-authenticate") ?? "";
  assert(challenge.startsWith("Bearer resource_metadata="));
  assert(challenge.includes('error="insufficient_scope"'));
  assert(challenge.includes('scope="account:read"'));
});

Deno.test("GET /v1/agent/me takes two reads: the token's and its own", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const before = api.world.testStore.kv.readCount;
  await api.ask(`/v1/agent/me?${READY}`, { as: ada });
  assertEquals(api.world.testStore.kv.readCount - before, 2);
});

Deno.test("GET /v1/agent/auction answers the state of any day", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  await postBid(api, ada);
  const open = await api.ask(`/v1/agent/auction?day=${BID_DAY}`, { as: ada });
  assertEquals(await open.json(), {
    day: BID_DAY,
    phase: "OPEN",
    bidCount: 1,
    openedAt: "2026-11-20T12:00:00.000Z",
    closesAt: "2026-11-20T23:55:00.000Z",
    closedAt: null,
    opensAt: null,
    nextDay: null,
  });
  const idle = await api.ask("/v1/agent/auction?day=2027-01-01", { as: ada });
  assertEquals(await idle.json(), {
    day: "2027-01-01",
    phase: "IDLE",
    bidCount: 0,
    openedAt: null,
    closesAt: "2027-01-01T23:55:00.000Z",
    closedAt: null,
    opensAt: "2027-01-01T00:00:00.000Z",
    nextDay: null,
  });
});

Deno.test("GET /v1/agent/auction says CLOSED at closesAt, however late the job is", async () => {
  await using api = await openAgentApi();
  api.world.clock.set("2026-11-20T23:54:59.999Z");
  const ada = await api.world.agent("ada");
  const phase = async () => {
    const path = `/v1/agent/auction?day=${BID_DAY}`;
    return (await (await api.ask(path, { as: ada })).json()).phase;
  };
  assertEquals(await phase(), "OPEN");
  api.world.clock.advance(1);
  assertEquals(await phase(), "CLOSED");
});

Deno.test("GET /v1/agent/auction answers 400 without a day, 403 without its scope", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const missing = await api.ask("/v1/agent/auction", { as: ada });
  assertEquals(missing.status, 400);
  assertEquals((await missing.json()).code, "agent.bad-request");
  const bob = await api.world.agent("bob", { scopes: ["bids:read"] });
  const path = `/v1/agent/auction?day=${BID_DAY}`;
  assertEquals((await api.ask(path, { as: bob })).status, 403);
});
