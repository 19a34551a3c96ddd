/** What a user approved in the consent, and what bids come of it. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { addDays } from "../../../../domain/day.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import {
  approve,
  assertOauthError,
  bearerStatus,
  codeForm,
  connect,
  refreshForm,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCOPE = "account:read bids:read bids:write";

Deno.test("M1 a bid above the largest single bid is refused with the figures", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const { tokens } = await connectBob(world);
  const answer = await bid(world, bob, tokens.access_token, 5_001);
  assertEquals(answer.status, 403);
  const body = await answer.json();
  assertEquals(body.code, "agent.mandate-exceeded");
  const { limit, used, requested } = body;
  assertEquals([limit, used, requested], [5_000, 0, 5_001]);
});

Deno.test("M2 parallel bids cannot exceed the daily cap", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const days = Array.from({ length: 10 }, (_, n) => addDays(BID_DAY, n));
  for (const day of days.slice(1)) await world.bidding.open(day);
  const { tokens } = await connectBob(world);
  const answers = await Promise.all(
    days.map((day) => bid(world, bob, tokens.access_token, 1_000, day)),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  assertEquals(accepted.length, 9);
});

Deno.test("M3 the daily cap is of the UTC day of placement", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const next = addDays(BID_DAY, 1);
  await world.bidding.open(next);
  const { tokens, clientId } = await connectBob(world, {
    dailyCapCents: 5_000,
  });
  const first = await bid(world, bob, tokens.access_token, 5_000);
  assertEquals(first.status, 200);
  world.bidding.clock.set(`${BID_DAY}T23:59:59.999Z`);
  const { access_token } = await refreshed(world, clientId, tokens);
  const late = await bid(world, bob, access_token, 5_000, next);
  assertEquals(late.status, 403);
  world.bidding.clock.set(`${next}T00:00:00.000Z`);
  const morning = await bid(world, bob, access_token, 5_000, next);
  assertEquals(morning.status, 200);
});

Deno.test("M4 a token bids and raises until its mandate's last millisecond, and is invalid_token at its end", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const { tokens } = await connectBob(world, {
    validUntilMs: world.services.clock.now() + 60_000,
  });
  assertEquals(tokens.expires_in, 60);
  const first = await bid(world, bob, tokens.access_token, 1_000);
  assertEquals(first.status, 200);
  world.bidding.clock.advance(59_999);
  const raise = await bid(world, bob, tokens.access_token, 1_001);
  assertEquals(raise.status, 200);
  world.bidding.clock.advance(1);
  const late = await bid(world, bob, tokens.access_token, 1_002);
  assertEquals(late.status, 401);
  assertEquals((await late.json()).error, "invalid_token");
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
});

Deno.test("a code is exchanged until its mandate's last millisecond, and is invalid_grant at its end", async () => {
  await using world = await openOauthWorld();
  const nowMs = world.services.clock.now();
  const asked = { scope: SCOPE };
  const mandate = {
    maxBidCents: 5_000,
    dailyCapCents: 9_000,
    validUntilMs: nowMs + 30_000,
  };
  const [early, late] = [
    await approve(world, { asked, answer: { mandate } }),
    await approve(world, { asked, answer: { mandate } }),
  ];
  world.bidding.clock.advance(29_999);
  assertEquals((await world.post(codeForm(early))).status, 200);
  world.bidding.clock.advance(1);
  await assertOauthError(await world.post(codeForm(late)), "invalid_grant");
});

Deno.test("a token that is refreshed shortly before the mandate's end is good for the time left", async () => {
  await using world = await openOauthWorld();
  await world.bidding.agent("bob");
  const { tokens, clientId } = await connectBob(world, {
    validUntilMs: world.services.clock.now() + 3 * HOUR_MS,
  });
  assertEquals(tokens.expires_in, 3_600);
  world.bidding.clock.advance(3 * HOUR_MS - 90_500);
  const last = await refreshed(world, clientId, tokens);
  assertEquals(last.expires_in, 90);
  world.bidding.clock.advance(90_499);
  assertEquals(await bearerStatus(world, last.access_token), 200);
  world.bidding.clock.advance(1);
  assertEquals(await bearerStatus(world, last.access_token), 401);
});

Deno.test("M5 a consent to one client does not widen another's grant", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const first = await connectBob(world, { maxBidCents: 500 });
  const second = await connectBob(world, { maxBidCents: 50_000 });
  const refused = await bid(world, bob, first.tokens.access_token, 1_000);
  assertEquals(refused.status, 403);
  const accepted = await bid(world, bob, second.tokens.access_token, 1_000);
  assertEquals(accepted.status, 200);
});

Deno.test("a raise counts what it adds against the mandate of the agent that raises, whoever had placed the bid", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const placer = await connectBob(world);
  const raiser = await connectBob(world);
  const over = async (token: string) => {
    const answer = await bid(world, bob, token, 5_001);
    return [answer.status, (await answer.json()).used];
  };
  const [one, two] = [placer, raiser].map(({ tokens }) => tokens.access_token);
  assertEquals((await bid(world, bob, one ?? "", 1_300)).status, 200);
  assertEquals((await bid(world, bob, two ?? "", 1_500)).status, 200);
  assertEquals(await over(one ?? ""), [403, 1_300]);
  assertEquals(await over(two ?? ""), [403, 200]);
});

Deno.test("M5 a second consent of a client changes its mandate, and what was used stays used", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const next = addDays(BID_DAY, 1);
  await world.bidding.open(next);
  const terms = { maxBidCents: 10_000, dailyCapCents: 6_000 };
  const first = await connectBob(world, terms);
  const { clientId } = first;
  const { access_token } = first.tokens;
  const standing = await bid(world, bob, access_token, 6_000);
  assertEquals(standing.status, 200);
  const second = await connectBob(world, terms, clientId);
  assertEquals(second.grantId, first.grantId);
  for (const { tokens } of [first, second]) {
    const over = await bid(world, bob, tokens.access_token, 100, next);
    assertEquals(over.status, 403);
    const { code, limit, used } = await over.json();
    assertEquals([code, limit, used], [
      "agent.mandate-exceeded",
      6_000,
      6_000,
    ]);
  }
  // What the user types is what holds, for each of its lines.
  await connectBob(world, { ...terms, dailyCapCents: 6_500 }, clientId);
  const within = await bid(world, bob, access_token, 500, next);
  assertEquals(within.status, 200);
  const over = await bid(world, bob, second.tokens.access_token, 501, next);
  assertEquals(over.status, 403);
});

Deno.test("M5 revoking a client and consenting again is no way around the daily cap", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const next = addDays(BID_DAY, 1);
  await world.bidding.open(next);
  const first = await connectBob(world, { dailyCapCents: 5_000 });
  const { clientId, grantId } = first;
  await bid(world, bob, first.tokens.access_token, 5_000);
  await revokeGrant(world.services, { grantId, accountId: "acc_bob" });
  const { tokens, ...second } = await connectBob(
    world,
    { dailyCapCents: 5_000 },
    clientId,
  );
  assertNotEquals(second.grantId, grantId);
  const over = await bid(world, bob, tokens.access_token, 100, next);
  assertEquals((await over.json()).used, 5_000);
  world.bidding.clock.set(`${next}T00:00:00.000Z`);
  const again = await refreshed(world, clientId, tokens);
  const tomorrow = await bid(world, bob, again.access_token, 5_000, next);
  assertEquals(tomorrow.status, 200);
});

Deno.test("M6 after a second consent the same key replays", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const first = await connectBob(world);
  const { access_token } = first.tokens;
  await bid(world, bob, access_token, 1_000, BID_DAY, "key");
  const { tokens } = await connectBob(world, {}, first.clientId);
  const again = await bid(
    world,
    bob,
    tokens.access_token,
    1_000,
    BID_DAY,
    "key",
  );
  assertEquals(again.status, 200);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
});

Deno.test("M6 a key belongs to one grant and one request", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const [first, second] = [await connectBob(world), await connectBob(world)];
  const { access_token } = first.tokens;
  const once = await bid(world, bob, access_token, 1_000, BID_DAY, "key");
  assertEquals(once.status, 200);
  const again = await bid(world, bob, access_token, 1_000, BID_DAY, "key");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  const other = await bid(world, bob, access_token, 2_000, BID_DAY, "key");
  assertEquals(other.status, 409);
  // The same key of another grant is a key of its own: a raise.
  const { access_token: own } = second.tokens;
  const raise = await bid(world, bob, own, 2_000, BID_DAY, "key");
  assertEquals(raise.status, 200);
  assertEquals(raise.headers.get("idempotent-replayed"), null);
});

Deno.test("M7 another owner's bid and creative are not found", async () => {
  await using world = await openOauthWorld({ opened: true });
  const bob = await world.bidding.agent("bob");
  const eve = await world.bidding.agent("eve");
  const { tokens } = await connectBob(world);
  await bid(world, bob, tokens.access_token, 1_000);
  const [own] = await world.services.store.listBids(BID_DAY, { limit: 1 });
  const path = `/v1/agent/bids/${own?.id}`;
  assertEquals(await bearerStatus(world, tokens.access_token, path), 200);
  assertEquals(await bearerStatus(world, eve.accessToken, path), 404);
  const stolen = await bid(world, bob, eve.accessToken, 1_000);
  assertEquals(stolen.status, 404);
});

function connectBob(
  world: OauthWorld,
  terms: {
    maxBidCents?: number;
    dailyCapCents?: number;
    validUntilMs?: number;
  } = {},
  clientId: string | undefined = undefined,
) {
  return connect(world, {
    ...clientId !== undefined && { clientId },
    asked: { scope: SCOPE },
    answer: {
      accountId: "acc_bob",
      mandate: {
        maxBidCents: 5_000,
        dailyCapCents: 9_000,
        validUntilMs: world.services.clock.now() + 30 * DAY_MS,
        ...terms,
      },
    },
  });
}

async function refreshed(
  world: OauthWorld,
  clientId: string,
  { refresh_token }: { refresh_token: string },
) {
  return await tokensOf(
    await world.post(refreshForm(clientId, refresh_token)),
  );
}

let nextKey = 0;

function bid(
  world: OauthWorld,
  { adId }: Agent,
  accessToken: string,
  amountCents: number,
  day: string = BID_DAY,
  key = `key-${nextKey++}`,
): Promise<Response> {
  return world.ask("/v1/agent/bids", {
    method: "POST",
    headers: {
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      day,
      ad_id: adId,
      amount_cents: amountCents,
      currency: "EUR",
    }),
  });
}
