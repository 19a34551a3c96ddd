import { assertEquals } from "@std/assert";
import { revokeEveryGrant } from "../../../domain/oauth/revoke_every_grant.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("revokeEveryGrant() ends every token of the account and no other", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const [first, second] = [await world.agent("ada"), await world.agent("ada")];
  const other = await world.agent("eve");
  const accountId = first.account.id;
  await revokeEveryGrant(services, { accountId });
  for (const { accessToken } of [first, second]) {
    await assertRefused(
      () => checkBearer(services, accessToken),
      "token_invalid",
    );
  }
  await checkBearer(services, other.accessToken);
  const grant = await services.store.grants.find(first.grant.id);
  assertEquals(grant?.revokedReason, "account");
});

Deno.test("revokeEveryGrant() leaves what was revoked before as it was", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const agent = await world.agent("ada");
  const owned = { grantId: agent.grant.id, accountId: agent.account.id };
  const revoked = await revokeGrant(services, owned);
  world.clock.advance(1_000);
  await revokeEveryGrant(services, owned);
  await revokeEveryGrant(services, owned);
  assertEquals(await services.store.grants.find(agent.grant.id), revoked);
});

Deno.test("revokeEveryGrant() does nothing for an account without agents", async () => {
  await using world = await openBiddingWorld();
  await revokeEveryGrant(world.services, { accountId: "acc_nobody" });
});
