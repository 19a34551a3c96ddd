import { assert, assertEquals } from "@std/assert";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { BID_DAY } from "../../support/bidding_world.ts";
import { approve, connect } from "../../support/oauth_flow.ts";
import { type OauthWorld, openOauthWorld } from "../../support/oauth_world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WRITE = { scope: "account:read bids:write" };

Deno.test("listGrants() tells what is left of each mandate today, ten grants a read", async () => {
  await using world = await openOauthWorld();
  for (let n = 0; n < 12; n++) {
    world.bidding.clock.advance(1);
    await approve(world, { asked: WRITE });
  }
  const [newest] = await grantsOfAda(world);
  assert(newest);
  await world.services.store.transact((tx) => {
    tx.mandateUses.save({
      grantId: newest.grant.id,
      day: BID_DAY,
      usedCents: 4_000,
      expiresAtMs: world.services.clock.now() + DAY_MS,
    });
  });
  const { kv } = world.bidding.testStore;
  const before = kv.readCount;
  const listed = await grantsOfAda(world);
  // The list, 12 grants in two reads, 12 uses in two.
  assertEquals(kv.readCount - before, 5);
  assertEquals(listed.length, 12);
  assertEquals(listed[0]?.mandateUse, {
    usedCents: 4_000,
    leftCents: 5_000,
    total: null,
  });
  assertEquals(listed[1]?.mandateUse?.leftCents, 9_000);
});

Deno.test("listGrants() tells which grants are live", async () => {
  await using world = await openOauthWorld();
  const states = async () =>
    (await grantsOfAda(world)).map(({ state }) => state);
  await approve(world);
  assertEquals(await states(), ["unused"]);
  world.bidding.clock.advance(MINUTE_MS);
  await connect(world);
  assertEquals(await states(), ["live", "ended"]);
  world.bidding.clock.advance(30 * DAY_MS);
  assertEquals(await states(), ["ended", "ended"]);
});

function grantsOfAda({ services }: OauthWorld) {
  return listGrants(services, { accountId: "acc_ada" });
}
