/**
 * Stores of the time when each consent made a grant of its own: one of a client
 * stays, with the lines of all and what was allowed last.
 */
import { assert, assertEquals } from "@std/assert";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays } from "../../../domain/day.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import { mergeConnections } from "../../../domain/oauth/merge_connections.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type AdvertiserOptions,
  type Agent,
  BID_DAY,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { everyCrashPoint } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { SCHEMA_VERSION, writeSchema } from "../../../kv/schema.ts";

const CLIENT_ID = "client_same";
const NEXT = addDays(BID_DAY, 1);

/** A further grant of the one client, as the release before this one made it. */
async function grantOfBefore(
  world: BiddingWorld,
  options: AdvertiserOptions = {},
): Promise<Agent> {
  world.clock.advance(1_000);
  const clientId = `client_${world.clock.now()}`;
  const agent = await world.agent("ada", { ...options, clientId });
  const { realKv } = world.testStore;
  const key = ["grants", agent.grant.id];
  const { value } = await realKv.get<Grant>(key);
  assert(value !== null);
  const { lines: _lines, allowedAtMs: _allowedAtMs, ...row } = value;
  const atomic = realKv.atomic();
  atomic.set(key, { ...row, clientId: CLIENT_ID });
  atomic.delete(["connections", agent.account.id, clientId]);
  await atomic.commit();
  // Its only line has the grant's id.
  return { ...agent, lineId: agent.grant.id };
}

function refreshed({ services }: { services: Services }, text: string) {
  return refreshTokens(services, {
    refreshToken: text,
    clientId: CLIENT_ID,
    scopes: null,
    resources: null,
  });
}

async function liveGrants({ services: { store } }: BiddingWorld) {
  const grants = await store.listGrants("acc_ada", { limit: 99 });
  return grants.filter(({ revokedAtMs }) => revokedAtMs === null);
}

const ADA = { accountId: "acc_ada" };

Deno.test("a store of the version before works unmerged, and its grants are merged into the newest, with what was allowed last", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const wide = await grantOfBefore(world, {
    scopes: ["account:read", "bids:read", "bids:write"],
  });
  const narrow = await grantOfBefore(world, {
    scopes: ["account:read", "bids:write"],
    mandate: { dailyCapCents: 6_000 },
  });
  for (const { accessToken } of [wide, narrow]) {
    await checkBearer(services, accessToken);
  }
  const { refreshToken } = await refreshed(world, wide.refreshToken);
  await mergeConnections(services, ADA);
  const [kept, ...others] = await liveGrants(world);
  assertEquals([kept?.id, others], [narrow.grant.id, []]);
  assertEquals(kept?.mandate?.dailyCapCents, 6_000);
  const old = await services.store.grants.find(wide.grant.id);
  assertEquals([old?.revokedReason, old?.lines], ["merged", []]);
  // Both installations go on, the older one with less than it had.
  const bearer = await checkBearer(services, wide.accessToken);
  assertEquals(bearer.grant.id, narrow.grant.id);
  assertEquals(bearer.grant.scopes, ["account:read", "bids:write"]);
  let token = refreshToken;
  for (let nth = 0; nth < 3; nth++) {
    const next = await refreshed(world, token);
    token = next.refreshToken;
    const { grant } = await checkBearer(services, next.accessToken);
    assertEquals([grant.id, grant.lineId], [narrow.grant.id, wide.grant.id]);
  }
  await refreshed(world, narrow.refreshToken);
  // Ending the connection ends them all.
  await revokeGrant(services, { grantId: narrow.grant.id, ...ADA });
  await assertRefused(() => refreshed(world, token), "oauth_error");
  await assertRefused(
    () => checkBearer(services, wide.accessToken),
    "token_invalid",
  );
});

Deno.test("what merged grants used of the day is added up, and none of them bids more", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  await world.open(NEXT);
  const mandate = { dailyCapCents: 6_000, maxBidCents: 10_000 };
  const first = await grantOfBefore(world, { mandate });
  const second = await grantOfBefore(world, { mandate });
  await placeBid(services, bidBy(first, { amountCents: 4_000 }));
  const other = { amountCents: 1_500, day: NEXT, key: "second" };
  await placeBid(services, bidBy(second, other));
  await mergeConnections(services, ADA);
  const [kept] = await liveGrants(world);
  assert(kept);
  const use = await services.store.mandateUses.find(kept.id, BID_DAY);
  assertEquals(use?.usedCents, 5_500);
  const bidder = { ...second, lineId: first.grant.id, grant: kept };
  const more = bidBy(bidder, { amountCents: 2_001, day: NEXT, key: "more" });
  await assertRefused(() => placeBid(services, more), "mandate_exceeded");
  const within = bidBy(bidder, { amountCents: 2_000, day: NEXT, key: "ok" });
  await placeBid(services, within);
  // The grant that was merged is no grant to bid under any more.
  const late = bidBy(first, { amountCents: 4_001, key: "late" });
  await assertRefused(() => placeBid(services, late), "token_invalid");
});

Deno.test("merging goes on after a crash at each of its commits, adds nothing twice, and is done once", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openBiddingWorld();
    const made: Agent[] = [];
    for (let nth = 0; nth < 4; nth++) {
      made.push(await grantOfBefore(world));
      const amountCents = 1_000 * (nth + 1);
      const agent = made[nth];
      assert(agent);
      await placeBid(world.services, bidBy(agent, { amountCents }));
    }
    const before = world.testStore.kv.commits.length;
    world.testStore.kv.crashAt({ ...point, commit: before + point.commit });
    await mergeConnections(world.services, ADA).catch(() => {});
    const { dead } = world.testStore.kv;
    const { store } = world.testStore.another();
    const services = world.over(store);
    await mergeConnections(services, ADA);
    const grants = await store.listGrants("acc_ada", { limit: 9 });
    const live = grants.filter(({ revokedAtMs }) => revokedAtMs === null);
    assertEquals(live.length, 1);
    const [kept] = live;
    assert(kept);
    const use = await store.mandateUses.find(kept.id, BID_DAY);
    assertEquals([use?.usedCents, kept.lines.length], [4_000, 4]);
    for (const { accessToken } of made) {
      await checkBearer(services, accessToken);
    }
    return dead;
  });
  assert(points > 3);
});

Deno.test("a grant that a release of before makes beside this one is merged at the next migration or consent, into the connection", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const first = await grantOfBefore(world, { scopes: ["account:read"] });
  await mergeConnections(services, ADA);
  const beside = await grantOfBefore(world, { scopes: ["bids:read"] });
  await mergeConnections(services, { ...ADA, clientId: "another" });
  assertEquals((await liveGrants(world)).length, 2);
  await mergeConnections(services, { ...ADA, clientId: CLIENT_ID });
  const [kept, ...others] = await liveGrants(world);
  assertEquals([kept?.id, others], [first.grant.id, []]);
  assertEquals(kept?.scopes, ["bids:read"]);
  const bearer = await checkBearer(services, beside.accessToken);
  assertEquals(bearer.grant.id, first.grant.id);
});

Deno.test("what the release before changes of a line it knows is taken over, and the other lines stay", async () => {
  await using world = await openBiddingWorld();
  const first = await world.agent("ada", { clientId: CLIENT_ID });
  const second = await world.agent("ada", { clientId: CLIENT_ID });
  // It knows the line that began last, and leaves `lines` as it is.
  const { realKv } = world.testStore;
  const key = ["grants", second.grant.id];
  const before = (await realKv.get<Grant>(key)).value;
  const next = await refreshed(world, second.refreshToken);
  const after = (await realKv.get<Grant>(key)).value;
  assert(before && after);
  const atomic = realKv.atomic();
  atomic.set(key, { ...before, refresh: after.refresh });
  await atomic.commit();
  await refreshed(world, next.refreshToken);
  await refreshed(world, first.refreshToken);
});

Deno.test("the migration to version 5 merges the connections of every account", async () => {
  await using world = await openBiddingWorld();
  const { services, testStore } = world;
  const first = await grantOfBefore(world);
  const second = await grantOfBefore(world);
  await world.agent("bob");
  const { realKv } = testStore;
  const { versionstamp } = await realKv.get(["schema"]);
  const row = { version: 4, readableFrom: 1, migration: null };
  await writeSchema(realKv, { row, versionstamp });
  assertEquals(await services.store.migrate(Infinity), {
    version: SCHEMA_VERSION,
    state: "done",
  });
  const live = await liveGrants(world);
  assertEquals(live.map(({ id }) => id), [second.grant.id]);
  const { grant } = await checkBearer(services, first.accessToken);
  assertEquals(grant.id, second.grant.id);
});
