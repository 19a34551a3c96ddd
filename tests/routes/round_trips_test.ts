import { assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { rateBucketKey } from "../../kv/rate_bucket_keys.ts";
import { openAgentApi, postBid } from "../support/agent_api.ts";
import { BID_DAY } from "../support/bidding_world.ts";
import { seen } from "../support/captured_logs.ts";
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
): Promise<Record<string, Trips>> {
  const trips: Record<string, Trips> = {};
  for (const [name, ask] of Object.entries(asked)) {
    await ask();
    clock.advance(5_000);
    trips[name] = { cold: await kv.count(ask), warm: await kv.count(ask) };
  }
  return trips;
}

Deno.test("requests under a grant wait for no more journeys to the store than they must", async () => {
  const kv = new RoundTrips(await openKv(":memory:"));
  await using api = await openAgentApi({ kv });
  const agent = await api.world.agent("ada");
  await api.world.open();
  const get = (path: string) => async () => {
    const answer = await api.ask(path, { as: agent });
    assertEquals(answer.status, 200, await answer.text());
  };
  let bids = 0;
  const bid = async () => {
    bids += 1;
    const amount = { amount_cents: 1_000 + bids };
    const answer = await postBid(api, agent, amount, `key-${bids}`);
    assertEquals(answer.status, 200, await answer.text());
  };
  const asked = {
    me: get("/v1/agent/me"),
    bids: get(`/v1/agent/bids?day=${BID_DAY}`),
    bid,
  };
  assertEquals(await tripsOf(kv, api.world.clock, asked), {
    // The grant and its bucket, then the account with all it stands on.
    me: { cold: 2, warm: 2 },
    bids: { cold: 2, warm: 2 },
    // Then the account's bucket; a read and a commit.
    bid: { cold: 4, warm: 3 },
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
    // The address's bucket, those of its networks, and the client's row.
    registration: { cold: 3, warm: 2 },
  });
});
