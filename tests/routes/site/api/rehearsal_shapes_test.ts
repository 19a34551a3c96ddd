/**
 * A rehearsal answers what the agent API answers: the same members of the same
 * kinds, and one that marks it.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type SchemaName, SCHEMAS } from "../../../../routes/shapes/schemas.ts";
import {
  type AgentApi,
  bidMembers,
  openAgentApi,
} from "../../../support/agent_api.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { openPublicMcp } from "../../../support/public_mcp.ts";
import { PRACTICE_BID, rehearsalPath } from "../../../support/rehearsals.ts";
import { openSite } from "../../../support/site_app.ts";

/** What is asked of both, and the shape of what is answered. */
interface Asked {
  what: string;
  path: (day: string, adId: string) => string;
  /** The body of a bid, with what differs from the usual one. */
  bid?: Record<string, unknown>;
  key?: string;
  schema: SchemaName;
}

const ASKED: readonly Asked[] = [
  {
    what: "readiness of a bid",
    path: (day, adId) => `/me?day=${day}&ad_id=${adId}&amount_cents=2500`,
    schema: "AccountSummary",
  },
  { what: "readiness", path: () => "/me", schema: "AccountSummary" },
  {
    what: "an auction",
    path: (day) => `/auction?day=${day}`,
    schema: "AuctionState",
  },
  { what: "a bid", path: () => "/bids", bid: {}, schema: "AuctionState" },
  {
    what: "a repeat",
    path: () => "/bids",
    bid: {},
    schema: "AuctionState",
  },
  {
    what: "one's bids",
    path: (day) => `/bids?day=${day}`,
    schema: "BidList",
  },
  {
    what: "a query without day",
    path: () => "/bids",
    schema: "AgentProblem",
  },
  {
    what: "an unknown bid",
    path: () => "/bids/bid_of_nobody",
    schema: "AgentProblem",
  },
  {
    what: "a bid without a shape",
    path: () => "/bids",
    bid: { currency: "USD", amount_cents: 1 },
    schema: "ApiError",
  },
  {
    what: "a raise that is not higher",
    path: () => "/bids",
    bid: { amount_cents: 2_400 },
    key: "key-2",
    schema: "EngineProblem",
  },
  {
    what: "a reused key",
    path: () => "/bids",
    bid: { amount_cents: 2_600 },
    schema: "EngineProblem",
  },
  {
    what: "an unknown creative",
    path: () => "/bids",
    bid: { ad_id: "ad_of_nobody", amount_cents: 2_600 },
    key: "key-3",
    schema: "AgentProblem",
  },
];

/** A value with every text, number and boolean replaced by what it is. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) {
    return value === null ? null : typeof value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shapeOf(each)]),
  );
}

/** The members of an answer without the mark, which it has to have. */
function unmarked(body: Record<string, unknown>): Record<string, unknown> {
  const { sandbox, ...rest } = body;
  assertEquals(sandbox, true);
  return rest;
}

function initOf({ bid, key = "key-1" }: Asked, usual: object) {
  return bid === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ ...usual, amount_cents: 2_500, ...bid }),
  };
}

/** What the connection of a rehearsal may do. */
const PRACTISED = [
  "account:read",
  "bids:read",
  "bids:write",
  "creatives:read",
  "creatives:write",
] as const;

function askReal(api: AgentApi, ada: Agent, asked: Asked): Promise<Response> {
  const path = `/v1/agent${asked.path(BID_DAY, ada.adId)}`;
  return api.ask(path, { as: ada, ...initOf(asked, bidMembers(ada)) });
}

Deno.test("every answer of a rehearsal has the shape, status and type of the real one", async () => {
  await using api = await openAgentApi();
  await using site = await openSite();
  const ada = await api.world.agent("ada", { scopes: PRACTISED });
  const at = rehearsalPath("rehearsal-1");
  for (const asked of ASKED) {
    const { what, path, schema } = asked;
    const real = await askReal(api, ada, asked);
    const practised = await site.ask(
      at + path(PRACTICE_BID.day, PRACTICE_BID.ad_id),
      initOf(asked, PRACTICE_BID),
    );
    assertEquals(practised.status, real.status, what);
    for (const header of ["content-type", "idempotent-replayed"]) {
      assertEquals(practised.headers.get(header), real.headers.get(header));
    }
    const body = unmarked(await practised.json());
    const wanted = await real.json();
    assertEquals(shapeOf(body), shapeOf(wanted), what);
    assertEquals([body["type"], body["code"]], [wanted.type, wanted.code]);
    assert(SCHEMAS[schema].safeParse(body).success, what);
  }
});

Deno.test("a rehearsed tool answers what the rehearsed request and the real tool answer", async () => {
  await using api = await openAgentApi();
  await using mcp = await openPublicMcp();
  const ada = await api.world.agent("ada", { scopes: PRACTISED });
  const calls: readonly [string, Record<string, unknown>][] = [
    ["get_account", { day: 0, ad_id: 0, amount_cents: 2_500 }],
    ["get_auction", { day: 0 }],
    [
      "place_bid",
      {
        day: 0,
        ad_id: 0,
        amount_cents: 2_500,
        currency: "EUR",
        idempotency_key: "key-1",
      },
    ],
    ["list_my_bids", { day: 0 }],
    [
      "place_bid",
      {
        day: 0,
        ad_id: 0,
        amount_cents: 2_400,
        currency: "EUR",
        idempotency_key: "key-2",
      },
    ],
    ["get_bid", { id: "bid_of_nobody" }],
  ];
  for (const [tool, given] of calls) {
    const named = (day: string, adId: string) => ({
      ...given,
      ..."day" in given && { day },
      ..."ad_id" in given && { ad_id: adId },
    });
    const real = await callTool(api, ada, tool, named(BID_DAY, ada.adId));
    const practised = await mcp.call("rehearse", {
      rehearsal: "rehearsal-1",
      tool,
      arguments: named(PRACTICE_BID.day, PRACTICE_BID.ad_id),
    });
    assertEquals(practised.isError, real.isError, tool);
    const body = unmarked(practised.content);
    assertEquals(shapeOf(body), shapeOf(real.content), tool);
    assertEquals(body["type"], real.content.type);
    assertEquals(JSON.parse(practised.text), practised.content);
  }
  const read = await mcp.get(
    `${rehearsalPath("rehearsal-1")}/bids?day=${PRACTICE_BID.day}`,
  );
  assertEquals((await read.json()).bids.length, 1);
});

Deno.test("the tool rehearse names every bad argument, and settles", async () => {
  await using mcp = await openPublicMcp();
  const rehearsal = "rehearsal-1";
  const bad = await mcp.call("rehearse", {
    rehearsal,
    tool: "place_bid",
    arguments: { day: "never", amount_cents: 1, currency: "EUR" },
  });
  assertEquals([bad.isError, bad.content.sandbox], [true, true]);
  for (const name of ["day", "ad_id", "amount_cents", "idempotency_key"]) {
    assert(bad.content.detail.includes(name), bad.content.detail);
  }
  await mcp.call("rehearse", {
    rehearsal,
    tool: "place_bid",
    arguments: { ...PRACTICE_BID, idempotency_key: "a" },
  });
  const { content } = await mcp.call("rehearse", {
    rehearsal,
    tool: "settle",
    arguments: { idempotency_key: "b" },
  });
  assertEquals(content.bids[0].status, "won");
});
