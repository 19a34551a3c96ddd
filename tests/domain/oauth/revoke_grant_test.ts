import { assertEquals } from "@std/assert";
import { listMyBids } from "../../../domain/bids/list_my_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import {
  BID_DAY,
  bidBy,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("revokeGrant() keeps the first moment when it is repeated", async () => {
  await using world = await openBiddingWorld();
  const { grant, account } = await world.agent("ada");
  const input = { grantId: grant.id, accountId: account.id };
  const first = await revokeGrant(world.services, input);
  world.clock.advance(1_000);
  assertEquals(await revokeGrant(world.services, input), first);
});

Deno.test("revokeGrant() treats another's grant as unknown", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  for (const grantId of [ada.grant.id, "grant_unknown"]) {
    const input = { grantId, accountId: bob.account.id };
    await assertRefused(
      () => revokeGrant(world.services, input),
      "not_found",
    );
  }
});

Deno.test("revokeGrant() leaves accepted bids standing", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  await revokeGrant(world.services, {
    grantId: ada.grant.id,
    accountId: ada.account.id,
  });
  const [own] = await listMyBids(world.services, {
    accountId: ada.account.id,
    day: BID_DAY,
  });
  assertEquals(own?.status, "active");
});
