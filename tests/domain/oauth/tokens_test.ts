import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { ACCESS_TOKEN_MS } from "../../../domain/limits.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import {
  checkBearer,
  issueAccessToken,
  tokenHash,
} from "../../../domain/oauth/tokens.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("checkBearer() answers the grant of a live token", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const bearer = await checkBearer(world.services, agent.accessToken);
  assertEquals(bearer.grant, agent.grant);
});

Deno.test("checkBearer() reads token and grant in one round trip", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const before = world.testStore.kv.readCount;
  await checkBearer(world.services, agent.accessToken);
  assertEquals(world.testStore.kv.readCount - before, 1);
});

Deno.test("checkBearer() refuses a token from the moment it expires", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  world.clock.advance(ACCESS_TOKEN_MS - 1);
  await checkBearer(world.services, agent.accessToken);
  world.clock.advance(1);
  await assertRefused(
    () => checkBearer(world.services, agent.accessToken),
    "token_invalid",
  );
});

Deno.test("checkBearer() refuses every token of a revoked grant", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const second = await issueAccessToken(world.services, agent.grant.id);
  await revokeGrant(world.services, {
    grantId: agent.grant.id,
    accountId: agent.account.id,
  });
  for (const text of [agent.accessToken, second.text]) {
    await assertRefused(
      () => checkBearer(world.services, text),
      "token_invalid",
    );
  }
});

Deno.test("checkBearer() refuses a revoked token and no other of its grant", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const second = await issueAccessToken(world.services, agent.grant.id);
  await world.services.store.transact((tx) => {
    tx.accessTokens.save({ ...second.row, revokedAtMs: 1 });
  });
  await assertRefused(
    () => checkBearer(world.services, second.text),
    "token_invalid",
  );
  await checkBearer(world.services, agent.accessToken);
});

Deno.test("checkBearer() refuses a token that names another's grant", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  const secret = ada.accessToken.slice(-43);
  const mixed = `svc_at_${bob.grant.id}_${secret}`;
  await assertRefused(
    () => checkBearer(world.services, mixed),
    "token_invalid",
  );
});

Deno.test("checkBearer() refuses a row that belongs to another grant", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  const forged = `svc_at_${bob.grant.id}_${"x".repeat(43)}`;
  await world.services.store.transact((tx) => {
    tx.accessTokens.save({
      hash: tokenHash(forged),
      grantId: ada.grant.id,
      scopes: ada.grant.scopes,
      resources: ada.grant.resources,
      createdAtMs: 0,
      expiresAtMs: world.clock.now() + 1_000,
      revokedAtMs: null,
    });
  });
  await assertRefused(
    () => checkBearer(world.services, forged),
    "token_invalid",
  );
});

Deno.test("checkBearer() refuses what is no access token without a read", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const before = world.testStore.kv.readCount;
  const texts = [
    "",
    "abc",
    agent.refreshToken,
    ` ${agent.accessToken}`,
    `svc_at_${"g".repeat(65)}_${"x".repeat(43)}`,
    `svc_at__${"x".repeat(43)}`,
    `svc_at_grant_${"x".repeat(42)}é`,
  ];
  for (const text of texts) {
    await assertRefused(
      () => checkBearer(world.services, text),
      "token_invalid",
    );
  }
  assertEquals(world.testStore.kv.readCount, before);
});

Deno.test("issueAccessToken() keeps the hash and never the token", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const { text, row } = await issueAccessToken(world.services, agent.grant.id);
  assertEquals(row.hash, createHash("sha256").update(text).digest("hex"));
  assertEquals(row.expiresAtMs, world.clock.now() + ACCESS_TOKEN_MS);
  const written = JSON.stringify(
    world.testStore.kv.commits,
    (_, value) => typeof value === "bigint" ? String(value) : value,
  );
  for (const secret of [text, agent.accessToken, agent.refreshToken]) {
    assert(!written.includes(secret.slice(-43)), "a secret was written");
  }
});

Deno.test("issueAccessToken() gives a grant tokens of their own", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const issued = await issueAccessToken(world.services, agent.grant.id);
  assertNotEquals(issued.text, agent.accessToken);
  await checkBearer(world.services, agent.accessToken);
  await checkBearer(world.services, issued.text);
});

Deno.test("issueAccessToken() refuses an unknown and a revoked grant", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const grantId = agent.grant.id;
  await revokeGrant(world.services, { grantId, accountId: agent.account.id });
  for (const id of [grantId, "grant_unknown"]) {
    await assertRefused(
      () => issueAccessToken(world.services, id),
      "token_invalid",
    );
  }
});
