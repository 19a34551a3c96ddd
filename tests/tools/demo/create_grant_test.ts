import { sha256Hex } from "../../../domain/sha256.ts";
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import {
  type CreatedGrant,
  type CreateGrant,
  createGrant,
} from "../../../tools/demo/create_grant.ts";
import { type Scope, SCOPES } from "../../../domain/oauth/grant.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import {
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("createGrant() stores a grant whose token is live at once", async () => {
  await using world = await openBiddingWorld();
  const created = await createGrant(world.services, await input(world));
  const { grant } = await checkBearer(world.services, created.accessToken);
  assertEquals(grant, { ...created.grant, lineId: created.lineId });
  assertEquals(grant.createdAtMs, world.clock.now());
  const [listed] = await world.services.store.listGrants(grant.accountId, {
    limit: 9,
  });
  assertEquals(listed?.accountId, "acc_ada");
});

Deno.test("createGrant() lists scopes once each in the contract's order", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await createGrant(world.services, {
    ...await input(world),
    scopes: ["bids:write", "account:read", "bids:write"],
  });
  assertEquals(grant.scopes, ["account:read", "bids:write"]);
});

Deno.test("createGrant() lets a refresh token live 30 days", async () => {
  await using world = await openBiddingWorld();
  const created = await createGrant(world.services, {
    ...await input(world, 90),
  });
  assertRefreshLives(world, created, 30);
  const unbound = await createGrant(world.services, {
    ...await input(world),
    scopes: ["account:read"],
    mandate: null,
  });
  assertRefreshLives(world, unbound, 30);
});

Deno.test("createGrant() ends a refresh token with the mandate", async () => {
  await using world = await openBiddingWorld();
  const created = await createGrant(world.services, await input(world, 7));
  assertRefreshLives(world, created, 7);
});

Deno.test("createGrant() makes a connection of its own for another client, and widens no earlier one", async () => {
  await using world = await openBiddingWorld();
  const first = await createGrant(world.services, await input(world));
  await createGrant(world.services, {
    ...await input(world),
    clientId: "client_other",
    scopes: SCOPES,
  });
  const bearer = await checkBearer(world.services, first.accessToken);
  assertEquals(bearer.grant, { ...first.grant, lineId: first.lineId });
});

Deno.test("createGrant() changes the connection of a client that has one, as a consent does", async () => {
  await using world = await openBiddingWorld();
  const first = await createGrant(world.services, await input(world));
  const second = await createGrant(world.services, {
    ...await input(world),
    scopes: ["account:read"],
    mandate: null,
  });
  assertEquals(second.grant.id, first.grant.id);
  const bearer = await checkBearer(world.services, first.accessToken);
  assertEquals(bearer.grant.lineId, first.lineId);
  assertEquals(bearer.grant.scopes, ["account:read"]);
  await checkBearer(world.services, second.accessToken);
});

Deno.test("createGrant() refuses scopes nobody knows, and none", async () => {
  await using world = await openBiddingWorld();
  const unknown = ["account:read", "bids:delete"] as unknown as Scope[];
  for (const scopes of [unknown, []]) {
    const given = { ...await input(world), scopes };
    await assertRefused(
      () => createGrant(world.services, given),
      "invalid_input",
    );
  }
});

Deno.test("createGrant() refuses bids:write without a mandate", async () => {
  await using world = await openBiddingWorld();
  const given = { ...await input(world), mandate: null };
  await assertRefused(
    () => createGrant(world.services, given),
    "invalid_input",
  );
});

Deno.test("createGrant() refuses an unknown account", async () => {
  await using world = await openBiddingWorld();
  const given = { ...await input(world), accountId: "acc_nobody" };
  await assertRefused(
    () => createGrant(world.services, given),
    "account_not_found",
  );
});

async function input(world: BiddingWorld, days = 30): Promise<CreateGrant> {
  if (await world.services.store.accounts.find("acc_ada") === null) {
    await world.agent("ada");
  }
  return {
    accountId: "acc_ada",
    clientId: "https://agent.example/client.json",
    scopes: ["account:read", "bids:write"],
    mandate: {
      maxBidCents: 5_000,
      dailyCapCents: 9_000,
      validUntilMs: world.clock.now() + days * DAY_MS,
    },
  };
}

function assertRefreshLives(
  world: BiddingWorld,
  { grant, refreshToken, refreshExpiresAtMs }: CreatedGrant,
  days: number,
): void {
  const endsAtMs = world.clock.now() + days * DAY_MS;
  assertEquals(refreshExpiresAtMs, endsAtMs);
  assertEquals(grant.refresh?.endsAtMs, endsAtMs);
  assertEquals(grant.refresh?.currentHash, sha256Hex(refreshToken));
}
