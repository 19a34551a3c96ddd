import { assert, assertEquals } from "@std/assert";
import { approveAuthorization } from "../../../../domain/oauth/authorize/approve_authorization.ts";
import {
  CONNECTIONS_MAX,
  GRANTS_KEPT_MAX,
} from "../../../../domain/oauth/connection_quota.ts";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { revokeEveryGrant } from "../../../../domain/oauth/revoke_every_grant.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { register, start, yes } from "../../../support/oauth_flow.ts";
import {
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";
import { assertRefused, refusalOf } from "../../../support/refused.ts";

Deno.test("an account has 100 agents connected at most, and a new one once another is revoked", async () => {
  await using world = await openOauthWorld();
  const [first] = await connect(world, CONNECTIONS_MAX);
  assert(first !== undefined);
  const clientId = await register(world);
  const asked = yes(world, await start(world, clientId));
  await assertRefused(
    () => approveAuthorization(world.services, asked),
    "connections_full",
  );
  const { session: { accountId } } = asked;
  await revokeGrant(world.services, { grantId: first, accountId });
  await approveAuthorization(world.services, asked);
  const another = yes(world, await start(world, await register(world)));
  await assertRefused(
    () => approveAuthorization(world.services, another),
    "connections_full",
  );
  // A client that is connected takes no other place.
  const again = yes(world, await start(world, clientId));
  await approveAuthorization(world.services, again);
  assertEquals((await grantsOf(world)).length, CONNECTIONS_MAX + 1);
});

Deno.test("agents of development take no place of one that a person connects", async () => {
  await using world = await openOauthWorld();
  for (let nth = 0; nth <= CONNECTIONS_MAX; nth++) {
    await createGrant(world.services, {
      accountId: "acc_ada",
      clientId: `client_demo${nth}`,
      scopes: ["account:read"],
      mandate: null,
    });
  }
  const asked = yes(world, await start(world, await register(world)));
  await approveAuthorization(world.services, asked);
});

Deno.test("of several agents that are allowed at once one takes the last place", async () => {
  await using world = await openOauthWorld();
  await connect(world, CONNECTIONS_MAX - 1);
  const asked = [];
  for (let nth = 0; nth < 5; nth++) {
    const clientId = await register(world);
    asked.push(yes(world, await start(world, clientId)));
  }
  const refusals = await Promise.all(
    asked.map((one) =>
      refusalOf(() => approveAuthorization(world.services, one))
    ),
  );
  const codes = refusals.map((refusal) => refusal?.code ?? "connected");
  assertEquals(codes.filter((code) => code === "connected").length, 1);
  assertEquals(codes.filter((code) => code === "connections_full").length, 4);
  assertEquals((await grantsOf(world)).length, CONNECTIONS_MAX);
});

Deno.test("of an account's grants the oldest that are over go beyond 300, and none that lives", async () => {
  await using world = await openOauthWorld();
  const [kept] = await connect(world, 1);
  world.bidding.clock.advance(1_000);
  const over = await connect(world, GRANTS_KEPT_MAX + 1);
  const { session: { accountId } } = yes(world, "");
  for (const grantId of over) {
    await revokeGrant(world.services, { grantId, accountId });
  }
  const asked = yes(world, await start(world, await register(world)));
  await approveAuthorization(world.services, asked);
  const grants = await grantsOf(world);
  assertEquals(grants.length, GRANTS_KEPT_MAX);
  assert(grants.some(({ id }) => id === kept));
  await revokeEveryGrant(world.services, { accountId });
  const alive = (await grantsOf(world)).filter((one) => !one.revokedAtMs);
  assertEquals(alive, []);
});

/** Connects so many agents of ada's, and answers their ids. */
async function connect(
  { services }: OauthWorld,
  count: number,
): Promise<string[]> {
  const made: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const { grant } = await createGrant(services, {
      accountId: "acc_ada",
      clientId: `dcr_any${nth}_${services.clock.now()}`,
      scopes: ["account:read"],
      mandate: null,
    });
    // As if it had been approved in a browser.
    const client = { ...grant.client, redirectHost: "agent.example" };
    await services.store.transact((tx) => tx.grants.save({ ...grant, client }));
    made.push(grant.id);
  }
  return made;
}

function grantsOf({ services: { store } }: OauthWorld) {
  return store.listGrants("acc_ada", { limit: 1_000 });
}
