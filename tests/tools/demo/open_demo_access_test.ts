import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { fillStore } from "../../../tools/demo/fill_store.ts";
import { issueDemoToken } from "../../../tools/demo/issue_demo_token.ts";
import { openDemoAccess } from "../../../tools/demo/open_demo_access.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { Refused } from "../../../domain/refusal.ts";
import { type DemoWorld, openDemoWorld, TODAY, USUAL } from "./demo_world.ts";

const FEW = { ...USUAL, days: 3 };
const EMAIL = "mara@nordlicht-raeder.example.com";

async function openFilled(): Promise<DemoWorld> {
  const world = await openDemoWorld();
  await fillStore(world.services, FEW);
  return world;
}

Deno.test("openDemoAccess() lets four agents bid today", async () => {
  await using world = await openFilled();
  const accesses = await openDemoAccess(world.services);
  assertEquals(accesses.length, 4);
  for (const { accessToken, adId, paymentMethodId, mandate } of accesses) {
    const { grant } = await checkBearer(world.services, accessToken);
    assertEquals(grant.mandate, mandate);
    const { answer, replayed } = await placeBid(world.services, {
      by: { grant },
      day: TODAY,
      adId,
      amountCents: mandate.maxBidCents,
      paymentMethodId,
      binding: null,
    });
    assertEquals([answer.status, replayed], [200, false]);
  }
});

Deno.test("openDemoAccess() keeps the grant from one call to the next", async () => {
  await using world = await openFilled();
  const [first] = await openDemoAccess(world.services);
  const [second] = await openDemoAccess(world.services);
  assert(first && second);
  assertNotEquals(first.accessToken, second.accessToken);
  const before = await checkBearer(world.services, first.accessToken);
  const after = await checkBearer(world.services, second.accessToken);
  assertEquals(after.grant.id, before.grant.id);
});

Deno.test("openDemoAccess() replaces a grant whose mandate ends soon", async () => {
  await using world = await openFilled();
  const [first] = await openDemoAccess(world.services);
  assert(first);
  world.clock.advance(25 * DAY_MS);
  const [second] = await openDemoAccess(world.services);
  assert(second && second.mandate.validUntilMs > first.mandate.validUntilMs);
  const found = await world.services.store.accountEmails.find(EMAIL);
  const grants = await world.services.store.listGrants(
    found?.accountId ?? "",
    { limit: 10 },
  );
  const live = grants.filter(({ revokedAtMs }) => revokedAtMs === null);
  assertEquals([grants.length, live.length], [2, 1]);
});

Deno.test("openDemoAccess() makes a grant anew where it was revoked", async () => {
  await using world = await openFilled();
  const [first] = await openDemoAccess(world.services);
  assert(first);
  const { grant } = await checkBearer(world.services, first.accessToken);
  await revokeGrant(world.services, {
    grantId: grant.id,
    accountId: grant.accountId,
  });
  const [second] = await openDemoAccess(world.services);
  const bearer = await checkBearer(world.services, second?.accessToken ?? "");
  assertNotEquals(bearer.grant.id, grant.id);
});

Deno.test("openDemoAccess() leaves out who has no card", async () => {
  await using world = await openFilled();
  const { store } = world.services;
  const found = await store.accountEmails.find(EMAIL);
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(found?.accountId ?? "");
    assert(account);
    tx.accounts.save({ ...account, defaultPaymentMethodId: null });
  });
  const accesses = await openDemoAccess(world.services);
  assertEquals(accesses.length, 3);
  assert(accesses.every(({ email }) => email !== EMAIL));
});

Deno.test("openDemoAccess() finds nobody in a store without demo data", async () => {
  await using world = await openDemoWorld();
  assertEquals(await openDemoAccess(world.services), []);
});

Deno.test("issueDemoToken() leaves earlier tokens as they are", async () => {
  await using world = await openFilled();
  const { services } = world;
  const wanted = {
    email: EMAIL,
    scopes: ["bids:read"],
    mandate: null,
    clientId: null,
  };
  const first = await issueDemoToken(services, wanted);
  const second = await issueDemoToken(services, wanted);
  assertNotEquals(first.grant.id, second.grant.id);
  await openDemoAccess(services);
  for (const { accessToken, grant, lineId } of [first, second]) {
    const bearer = await checkBearer(services, accessToken);
    assertEquals(bearer.grant, { ...grant, lineId });
    assertEquals(grant.scopes, ["bids:read"]);
  }
});

Deno.test("issueDemoToken() gives a client that is named one connection", async () => {
  await using world = await openFilled();
  const { services } = world;
  const wanted = {
    email: EMAIL,
    scopes: ["bids:read"],
    mandate: null,
    clientId: "client_mine",
  };
  const first = await issueDemoToken(services, wanted);
  const second = await issueDemoToken(services, wanted);
  assertEquals(first.grant.id, second.grant.id);
  assertEquals(second.grant.clientId, "client_mine");
  for (const { accessToken } of [first, second]) {
    await checkBearer(services, accessToken);
  }
});

Deno.test("issueDemoToken() gives the mandate that is asked for", async () => {
  await using world = await openFilled();
  const { grant } = await issueDemoToken(world.services, {
    email: EMAIL,
    scopes: ["bids:write"],
    mandate: { maxBidCents: 2_000, dailyCapCents: 5_000, validForMs: 90_000 },
    clientId: null,
  });
  assertEquals(grant.mandate, {
    maxBidCents: 2_000,
    dailyCapCents: 5_000,
    validUntilMs: world.clock.now() + 90_000,
  });
});

Deno.test("issueDemoToken() refuses an unknown account and an unknown scope", async () => {
  await using world = await openFilled();
  const codes = [
    { email: "nobody@example.com", scopes: ["bids:read"], mandate: null },
    { email: EMAIL, scopes: ["bids:everything"], mandate: null },
    { email: EMAIL, scopes: ["bids:write"], mandate: null },
  ].map(async (wanted) => {
    const error = await assertRejects(
      () => issueDemoToken(world.services, { ...wanted, clientId: null }),
      Refused,
    );
    return error.refusal.code;
  });
  assertEquals(await Promise.all(codes), [
    "account_not_found",
    "invalid_input",
    "invalid_input",
  ]);
});
