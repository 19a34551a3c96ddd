import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { REMOTE_LANES } from "../../kv/rate_buckets.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { rateBucketKey } from "../../kv/rate_bucket_keys.ts";
import { bidMembers, openAgentApi, postBid } from "../support/agent_api.ts";
import { openAdvertiserSite } from "../support/advertiser_site.ts";
import { BID_DAY, readyAccount } from "../support/bidding_world.ts";
import {
  challengeOf,
  expectOutcome,
  offer,
  openPaidWorld,
} from "../support/paid_world.ts";
import { seen } from "../support/captured_logs.ts";
import {
  newSession,
  pay,
  type SeenSession,
} from "../support/checkout_calls.ts";
import { DAYS, openCheckoutWorld } from "../support/checkout_world.ts";
import { callTool } from "../support/mcp_agent.ts";
import {
  approve,
  type Approved,
  codeForm,
  refreshForm,
  register,
  tokensOf,
} from "../support/oauth_flow.ts";
import {
  formOf,
  type Members,
  openOauthWorld,
} from "../support/oauth_world.ts";
import { ManualClock } from "../support/clock.ts";
import { RoundTrips } from "../support/round_trips.ts";
import { runService } from "../support/running_service.ts";

/** Journeys that a request waits for, one after the other. */
interface Trips {
  /** When the process holds no tokens of its buckets, … */
  cold: number;
  /** … and when it does. */
  warm: number;
}

/**
 * Counts what each request waits for. Each was made once before: its token is
 * known, and its grant's use was noted.
 */
async function tripsOf(
  kv: RoundTrips,
  clock: ManualClock,
  asked: Readonly<Record<string, () => Promise<void>>>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Record<string, Trips>> {
  const trips: Record<string, Trips> = {};
  for (const [name, ask] of Object.entries(asked)) {
    clock.advance(60_000);
    await prepare();
    await ask();
    // Longer than tokens are held.
    clock.advance(11_000);
    await prepare();
    const cold = await kv.count(ask);
    await prepare();
    trips[name] = { cold, warm: await kv.count(ask) };
  }
  return trips;
}

/** A store whose journeys are counted, with buckets as over a network. */
async function network() {
  return { kv: new RoundTrips(await openKv(":memory:")), lanes: REMOTE_LANES };
}

Deno.test("requests under a grant wait for no more journeys to the store than they must", async () => {
  const { kv, lanes } = await network();
  await using api = await openAgentApi({ kv, lanes });
  const agent = await api.world.agent("ada", { scopes: SCOPES });
  await api.world.open();
  const get = (path: string) => async () => {
    const answer = await api.ask(path, { as: agent });
    assertEquals(answer.status, 200, await answer.text());
  };
  const tool = (name: string, given = {}) => async () => {
    const told = await callTool(api, agent, name, given);
    assertEquals([told.status, told.isError], [200, false], told.text);
  };
  let bids = 0;
  const nextBid = () => {
    bids += 1;
    return { amount_cents: 1_000 + bids };
  };
  const bid = async () => {
    const answer = await postBid(api, agent, nextBid(), `key-${bids}`);
    assertEquals(answer.status, 200, await answer.text());
  };
  const callBid = () => {
    const members = bidMembers(agent, nextBid());
    return tool("place_bid", { ...members, idempotency_key: `key-${bids}` })();
  };
  const asked = {
    me: get("/v1/agent/me"),
    bids: get(`/v1/agent/bids?day=${BID_DAY}`),
    auction: get(`/v1/agent/auction?day=${BID_DAY}`),
    cards: get("/v1/agent/payment_methods"),
    creatives: get("/v1/agent/creatives"),
    connections: get("/v1/agent/connections"),
    invoices: get("/v1/agent/invoices"),
    passkeys: get("/v1/agent/passkeys"),
    bid,
    get_account: tool("get_account"),
    list_my_bids: tool("list_my_bids", { day: BID_DAY }),
    place_bid: callBid,
  };
  const one: Trips = { cold: 1, warm: 1 };
  const two: Trips = { cold: 2, warm: 2 };
  assertEquals(await tripsOf(kv, api.world.clock, asked), {
    // The grant, its bucket and what is asked for, side by side.
    me: one,
    bids: one,
    auction: one,
    // A list costs its account nothing before the request is let through.
    invoices: { cold: 2, warm: 1 },
    passkeys: { cold: 2, warm: 1 },
    // An index and its rows, and for connections what they have used.
    cards: two,
    creatives: two,
    connections: { cold: 3, warm: 3 },
    // The account's bucket beside the others; then the commit.
    bid: two,
    get_account: one,
    list_my_bids: one,
    place_bid: two,
  });
});

Deno.test("tokens are given in no more journeys to the store than they must", async () => {
  const { kv, lanes } = await network();
  await using world = await openOauthWorld({ kv, lanes });
  const from = "192.0.2.1";
  const post = async (members: Members) => {
    const init = formOf(members);
    return await tokensOf(await world.ask("/oauth/token", init, from));
  };
  const clientId = await register(world);
  let approved: Approved | null = null;
  let token = "";
  const asked = {
    exchange: async () => {
      assert(approved);
      token = (await post(codeForm(approved))).refresh_token;
    },
    refresh: async () => {
      token = (await post(refreshForm(clientId, token))).refresh_token;
    },
  };
  const approveNext = async () => {
    approved = await approve(world, { clientId });
  };
  assertEquals(await tripsOf(kv, world.bidding.clock, asked, approveNext), {
    // The address's bucket; the commits that make tokens and give them.
    exchange: { cold: 3, warm: 2 },
    // The same bucket, and one commit.
    refresh: { cold: 2, warm: 1 },
  });
});

Deno.test("purchases wait for no more journeys to the store than they must", async () => {
  const { kv, lanes } = await network();
  await using shop = await openCheckoutWorld({ kv, lanes });
  const buyer = await shop.buyer("ada");
  const tokens: string[] = [];
  for (let n = 0; n < 3; n++) tokens.push(await shop.token());
  const sessions: SeenSession[] = [];
  const asked = {
    create: async () => {
      const key = `create-${sessions.length}`;
      sessions.push(await newSession(shop.ask, buyer, DAYS[0], key));
    },
    look: async () => {
      const [session] = sessions;
      const path = `/checkout_sessions/${session?.id}`;
      const answer = await shop.ask(path, { as: buyer });
      assertEquals(answer.status, 200, await answer.text());
    },
    complete: async () => {
      const session = sessions.pop();
      assert(session);
      const token = tokens.pop() ?? "";
      const key = `complete-${tokens.length}`;
      const answer = await pay(shop.ask, buyer, session, token, key);
      assertEquals(answer.status, 200, await answer.text());
    },
  };
  assertEquals(await tripsOf(kv, shop.world.clock, asked), {
    // The grant and its bucket, the account's bucket; a read and a commit.
    create: { cold: 4, warm: 3 },
    look: { cold: 1, warm: 1 },
    complete: { cold: 7, warm: 6 },
  });
});

Deno.test("a payment over HTTP 402 waits for no more journeys to the store than it must", async () => {
  const { kv, lanes } = await network();
  await using shop = await openPaidWorld({ kv, lanes });
  const from = "192.0.2.1";
  const ask: typeof shop.ask = (options) => shop.ask({ ...options, from });
  const paid: string[] = [];
  const asked = {
    challenge: async () => {
      await challengeOf(ask);
    },
    purchase: async () => {
      await expectOutcome(ask, { authorization: paid.pop() ?? "" }, "200");
    },
  };
  const prepare = async () => {
    paid.push((await offer(shop)).authorization);
  };
  assertEquals(await tripsOf(kv, shop.world.clock, asked, prepare), {
    // The address's bucket, and the row of what is offered.
    challenge: { cold: 2, warm: 1 },
    // That bucket, the one of payments; lease, charge, books and report.
    purchase: { cold: 11, warm: 9 },
  });
});

Deno.test("pages of who is signed in wait for no more journeys to the store than they must", async () => {
  const { kv, lanes } = await network();
  await using site = await openAdvertiserSite({ kv, lanes });
  const browser = await site.browser("ada", readyAccount("ada"));
  const form = new URLSearchParams({
    headline: "Bread by bicycle",
    description: "Warm loaves at your door before eight, every day.",
    target_url: "https://bakery.example/",
    do: "save",
  });
  const asked = {
    creatives: async () => {
      const answer = await browser.get("/creatives");
      assertEquals(answer.status, 200, await answer.text());
    },
    form: async () => {
      const answer = await browser.post("/creatives/new", form);
      assertEquals(answer.status, 303, await answer.text());
    },
  };
  assertEquals(await tripsOf(kv, site.world.clock, asked), {
    // The session, its account, and what the page shows.
    creatives: { cold: 3, warm: 3 },
    // The address's bucket, how many there are, the same again and the commit.
    form: { cold: 6, warm: 5 },
  });
});

Deno.test("a token that has ended asks its grant's bucket once at most, and is refused at the next request", async () => {
  await using api = await openAgentApi();
  const agent = await api.world.agent("ada");
  const statusOf = async () => {
    const answer = await api.ask("/v1/agent/me", { as: agent });
    await answer.body?.cancel();
    return answer.status;
  };
  const { realKv } = api.world.testStore;
  const key = rateBucketKey(`grant:${agent.grant.id}`);
  const versionOf = async () => (await realKv.getMany([key]))[0]?.versionstamp;
  assertEquals(await statusOf(), 200);
  api.world.clock.advance(3_600_000);
  assertEquals(await statusOf(), 401);
  const version = await versionOf();
  for (let n = 0; n < 3; n++) {
    assertEquals(await statusOf(), 401);
    assertEquals(await versionOf(), version);
  }
});

Deno.test("public requests wait for no more journeys to the store than they must", async () => {
  const kv = new RoundTrips(await openKv(":memory:"));
  const clock = new ManualClock();
  await using running = await runService({ kv, clock });
  const { baseUrl, authUrl } = running.config.settings;
  const ask = (url: string, init?: RequestInit) => async () => {
    const answer = await seen.fetch(url, init);
    assertEquals(answer.status < 300, true, await answer.text());
  };
  const post = (url: string, body: unknown, headers = {}) =>
    ask(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const asked = {
    read: ask(`${baseUrl}/api/v1/spotlights`),
    question: ask(`${baseUrl}/ask?query=bids`),
    registration: post(`${authUrl}/oauth/register`, {
      redirect_uris: ["http://127.0.0.1/callback"],
    }),
  };
  assertEquals(await tripsOf(kv, clock, asked), {
    read: { cold: 1, warm: 0 },
    question: { cold: 1, warm: 0 },
    // The buckets of the address's networks, and the client's row.
    registration: { cold: 2, warm: 2 },
  });
});
