import { assertEquals } from "@std/assert";
import type { CreatedGrant } from "../../../tools/demo/create_grant.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import { withLines } from "../../../domain/oauth/lines.ts";
import {
  readRefreshToken,
  refreshTokenText,
} from "../../../domain/oauth/refresh_token.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import {
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { assertRefused } from "../../support/refused.ts";

const DAY_MS = 86_400_000;
const CLIENT_ID = "client_demo";

Deno.test("a used refresh token ends its line for as long as the line lives, whatever the keys are by then", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  let current = refreshToken;
  for (let n = 0; n < 40; n++) {
    world.clock.advance(DAY_MS);
    current = await refreshed(world, current);
  }
  const keys = { ...world.services.keys, mac: () => null };
  await refused({ ...world, services: { ...world.services, keys } }, {
    text: refreshToken,
  });
  assertEquals(await endingOf(world, grant.id), "refresh_reuse");
  await refused(world, { text: current });
});

Deno.test("a token in its grace is refused, and ends nothing, once the secret of its successor is out of use", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  const current = await refreshed(world, refreshToken);
  const keys = { ...world.services.keys, mac: () => null };
  await refused({ ...world, services: { ...world.services, keys } }, {
    text: refreshToken,
  });
  assertEquals(await endingOf(world, grant.id), undefined);
  await refreshed(world, current);
});

Deno.test("no row of the store is a token's own", async () => {
  await using world = await openWorld();
  const { refreshToken } = await newGrant(world);
  const before = await rowCount(world);
  let current = refreshToken;
  for (let n = 0; n < 5; n++) current = await refreshed(world, current);
  assertEquals(await rowCount(world), before);
});

Deno.test("a refresh token of another line, or none, changes nothing", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  const current = await refreshed(world, refreshToken);
  const parts = partsOf(current);
  const other = partsOf((await newGrant(world, "client_other")).refreshToken);
  const odd = [
    refreshTokenText({ ...parts, line: other.line }, "x".repeat(43)),
    refreshTokenText({ ...other, grantId: grant.id }, "x".repeat(43)),
    refreshTokenText({ ...parts, line: "x".repeat(22) }, current.slice(-43)),
    current.slice(0, -1),
    `${current}x`,
  ];
  for (const text of odd) {
    await refused(world, { text });
    await revokeToken(world.services, { token: text, clientId: null });
  }
  await refused(world, { text: current, clientId: "another" });
  await refused(world, { text: refreshToken, clientId: "another" });
  assertEquals(await endingOf(world, grant.id), undefined);
  await refreshed(world, current);
});

Deno.test("a refresh token from after the backup that was restored is refused and ends nothing", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  const second = await refreshed(world, refreshToken);
  const { realKv } = world.testStore;
  const key = ["grants", grant.id];
  const backup = (await realKv.get(key)).value;
  const third = await refreshed(world, second);
  const fourth = await refreshed(world, third);
  const atomic = realKv.atomic();
  atomic.set(key, backup);
  await atomic.commit();
  for (const text of [fourth, third]) await refused(world, { text });
  assertEquals(await endingOf(world, grant.id), undefined);
  assertEquals(await refreshed(world, second), third);
});

Deno.test("a changed secret of a number already reached is a reuse", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  await refreshed(world, refreshToken);
  const text = refreshTokenText(partsOf(refreshToken), "x".repeat(43));
  await refused(world, { text });
  assertEquals(await endingOf(world, grant.id), "refresh_reuse");
});

Deno.test("a refresh logs nothing, a reuse is logged once", async () => {
  await using world = await openWorld();
  const log = new MemoryLog();
  const logged = { ...world, services: { ...world.services, log } };
  const { refreshToken } = await newGrant(world);
  const second = await refreshed(logged, refreshToken);
  await refreshed(logged, second);
  assertEquals(log.events, []);
  await refused(logged, { text: refreshToken });
  await refused(logged, { text: second });
  assertEquals(log.events, ["refresh_token_reused"]);
});

Deno.test("a refresh token that is made up for a grant without a line is refused", async () => {
  await using world = await openWorld();
  const { grant, refreshToken } = await newGrant(world);
  await world.services.store.transact((tx) => {
    tx.grants.save(withLines(grant, []));
  });
  await refused(world, { text: refreshToken });
});

async function openWorld(): Promise<BiddingWorld> {
  const world = await openBiddingWorld({ opened: false });
  await world.agent("ada");
  return world;
}

function newGrant(
  { services }: BiddingWorld,
  clientId = CLIENT_ID,
): Promise<CreatedGrant> {
  return createGrant(services, {
    accountId: "acc_ada",
    clientId,
    scopes: ["account:read"],
    mandate: null,
  });
}

function refresh(
  { services }: Pick<BiddingWorld, "services">,
  { text, clientId = CLIENT_ID }: { text: string; clientId?: string },
) {
  return refreshTokens(services, {
    refreshToken: text,
    clientId,
    scopes: null,
    resources: null,
  });
}

async function refreshed(world: BiddingWorld, text: string): Promise<string> {
  return (await refresh(world, { text })).refreshToken;
}

async function refused(
  world: Pick<BiddingWorld, "services">,
  shown: { text: string; clientId?: string },
): Promise<void> {
  await assertRefused(() => refresh(world, shown), "oauth_error");
}

function partsOf(text: string) {
  const parts = readRefreshToken(text);
  if (parts === null) throw new Error("not a refresh token");
  return parts;
}

function rowOf({ services }: BiddingWorld, grantId: string) {
  return services.store.grants.find(grantId);
}

async function endingOf(world: BiddingWorld, grantId: string) {
  return (await rowOf(world, grantId))?.lastEnding?.reason;
}

async function rowCount({ testStore }: BiddingWorld): Promise<number> {
  return (await Array.fromAsync(testStore.realKv.list({ prefix: [] }))).length;
}
