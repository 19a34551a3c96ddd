import { assert, assertEquals } from "@std/assert";
import type { AuthorizationRequest } from "../../../../domain/oauth/authorization_request.ts";
import { approveAuthorization } from "../../../../domain/oauth/authorize/approve_authorization.ts";
import { denyAuthorization } from "../../../../domain/oauth/authorize/deny_authorization.ts";
import { openAuthorization } from "../../../../domain/oauth/authorize/open_authorization.ts";
import type { Mandate, Scope } from "../../../../domain/oauth/grant.ts";
import { listGrants } from "../../../../domain/oauth/list_grants.ts";
import { readyAccount } from "../../../support/bidding_world.ts";
import {
  approve,
  register,
  SESSION,
  start,
  yes,
} from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type OauthWorld,
  openOauthWorld,
  saveAccount,
} from "../../../support/oauth_world.ts";
import { assertRefused, refusalOf } from "../../../support/refused.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WRITE = { scope: "account:read bids:write" };

Deno.test("openAuthorization() tells what the page shows", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world, {
    redirect_uris: ["http://127.0.0.1/cb"],
  });
  const requestId = await start(world, clientId, {
    redirect_uri: "http://127.0.0.1:51004/cb",
    resource: `${ISSUER}/mcp`,
  });
  const opened = await open(world, requestId);
  assertEquals(opened, {
    requestId,
    client: { id: clientId, name: "Test Client", host: null },
    redirectHost: "127.0.0.1",
    redirectsToLoopback: true,
    redirectOrigin: "http://127.0.0.1:51004",
    scopes: ["account:read", "bids:read"],
    resources: ["mcp"],
    expiresAtMs: world.services.clock.now() + 10 * MINUTE_MS,
  });
});

Deno.test("a request is over after 10 minutes", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  world.bidding.clock.advance(10 * MINUTE_MS - 1);
  await open(world, requestId);
  world.bidding.clock.advance(1);
  await assertRefused(
    () => open(world, requestId),
    "authorization_not_found",
  );
});

Deno.test("K3 of 20 answers to one request one gets a code", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  const outcomes = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        refusalOf(() =>
          approveAuthorization(world.services, yes(world, requestId))
        ),
    ),
  );
  assertEquals(outcomes.filter((refusal) => refusal === null).length, 1);
  for (const refusal of outcomes) {
    if (refusal) assertEquals(refusal.code, "authorization_not_found");
  }
  assertEquals((await grantsOfAda(world)).length, 1);
});

Deno.test("a client that registered itself stays for good once somebody connected it", async () => {
  await using world = await openOauthWorld();
  const { store } = world.services;
  const clientId = await register(world);
  const before = await store.clients.find(clientId);
  assertEquals(typeof before?.expiresAtMs, "number");
  await approve(world, { clientId });
  assertEquals((await store.clients.find(clientId))?.expiresAtMs, null);
});

Deno.test("K4 a request belongs to the session that opened it first", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  await open(world, requestId);
  await open(world, requestId);
  const other = { requestId, sessionHash: "session-of-eve" };
  const attempts = [
    () => openAuthorization(world.services, other),
    () => denyAuthorization(world.services, other),
    () => approveAuthorization(world.services, yes(world, requestId, other)),
  ];
  for (const attempt of attempts) {
    await assertRefused(attempt, "authorization_of_another_browser");
  }
  await approveAuthorization(world.services, yes(world, requestId));
});

Deno.test("K4 of two sessions that open a request at once one gets it", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  const outcomes = await Promise.all(
    ["a", "b", "c"].map((sessionHash) =>
      refusalOf(() =>
        openAuthorization(world.services, { requestId, sessionHash })
      )
    ),
  );
  assertEquals(outcomes.filter((refusal) => refusal === null).length, 1);
});

Deno.test("K6 a scope that was not asked for is ignored", async () => {
  await using world = await openOauthWorld();
  const scopes: Scope[] = ["account:read", "privacy:write", "bids:write"];
  const { grantId } = await approve(world, { answer: { scopes } });
  const grant = await world.services.store.grants.find(grantId);
  assertEquals(grant?.scopes, ["account:read"]);
  assertEquals(grant?.mandate, null);
  const requestId = await start(world, await register(world));
  for (const none of [[], ["privacy:write"]] as Scope[][]) {
    await assertRefused(
      () =>
        approveAuthorization(
          world.services,
          yes(world, requestId, { scopes: none }),
        ),
      "invalid_input",
    );
  }
});

Deno.test("K7 terms of a mandate that are out of bounds are refused, and nothing is used up", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world), WRITE);
  const nowMs = world.services.clock.now();
  const good = yes(world, requestId).mandate;
  const bad: (Partial<Mandate> | null)[] = [
    null,
    { validUntilMs: nowMs + 90 * DAY_MS + 1 },
    { validUntilMs: nowMs },
    { validUntilMs: NaN },
    { maxBidCents: 99 },
    { maxBidCents: 100.5 },
    { maxBidCents: -1 },
    { dailyCapCents: 100_000_001 },
    { dailyCapCents: NaN },
  ];
  for (const terms of bad) {
    const mandate = terms === null || good === null
      ? null
      : { ...good, ...terms };
    await assertRefused(
      () =>
        approveAuthorization(
          world.services,
          yes(world, requestId, { mandate }),
        ),
      "invalid_input",
    );
  }
  assertEquals(await grantsOfAda(world), []);
  await approveAuthorization(world.services, yes(world, requestId));
});

Deno.test("K8 what spends or removes needs a sign-in of the last 10 minutes", async () => {
  await using world = await openOauthWorld();
  const asked: Scope[] = [
    "account:write",
    "bids:write",
    "billing:write",
    "security:write",
    "privacy:write",
  ];
  const authTimeMs = world.services.clock.now();
  const clientId = await register(world);
  for (const scope of asked) {
    world.bidding.clock.set(authTimeMs + 10 * MINUTE_MS);
    const requestId = await start(world, clientId, {
      scope: `account:read ${scope}`,
    });
    const answer = (changes: { scopes: Scope[] }) =>
      approveAuthorization(
        world.services,
        yes(world, requestId, { authTimeMs, ...changes }),
      );
    world.bidding.clock.advance(1);
    await assertRefused(() => answer({ scopes: [scope] }), "sign_in_stale");
    world.bidding.clock.set(authTimeMs + 10 * MINUTE_MS);
    await answer({ scopes: [scope] });
  }
  world.bidding.clock.advance(DAY_MS);
  await approve(world, { answer: { authTimeMs } });
});

Deno.test("denyAuthorization() sends access_denied back, once", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  const answer = { requestId, sessionHash: SESSION };
  const { redirectTo } = await denyAuthorization(world.services, answer);
  const { searchParams } = new URL(redirectTo);
  assertEquals(searchParams.get("error"), "access_denied");
  assertEquals(searchParams.get("state"), "state-1");
  assertEquals(searchParams.get("iss"), ISSUER);
  await assertRefused(
    () => denyAuthorization(world.services, answer),
    "authorization_not_found",
  );
  assertEquals(await grantsOfAda(world), []);
});

Deno.test("a faulty request that an earlier version kept is not found", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  const { store } = world.services;
  const request = await store.authorizationRequests.find(requestId);
  assert(request);
  const error = "invalid_scope";
  const outcome = { kind: "error", error, description: "A scope is not known" };
  await store.transact((tx) =>
    tx.authorizationRequests.save(
      { ...request, outcome } as unknown as AuthorizationRequest,
    )
  );
  const answer = yes(world, requestId);
  for (
    const opened of [
      () => open(world, requestId),
      () => approveAuthorization(world.services, answer),
      () => denyAuthorization(world.services, answer),
    ]
  ) await assertRefused(opened, "authorization_not_found");
});

Deno.test("a request that an earlier version kept with all of its client is approved", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world));
  const { store } = world.services;
  const request = await store.authorizationRequests.find(requestId);
  assert(request);
  const client = {
    ...request.client,
    redirectUris: ["https://client.example/cb"],
  };
  await store.transact((tx) =>
    tx.authorizationRequests.save({ ...request, client })
  );
  assertEquals((await open(world, requestId)).client.id, client.id);
  await approveAuthorization(world.services, yes(world, requestId));
  assertEquals((await grantsOfAda(world)).length, 1);
});

Deno.test("an account without a company may be connected to", async () => {
  await using world = await openOauthWorld();
  await saveAccount(world.services, {
    ...readyAccount("new"),
    company: null,
    vatStatus: "unverified",
    defaultPaymentMethodId: null,
  });
  const { grantId } = await approve(world, {
    answer: { accountId: "acc_new" },
  });
  const grant = await world.services.store.grants.find(grantId);
  assertEquals(grant?.accountId, "acc_new");
  const requestId = await start(world, await register(world));
  await assertRefused(
    () =>
      approveAuthorization(
        world.services,
        yes(world, requestId, { accountId: "acc_nobody" }),
      ),
    "account_not_found",
  );
});

Deno.test("K8 one scope that spends or removes needs a fresh sign-in, whatever else is ticked with it", async () => {
  await using world = await openOauthWorld();
  const requestId = await start(world, await register(world), WRITE);
  const authTimeMs = world.services.clock.now() - 10 * MINUTE_MS - 1;
  const scopes: Scope[] = ["account:read", "bids:write"];
  await assertRefused(
    () =>
      approveAuthorization(
        world.services,
        yes(world, requestId, { authTimeMs, scopes }),
      ),
    "sign_in_stale",
  );
  assertEquals(await grantsOfAda(world), []);
});

Deno.test("one affiliate scope among others is for verified partners as well", async () => {
  await using world = await openOauthWorld();
  const scopes: Scope[] = ["account:read", "affiliate:read"];
  const requestId = await start(world, await register(world), {
    scope: scopes.join(" "),
  });
  await assertRefused(
    () =>
      approveAuthorization(
        world.services,
        yes(world, requestId, { scopes, mandate: null }),
      ),
    "partner_required",
  );
  assertEquals(await grantsOfAda(world), []);
});

Deno.test("affiliate scopes are for verified partners, who need no company, card or mandate", async () => {
  await using world = await openOauthWorld();
  await saveAccount(world.services, {
    ...readyAccount("partner"),
    company: null,
    vatStatus: "unverified",
    defaultPaymentMethodId: null,
    partner: true,
  });
  const clientId = await register(world);
  const scopes: Scope[] = ["affiliate:read", "affiliate:write"];
  const asked = { scope: scopes.join(" ") };
  const requestId = await start(world, clientId, asked);
  const answer = { scopes, mandate: null };
  await assertRefused(
    () => approveAuthorization(world.services, yes(world, requestId, answer)),
    "partner_required",
  );
  const { grantId } = await approve(world, {
    clientId,
    asked,
    answer: { ...answer, accountId: "acc_partner" },
  });
  const grant = await world.services.store.grants.find(grantId);
  assertEquals(grant?.scopes, scopes);
});

function open(world: OauthWorld, requestId: string) {
  const input = { requestId, sessionHash: SESSION };
  return openAuthorization(world.services, input);
}

function grantsOfAda({ services }: OauthWorld) {
  return listGrants(services, { accountId: "acc_ada" });
}
