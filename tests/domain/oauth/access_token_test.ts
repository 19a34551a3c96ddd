import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { ACCESS_TOKEN_MS } from "../../../domain/limits.ts";
import {
  lineOfToken,
  newAccessToken,
  readAccessToken,
} from "../../../domain/oauth/access_token.ts";
import {
  ENDED_TOKENS_MAX,
  hasEnded,
  withEnded,
} from "../../../domain/oauth/ended_tokens.ts";
import { type Grant, SCOPES } from "../../../domain/oauth/grant.ts";
import { hasTokens } from "../../../domain/oauth/lines.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import { issueAccessToken } from "../../../tools/demo/issue_access_token.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import { RESOURCES } from "../../../domain/oauth/resource.ts";
import { openBiddingWorld } from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

/** A grant with its only line. */
function issuingOf(grant: Grant) {
  const [line] = grant.lines;
  assert(line && hasTokens(line, 0));
  return { grant, line };
}

Deno.test("an access token says what it was made for, and no other grant proves it", async () => {
  await using world = await openBiddingWorld();
  const { keys } = world.services;
  const { grant } = await world.agent("ada");
  const other = (await world.agent("bob")).grant;
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
  const nowMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
  const some = fc.record({
    scopes: fc.subarray([...SCOPES]),
    resources: fc.subarray([...RESOURCES]),
  });
  fc.assert(fc.property(some, secret, nowMs, (extent, chance, ms) => {
    const made = newAccessToken(keys, issuingOf(grant), extent, chance, ms);
    const read = readAccessToken(made?.text ?? "");
    if (made === null || read === null) return false;
    const { grantId, name, mac, ...told } = read;
    assertEquals(told, { expiresAtMs: ms + ACCESS_TOKEN_MS, ...extent });
    assertEquals(grantId, grant.id);
    return lineOfToken(keys, grant, { grantId, name, mac }) !== null &&
      lineOfToken(keys, other, { grantId: other.id, name, mac }) === null;
  }));
});

Deno.test("a line whose code was not exchanged proves no access token", async () => {
  await using world = await openBiddingWorld();
  const { keys } = world.services;
  const { grant, accessToken } = await world.agent("ada");
  const token = readAccessToken(accessToken);
  assert(token);
  const lines = grant.lines.map((line) => ({ ...line, refresh: null }));
  assertEquals(lineOfToken(keys, { ...grant, lines }, token), null);
  assertEquals(lineOfToken(keys, grant, token), grant.lines[0]);
});

Deno.test("a token's place in the list of scopes is what it was", () => {
  assertEquals(SCOPES.slice(0, 5), [
    "account:read",
    "account:write",
    "reports:read",
    "bids:read",
    "bids:write",
  ]);
  assertEquals(SCOPES.indexOf("affiliate:write"), 16);
});

Deno.test("an access token that was issued by an earlier version reads as it did", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  const extent = {
    scopes: ["account:read", "bids:write"],
    resources: ["agent", "site"],
  } as const;
  const atMs = Date.parse("2026-11-22T12:00:00.000Z");
  const { keys } = world.services;
  const issuing = issuingOf(grant);
  const made = newAccessToken(keys, issuing, extent, "c".repeat(43), atMs);
  const name = "0mwrsbk000003xcccccc";
  const read = readAccessToken(made?.text ?? "");
  assertEquals(read?.name, name);
  const text = `svc_at_${grant.id}_${name}${"m".repeat(23)}`;
  assertEquals(readAccessToken(text), {
    grantId: grant.id,
    name,
    mac: "m".repeat(23),
    expiresAtMs: atMs + ACCESS_TOKEN_MS,
    ...extent,
  });
});

Deno.test("lineOfToken() proves no token that names another grant", async () => {
  await using world = await openBiddingWorld();
  const { grant, accessToken } = await world.agent("ada");
  const token = readAccessToken(accessToken);
  if (token === null) throw new TypeError("Not an access token");
  const { keys } = world.services;
  assertEquals(lineOfToken(keys, grant, token), grant.lines[0]);
  const other = { ...token, grantId: "grant_other" };
  assertEquals(lineOfToken(keys, grant, other), null);
});

Deno.test("withEnded() forgets names whose hour is over", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  const first = withEnded(grant, { name: "a", expiresAtMs: 10 }, 0);
  const b = { name: "b", expiresAtMs: 20 };
  const second = withEnded(first, b, 10);
  assertEquals(second.endedTokens, [b]);
  assertEquals(hasEnded(second, b), true);
});

Deno.test("who ends more tokens than any client has ends all before them, and can refresh", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { grant, accessToken, refreshToken } = await world.agent("ada");
  const ended: string[] = [];
  for (let nth = 0; nth <= ENDED_TOKENS_MAX; nth++) {
    await checkBearer(services, accessToken);
    const { text } = await issueAccessToken(services, grant.id);
    await revokeToken(services, { token: text, clientId: null });
    ended.push(text);
    await assertRefused(() => checkBearer(services, text), "token_invalid");
  }
  for (const text of [accessToken, ...ended]) {
    await assertRefused(() => checkBearer(services, text), "token_invalid");
  }
  world.clock.advance(1);
  const { clientId } = grant;
  const all = { scopes: null, resources: null };
  const next = await refreshTokens(services, {
    refreshToken,
    clientId,
    ...all,
  });
  await checkBearer(services, next.accessToken);
});

Deno.test("tokens of a clock that is ahead do not come back when all are ended", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  const ahead = { name: "ahead", expiresAtMs: ACCESS_TOKEN_MS + 500 };
  let now = withEnded(grant, ahead, 0);
  for (let nth = 0; nth < ENDED_TOKENS_MAX; nth++) {
    now = withEnded(now, { name: `${nth}`, expiresAtMs: ACCESS_TOKEN_MS }, 0);
  }
  assertEquals(now.endedTokens, []);
  assertEquals(hasEnded(now, ahead), true);
});

Deno.test("ending the 51st token of an hour ends all that were issued until then, and none after", async () => {
  await using world = await openBiddingWorld();
  const { grant } = await world.agent("ada");
  const issuedAt = (atMs: number) => ({
    name: `at ${atMs}`,
    expiresAtMs: atMs + ACCESS_TOKEN_MS,
  });
  let now = grant;
  for (let nth = 0; nth < 50; nth++) {
    now = withEnded(now, { ...issuedAt(0), name: `${nth}` }, 1_000);
  }
  assertEquals(hasEnded(now, issuedAt(500)), false);
  now = withEnded(now, { ...issuedAt(0), name: "51st" }, 1_000);
  assertEquals(hasEnded(now, issuedAt(500)), true);
  assertEquals(hasEnded(now, issuedAt(1_000)), true);
  assertEquals(hasEnded(now, issuedAt(1_001)), false);
});
