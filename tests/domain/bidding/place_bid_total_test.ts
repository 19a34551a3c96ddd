/** What a mandate's total counts, while there is one and while there is none. */
import { assertEquals } from "@std/assert";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays, type Day, DAY_MS } from "../../../domain/day.ts";
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import type { Mandate } from "../../../domain/oauth/grant.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { keys } from "../../../kv/keys.ts";
import {
  type Agent,
  BID_DAY,
  BID_SCOPES,
  BID_SETTINGS,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { refusalOf } from "../../support/refused.ts";
import { liveSession, saveSession } from "../../support/sessions.ts";

const THIRD_DAY = addDays(BID_DAY, 2);
const DAYS = [0, 1, 2, 3].map((later) => addDays(BID_DAY, later));

/** An agent under a total of EUR 10 for two days, and a mandate without it. */
async function openTotalWorld() {
  const world = await openBiddingWorld();
  for (const day of DAYS.slice(1)) await world.open(day);
  await saveSession(world.services);
  const nowMs = world.clock.now();
  const ada = await world.agent("ada", {
    mandate: { totalCapCents: 1_000, validUntilMs: nowMs + 2 * DAY_MS },
  });
  const without: Mandate = {
    maxBidCents: 2_000,
    dailyCapCents: 10_000,
    validUntilMs: nowMs + 30 * DAY_MS,
  };
  return { ...world, ada, without };
}

/** The user changes the mandate, without the client. */
async function allow(
  { services }: BiddingWorld,
  { grant: { id: grantId } }: Agent,
  mandate: Mandate,
): Promise<void> {
  const authTimeMs = services.clock.now();
  const session = { ...liveSession("acc_ada"), authTimeMs };
  const answer = { session, scopes: BID_SCOPES, mandate };
  await changeConnection(services, { grantId, ...answer });
}

/** The agent goes on for as long as its mandate allows now. */
async function refresh(
  { services }: BiddingWorld,
  { grant: { clientId }, refreshToken }: Agent,
): Promise<void> {
  const asked = { refreshToken, clientId, scopes: null, resources: null };
  await refreshTokens(services, asked);
}

function bid(
  { services }: BiddingWorld,
  agent: Agent,
  day: Day | undefined,
  amountCents: number,
) {
  const wanted = { day: day ?? BID_DAY, amountCents, key: `${day}` };
  return refusalOf(() => placeBid(services, bidBy(agent, wanted)));
}

async function countedOf(
  { services }: BiddingWorld,
  { grant: { id } }: Agent,
): Promise<number | undefined> {
  return (await services.store.grants.find(id))?.totalUse?.usedCents;
}

Deno.test("placeBid() counts on while a total is taken away, so that setting it again frees nothing", async () => {
  await using world = await openTotalWorld();
  const { ada, without } = world;
  assertEquals(await bid(world, ada, DAYS[0], 600), null);
  await allow(world, ada, without);
  assertEquals(await bid(world, ada, DAYS[1], 700), null);
  assertEquals(await countedOf(world, ada), 1_300);
  await allow(world, ada, { ...without, totalCapCents: 1_500 });
  assertEquals(await bid(world, ada, THIRD_DAY, 201), {
    code: "mandate_exceeded",
    cap: "total",
    limitCents: 1_500,
    usedCents: 1_300,
    requestedCents: 201,
    resetsAtMs: null,
    bid: {
      day: THIRD_DAY,
      dayState: "open",
      nextDay: { day: THIRD_DAY, opensAtMs: null },
      asked: { day: THIRD_DAY, ad_id: "ad_ada", amount_cents: 201 },
      readinessUrl: `${BID_SETTINGS.authUrl}/v1/agent/me` +
        `?day=${THIRD_DAY}&ad_id=ad_ada&amount_cents=201`,
      mostCents: 200,
    },
  });
  assertEquals(await bid(world, ada, DAYS[3], 200), null);
  assertEquals(await countedOf(world, ada), 1_500);
});

Deno.test("placeBid() counts no more from the end of a total that was taken away, and writes the day's row alone", async () => {
  await using world = await openTotalWorld();
  const { ada, without } = world;
  await allow(world, ada, without);
  await refresh(world, ada);
  world.clock.advance(2 * DAY_MS - 1);
  assertEquals(await bid(world, ada, DAYS[2], 600), null);
  assertEquals(await countedOf(world, ada), 600);
  const { realKv } = world.testStore;
  const row = () => realKv.get(keys.grant(ada.grant.id));
  const before = await row();
  world.clock.advance(1);
  assertEquals(await bid(world, ada, DAYS[3], 700), null);
  assertEquals(await row(), before);
  // The next total begins with what was used of its own day.
  await allow(world, ada, { ...without, totalCapCents: 5_000 });
  assertEquals(await countedOf(world, ada), 1_300);
});
