/**
 * What operations of the agent API read, beside what they are charged; and how
 * long others wait for it.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SCOPES } from "../../domain/oauth/grant.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { TooManyWaiting } from "../../domain/rate_limit/uncounted.ts";
import { BUCKET_POLICIES } from "../../domain/rate_limit/policy.ts";
import { rateBucketKey } from "../../kv/rate_bucket_keys.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import { countCosts, isList } from "../../routes/operations/count_costs.ts";
import {
  type Change,
  placeOf,
  type Reading,
} from "../../routes/operations/operation.ts";
import { type AgentApi, bidMembers, postBid } from "../support/agent_api.ts";
import { type Agent, BID_DAY } from "../support/bidding_world.ts";
import { type Asks, buyReports } from "../support/bought_reports.ts";
import {
  bid,
  changeStreet,
  CONNECTIONS,
  connectMore,
  floodWith,
  hundredAgents,
  list,
  openCosts,
} from "../support/costs.ts";
import { callTool } from "../support/mcp_agent.ts";

/** Rows of a page of fifty: of the index, the records, what each has used. */
const LIST_ROWS_MAX = 160;
/** Rows of everything else, those of token and buckets among them. */
const ROWS_MAX = 12;

/** Makes as many drafts as an account may have. */
async function fillShelf({ ask }: AgentApi, as: Agent): Promise<void> {
  for (let nth = 0; nth < 50; nth++) {
    const answer = await ask("/v1/agent/creatives", {
      as,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": `draft-${nth}`,
      },
      body: JSON.stringify({
        headline: `Headline ${nth}`,
        description: "What it is about",
        target_url: "https://example.com/",
      }),
    });
    const text = await answer.text();
    assert(answer.status === 201 || answer.status === 409, text);
  }
}

/** The longest span of days. */
const DAYS: Record<string, string> = {
  day: BID_DAY,
  from: "2026-05-25",
  to: BID_DAY,
};

/** How each reading is asked for most of what it may answer. */
function largest(operation: Reading): string {
  const { path } = placeOf(operation);
  const query = new URLSearchParams();
  if (isList(operation)) query.set("limit", "50");
  for (const name of Object.keys(operation.query)) {
    const day = DAYS[name];
    if (day !== undefined) query.set(name, day);
  }
  return `${path.replace("{day}", BID_DAY).replace(/\{\w+\}/, "x")}?${query}`;
}

Deno.test("an operation that may read many rows costs its account a token, and no other does", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  await connectMore(api, ada, 60);
  await fillShelf(api, ada);
  const bucket = rateBucketKey(`list:${ada.account.id}`);
  const costs = new Map<string, [rows: number, isCharged: boolean]>();
  for (const operation of AGENT_OPERATIONS) {
    if (operation.kind !== "reading") continue;
    api.world.clock.advance(120_000);
    const [before, level] = [kv.rows, await kv.get(bucket)];
    const answer = await api.ask(largest(operation), { as: ada });
    const text = await answer.text();
    assert([200, 404].includes(answer.status), text);
    const { versionstamp } = await kv.get(bucket);
    const isCharged = versionstamp !== level.versionstamp;
    costs.set(operation.at, [kv.rows - before, isCharged]);
  }
  for (const [at, [rows, isCharged]] of costs) {
    assert(rows <= (isCharged ? LIST_ROWS_MAX : ROWS_MAX), `${at}: ${rows}`);
  }
  assertEquals(
    [...costs].filter(([, [, isCharged]]) => isCharged).map(([at]) => at),
    AGENT_OPERATIONS.filter(isList).map(({ at }) => at),
  );
  assert((costs.get("GET /connections")?.[0] ?? 0) > 150);
});

Deno.test("GET /v1/agent/connections reads as much for 300 connections as for three", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  await connectMore(api, ada, 2);
  const rowsOf = async (query: string) => {
    await list(api, ada, query);
    const before = kv.rows;
    assertEquals(await list(api, ada, query), 200);
    return kv.rows - before;
  };
  const few = await rowsOf("?limit=1");
  await connectMore(api, ada, 297);
  assertEquals(await rowsOf("?limit=1"), few);
  const { content } = await callTool(api, ada, "list_connections", {
    limit: 1,
  });
  assertEquals(content.items.length, 1);
  const next = `?limit=1&cursor=${content.next_cursor}`;
  assertEquals(await rowsOf(next), few);
});

Deno.test("lists are counted by account, over its agents and tools, and other reading goes on", async () => {
  const { api } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  const eve = await api.world.agent("eve", { scopes: SCOPES });
  const agents = await connectMore(api, eve, 6);
  const { capacity } = BUCKET_POLICIES.list;
  for (let nth = 0; nth < capacity; nth++) {
    const as = agents[nth % 6];
    assert(as);
    assertEquals(await list(api, as, "?limit=1"), 200);
  }
  const refused = await api.ask(CONNECTIONS, { as: eve });
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  assertEquals((await refused.json()).code, "agent.rate-limited");
  const told = await callTool(api, eve, "list_connections");
  assertEquals([told.isError, told.content.code], [true, "agent.rate-limited"]);
  const me = await api.ask("/v1/agent/me", { as: eve });
  assertEquals(me.status, 200, await me.text());
  await bid(api, eve, 1_000);
  assertEquals(await list(api, ada), 200);
  api.world.clock.advance(1_000);
  assertEquals(await list(api, eve), 200);
});

Deno.test("a rival's bid waits for a few reads of an account that lists with a hundred agents", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const eve = await api.world.agent("eve", { scopes: SCOPES });
  const ada = await api.world.agent("ada");
  const agents = await connectMore(api, eve, 99);
  // Every token has been proven, and every bucket asked.
  for (const as of agents) await list(api, as);
  await bid(api, ada, 1_000);
  kv.isSlow = true;
  const flood = agents.map((as) => list(api, as));
  await kv.answers(20);
  const before = kv.calls;
  await bid(api, ada, 2_000);
  const waitedFor = kv.calls - before;
  kv.isSlow = false;
  // Its own four, and two lists that read on between them.
  assert(waitedFor <= 12, `${waitedFor} calls`);
  assertEquals(new Set(await Promise.all(flood)), new Set([200]));
});

Deno.test("a rival's bid waits for a few reads of an account whose hundred agents ask for anything else, eight times each", async (t) => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const agents = await hundredAgents(api);
  const readings = AGENT_OPERATIONS.filter((each) => each.kind === "reading")
    .filter((each) => !isList(each));
  const others = [
    "/v1/agent/events?wait=20",
    "/v1/agent/invoices/x/pdf",
  ];
  const floods: Record<string, Asks> = {};
  for (const path of [...readings.map(largest), ...others]) {
    floods[path] = (as, { signal }) => api.ask(path, { as, signal });
  }
  await floodWith({ t, api, kv }, agents, floods);
});

Deno.test("a rival's bid waits for a few reads of an account whose hundred agents bid though it may not, change something or look at what they bought, eight times each", async (t) => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const account = { identityStatus: "unverified" } as const;
  const agents = await hundredAgents(api, account);
  const floods: Record<string, Asks> = {
    "POST /bids": (as, { key }) => postBid(api, as, {}, key),
    place_bid: async (as, { key }) => {
      const said = { ...bidMembers(as), idempotency_key: key };
      await callTool(api, as, "place_bid", said);
    },
    "PATCH /me": (as, { key }) => changeStreet(api, as, key),
    ...await buyReports(api, agents),
  };
  await floodWith({ t, api, kv }, agents, floods);
});

Deno.test("a bid whose turn does not come takes no token and reads nothing, and who is not let through is told that first", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada");
  const taken: string[] = [];
  const limiter: RateLimiter = {
    ...api.limiter,
    take(kind) {
      taken.push(kind);
      return { admitted: true, remaining: 1 };
    },
    async inTurn(_kind, _of, _work, admitted) {
      await admitted;
      throw new TooManyWaiting();
    },
  };
  const [placed] = countCosts({ limiter }, AGENT_OPERATIONS)
    .filter((each): each is Change => each.kind === "change" && each.isBid);
  const asked = {
    grant: { ...ada.grant, lineId: ada.lineId },
    network: "192.0.2.1",
    admitted: Promise.resolve(),
    id: "",
    body: {},
    binding: null,
  };
  const { services } = api.world;
  const before = kv.calls;
  const late = async () => await placed?.change(services, asked);
  await assertRejects(late, TooManyWaiting);
  assertEquals([taken, kv.calls - before], [[], 0]);
  const admitted = Promise.reject(new RangeError("not let through"));
  const stopped = async () =>
    await placed?.change(services, { ...asked, admitted });
  await assertRejects(stopped, RangeError);
});

Deno.test("a bid that loses a race waits for no change of the account's other agents that lost one", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  const [other] = await connectMore(api, ada, 1);
  assert(other);
  await list(api, other);
  await bid(api, ada, 1_000);
  kv.isSlow = true;
  const changes = Array.from({ length: 60 }, async (_, nth) => {
    const answer = await changeStreet(api, other, `change-${nth}`);
    await answer.body?.cancel();
  });
  // By now the bid reads what the first of them changes.
  await kv.answers(10);
  const before = kv.calls;
  await bid(api, ada, 2_000);
  const waitedFor = kv.calls - before;
  kv.isSlow = false;
  await Promise.all(changes);
  // All that was sent before, not what is sent again.
  assert(waitedFor <= 100, `${waitedFor} calls`);
});
