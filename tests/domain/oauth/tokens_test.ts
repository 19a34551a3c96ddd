import { sha256Hex } from "../../../domain/sha256.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { ACCESS_TOKEN_MS } from "../../../domain/limits.ts";
import { withLine } from "../../../domain/oauth/lines.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import { issueAccessToken } from "../../../tools/demo/issue_access_token.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";

Deno.test("checkBearer() answers the grant of a live token", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const bearer = await checkBearer(world.services, agent.accessToken);
  const { grant, lineId } = agent;
  assertEquals(bearer.grant, { ...grant, lineId });
});

Deno.test("checkBearer() reads once", async () => {
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

Deno.test("checkBearer() refuses a token from its mandate's end on, of whatever scope", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  assert(grant.mandate);
  const left = grant.mandate.validUntilMs - world.clock.now();
  world.clock.advance(left - 1);
  const { text, lifetimeMs } = await issueAccessToken(
    world.services,
    grant.id,
    { scopes: ["account:read"] },
  );
  assertEquals(lifetimeMs, 1);
  await checkBearer(world.services, text);
  world.clock.advance(1);
  for (
    const refused of [
      () => checkBearer(world.services, text),
      () => issueAccessToken(world.services, grant.id),
    ]
  ) await assertRefused(refused, "token_invalid");
});

Deno.test("checkBearer() takes a token for its whole hour where there is no mandate", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  const without = { ...grant, mandate: null };
  await world.services.store.transact((tx) => tx.grants.save(without));
  world.clock.advance(29 * DAY_MS);
  const issued = await issueAccessToken(world.services, grant.id);
  assertEquals(issued.lifetimeMs, ACCESS_TOKEN_MS);
  world.clock.advance(ACCESS_TOKEN_MS - 1);
  await checkBearer(world.services, issued.text);
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
  const token = second.text;
  await revokeToken(world.services, { token, clientId: null });
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

Deno.test("checkBearer() refuses a token with any one character changed", async () => {
  await using world = await openBiddingWorld();
  const { accessToken } = await world.agent("ada");
  const begin = accessToken.length - 43;
  for (let at = begin; at < accessToken.length; at++) {
    const other = accessToken[at] === "a" ? "b" : "a";
    const text = accessToken.slice(0, at) + other + accessToken.slice(at + 1);
    await assertRefused(
      () => checkBearer(world.services, text),
      "token_invalid",
    );
  }
});

Deno.test("checkBearer() refuses a token of the grant's line before", async () => {
  await using world = await openBiddingWorld();
  const { accessToken, grant } = await world.agent("ada");
  const [line] = grant.lines;
  assert(line?.refresh);
  const refresh = { ...line.refresh, lineHash: sha256Hex("another line") };
  const other = withLine(grant, { ...line, refresh });
  await world.services.store.transact((tx) => tx.grants.save(other));
  await assertRefused(
    () => checkBearer(world.services, accessToken),
    "token_invalid",
  );
});

Deno.test("checkBearer() takes tokens of a secret for as long as it is known", async () => {
  await using world = await openBiddingWorld();
  const { accessToken } = await world.agent("ada");
  const [older, newer] = ["o", "n"].map((one) => one.repeat(32)) as [
    string,
    string,
  ];
  const withKeys = (...secrets: [string, ...string[]]) => ({
    ...world.services,
    keys: secretKeys({ secrets }),
  });
  await assertRefused(
    () => checkBearer(withKeys(newer), accessToken),
    "token_invalid",
  );
  const { grant } = await world.agent("bob");
  const { text } = await issueAccessToken(withKeys(older), grant.id);
  await checkBearer(withKeys(newer, older), text);
  await assertRefused(
    () => checkBearer(withKeys(newer), text),
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

Deno.test("nothing that is stored is or opens a token", async () => {
  await using world = await openBiddingWorld();
  const agent = await world.agent("ada");
  const { text, lifetimeMs } = await issueAccessToken(
    world.services,
    agent.grant.id,
  );
  assertEquals(lifetimeMs, ACCESS_TOKEN_MS);
  await revokeToken(world.services, { token: text, clientId: null });
  const written = JSON.stringify(
    world.testStore.kv.commits,
    (_, value) => typeof value === "bigint" ? String(value) : value,
  );
  const secrets = [text, agent.accessToken].map((one) => one.slice(-23));
  for (const secret of [...secrets, agent.refreshToken.slice(-43)]) {
    assert(!written.includes(secret), "a secret was written");
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

Deno.test("checkBearer() refuses a token for another resource", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { grant } = await world.agent("ada");
  const narrowing = { resources: ["site"] } as const;
  const { text } = await issueAccessToken(services, grant.id, narrowing);
  await checkBearer(services, text, "site");
  for (const audience of ["agent", "mcp"] as const) {
    const check = () => checkBearer(services, text, audience);
    const refusal = await refusalOf(check);
    assertEquals(refusal, { code: "token_invalid", resources: ["site"] });
  }
  // What it was for is told while it is good, and not after.
  await revokeGrant(services, {
    grantId: grant.id,
    accountId: grant.accountId,
  });
  const late = await refusalOf(() => checkBearer(services, text));
  assertEquals(late, { code: "token_invalid" });
});
