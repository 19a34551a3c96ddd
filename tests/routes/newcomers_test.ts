/**
 * What is kept for accounts that nobody knows: they cost nothing to make, so
 * that it is counted by the network of who asks.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { BUCKET_POLICIES } from "../../domain/rate_limit/policy.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { Refused } from "../../domain/refusal.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import { countCosts } from "../../routes/operations/count_costs.ts";
import type { Change } from "../../routes/operations/operation.ts";
import { giveCard } from "../support/identity_ready.ts";
import { openAdvertiserSite } from "../support/advertiser_site.ts";
import { type AgentApi, openAgentApi } from "../support/agent_api.ts";
import { type Agent, readyAccount } from "../support/bidding_world.ts";
import { callTool } from "../support/mcp_agent.ts";
import { openLimiter } from "../domain/rate_limit/fixture.ts";

const FREE = {
  identityStatus: "unverified",
  defaultPaymentMethodId: null,
} as const;
const NETWORK = "192.0.2.1";
const ELSEWHERE = "198.51.100.1";

/** Uses up what a network may have kept, or a card. */
async function useUp(
  limiter: RateLimiter,
  of = NETWORK,
  kind: "newcomer_kept" | "card_kept" = "newcomer_kept",
): Promise<void> {
  while ((await limiter.take(kind, of)).admitted);
}

/** Changes a draft, as an agent of an address. */
function patch(
  api: AgentApi,
  as: Agent,
  nth: number,
  from = NETWORK,
): Promise<Response> {
  return api.ask(`/v1/agent/creatives/${as.adId}`, {
    as,
    method: "PATCH",
    from,
    headers: {
      "content-type": "application/json",
      "idempotency-key": `key-${nth}`.padEnd(255, "x"),
    },
    body: JSON.stringify({ headline: `Headline ${nth}` }),
  });
}

Deno.test("accounts that nobody knows have 300 changes kept at once together from one network, over API and tools, known ones as before", async () => {
  await using api = await openAgentApi();
  const scopes = ["creatives:read", "creatives:write"] as const;
  const free = { account: FREE, creative: { state: "draft" }, scopes } as const;
  const eve = await api.world.agent("eve", free);
  const dan = await api.world.agent("dan", free);
  const mia = await api.world.agent("mia", free);
  const bob = await api.world.agent("bob", { ...free, account: {} });
  const { capacity } = BUCKET_POLICIES.newcomer_kept;
  for (let nth = 0; nth < capacity - 1; nth++) {
    const as = [eve, dan, mia][nth % 3] ?? eve;
    const answer = await patch(api, as, nth);
    assertEquals(answer.status, 200, await answer.text());
  }
  const from = { from: NETWORK };
  const wish = { ad_id: eve.adId, headline: "One more" };
  const last = await callTool(api, eve, "update_creative", wish, from);
  assertEquals(last.isError, false);
  const tool = await callTool(api, mia, "update_creative", {
    ad_id: mia.adId,
    headline: "Another",
  }, from);
  assertEquals(tool.content["code"], "agent.rate-limited");
  const refused = await patch(api, eve, capacity);
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "60");
  assertEquals(
    (await refused.json()).detail,
    "Cannot answer now: the bucket of the network is empty, retry in 60 seconds",
  );
  // Reading goes on, as do known accounts and other networks.
  const look = await api.ask("/v1/agent/creatives", { as: eve, ...from });
  assertEquals(look.status, 200);
  assertEquals((await patch(api, bob, capacity)).status, 200);
  assertEquals((await patch(api, eve, capacity + 1, ELSEWHERE)).status, 200);
  api.world.clock.advance(60_000);
  assertEquals((await patch(api, eve, capacity + 2)).status, 200);
});

Deno.test("one card has as much kept as one account may, under however many accounts, over API and browser", async () => {
  await using api = await openAgentApi();
  await using site = await openAdvertiserSite();
  const account = { ...FREE, defaultPaymentMethodId: "pm_1" };
  const scopes = ["creatives:read", "creatives:write"] as const;
  const draft = { account, creative: { state: "draft" }, scopes } as const;
  const eve = await api.world.agent("eve", draft);
  const dan = await api.world.agent("dan", draft);
  const mia = await api.world.agent("mia", draft);
  await giveCard(api.world.services, eve.grant.accountId, "one");
  await giveCard(api.world.services, dan.grant.accountId, "one");
  await giveCard(api.world.services, mia.grant.accountId, "other");
  await useUp(api.limiter, "one", "card_kept");
  assertEquals((await patch(api, eve, 1)).status, 429);
  assertEquals((await patch(api, dan, 2, ELSEWHERE)).status, 429);
  assertEquals((await patch(api, mia, 3)).status, 200);
  const browser = await site.browser("eve", account);
  await giveCard(site.services, "acc_eve", "one");
  await useUp(site.limiter, "one", "card_kept");
  const form = new URLSearchParams();
  assertEquals((await browser.post("/creatives/new", form)).status, 429);
});

Deno.test("whatever an agent changes but a bid, its network pays as long as nobody knows the account", async () => {
  await using api = await openAgentApi();
  await using limits = await openLimiter();
  const eve = await api.world.agent("eve", { account: FREE });
  await useUp(limits.limiter);
  const changes = countCosts(limits, AGENT_OPERATIONS)
    .filter((each): each is Change => each.kind === "change")
    .filter(({ scope }) => scope !== "bids:write");
  assert(changes.length > 10);
  for (const { at, change } of changes) {
    const asked = {
      grant: { ...eve.grant, lineId: eve.lineId },
      network: NETWORK,
      admitted: Promise.resolve(),
      id: "x",
      body: {},
      binding: null,
    };
    const { refusal } = await assertRejects(
      () => change(api.world.services, asked),
      Refused,
    );
    assert(refusal.code === "rate_limited" && refusal.of === "network", at);
  }
});

for (
  const [what, path] of [
    ["a creative", "/creatives/new"],
    ["the agent of a consent", "/connect/areq_1"],
    ["a copy of the data", "/settings/privacy/exports"],
    ["an application to be a partner", "/partner/apply"],
  ] as const
) {
  Deno.test(`${what} of an account that nobody knows costs its network a token in the browser, too`, async () => {
    await using site = await openAdvertiserSite();
    const eve = await site.browser("eve");
    const ada = await site.browser("ada", readyAccount("ada"));
    const form = new URLSearchParams();
    assert((await eve.post(path, form)).status !== 429);
    await useUp(site.limiter);
    assertEquals((await eve.post(path, form)).status, 429);
    assert((await ada.post(path, form)).status !== 429);
    assert((await eve.get(path)).status !== 429);
  });
}
