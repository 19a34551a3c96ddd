/** Events over the wire: who is told what, and how one goes on. */
import { assertEquals } from "@std/assert";
import {
  EVENT_SCOPES,
  EVENT_TYPES,
  eventId,
} from "../../../../domain/events/event.ts";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { advanceAuctions } from "../../../../domain/settlement/advance_auctions.ts";
import {
  AUCTION_DAY,
  openAuctionWorld,
} from "../../../support/auction_world.ts";
import { openAuction } from "../../../../domain/auction/open_auction.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import {
  eventsOf,
  ONE_OF_EACH,
  removed,
  tell,
} from "../../../support/told_events.ts";

const EVENTS = "/v1/agent/events";

// deno-lint-ignore no-explicit-any -- tests compare what they expect of it
async function list(api: AgentApi, as: Agent, query = ""): Promise<any> {
  const answer = await api.ask(`${EVENTS}${query}`, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}

Deno.test("GET /v1/agent/events answers events with their four members, oldest first, and goes on behind after", async () => {
  await using api = await openAgentApi();
  const { services } = api.world;
  const scopes = ["account:read", "reports:read"] as const;
  const ada = await api.world.agent("ada", { scopes });
  const empty = await list(api, ada);
  assertEquals([empty.items, empty.has_more], [[], false]);
  for (const day of ["a", "b", "c"]) {
    await tell(services, ada.account.id, removed(day));
    api.world.clock.advance(1_000);
  }
  const [first] = await eventsOf(services, ada.account.id);
  const page = await list(api, ada, `?limit=2&after=${empty.after}`);
  assertEquals(page.has_more, true);
  assertEquals(page.items[0], {
    id: first && eventId(first),
    type: "spotlight.removed",
    timestamp: "2026-11-20T12:00:00.000Z",
    data: { day: "a" },
  });
  const rest = await list(api, ada, `?limit=2&after=${page.after}`);
  const days = [...page.items, ...rest.items]
    // deno-lint-ignore no-explicit-any -- as above
    .map(({ data }: any) => data.day);
  assertEquals([days, rest.has_more], [["a", "b", "c"], false]);
  const end = await list(api, ada, `?after=${rest.after}`);
  assertEquals(end, { items: [], after: rest.after, has_more: false });

  const tool = await callTool(api, ada, "list_events", {
    limit: 2,
    after: page.after,
  });
  assertEquals(tool.content, rest);
});

for (
  const [what, query] of Object.entries({
    "a place that is none of ours": "after=zzz",
    "an empty place": "wait=0&after=",
    "a wait that is too long": "wait=26",
    "a page that is too long": "limit=51",
  })
) {
  Deno.test(`GET /v1/agent/events refuses ${what}`, async () => {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada");
    const answer = await api.ask(`${EVENTS}?${query}`, { as: ada });
    const { code } = await answer.json();
    assertEquals([answer.status, code], [400, "agent.bad-request"]);
  });
}

Deno.test("a place that is none is refused with where to begin: without one", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const answer = await api.ask(`${EVENTS}?after=`, { as: ada });
  const { detail } = await answer.json();
  assertEquals(
    detail,
    "Cannot list the events: after must be the after of an answer, and left " +
      "out the first time, which begins at the oldest event of 30 days, " +
      'current value is ""',
  );
  assertEquals((await api.ask(EVENTS, { as: ada })).status, 200);
});

Deno.test("an event is told only to grants that could read what it is about", async () => {
  await using api = await openAgentApi();
  const all = await api.world.agent("all", { scopes: SCOPES });
  await tell(api.world.services, all.account.id, ...ONE_OF_EACH);
  // deno-lint-ignore no-explicit-any -- as above
  const typesOf = ({ items }: any) => items.map(({ type }: any) => type);
  assertEquals(typesOf(await list(api, all)), EVENT_TYPES);
  for (const scope of new Set(Object.values(EVENT_SCOPES))) {
    const name = scope.replace(":", "_");
    const scopes = ["account:read", scope] as const;
    const agent = await api.world.agent(name, { scopes });
    await tell(api.world.services, agent.account.id, ...ONE_OF_EACH);
    const page = await list(api, agent);
    assertEquals(
      typesOf(page),
      EVENT_TYPES.filter((type) => EVENT_SCOPES[type] === scope),
    );
    // What it may not be told lies behind it, too.
    const next = await list(api, agent, `?after=${page.after}`);
    assertEquals(next.items, []);
  }
});

Deno.test("no event names an amount, and nobody is told of another's bid", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  await openAuction(services, { day: AUCTION_DAY });
  for (const [name, cents] of [["ada", 987_654], ["bob", 876_543]] as const) {
    await world.bid(await world.advertiser(name), cents);
  }
  world.clock.set(`${AUCTION_DAY}T23:55:00.000Z`);
  await advanceAuctions(services);
  for (const [name, other] of [["ada", "bob"], ["bob", "ada"]]) {
    const events = await eventsOf(services, `acc_${name}`);
    const said = JSON.stringify(events.map(({ data }) => data));
    const bid = await services.store.bids.find(AUCTION_DAY, `acc_${other}`);
    for (const secret of ["987654", "876543", other ?? "", bid?.id ?? ""]) {
      assertEquals(said.includes(secret), false, `${name} is told ${secret}`);
    }
  }
});
