import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { LINES_MAX } from "../../../../domain/oauth/lines.ts";
import { bidBy } from "../../../support/bidding_world.ts";
import { ADDRESS_BUCKET_CAPACITY } from "../../../../domain/rate_limit/policy.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { ledTo } from "../../../support/led_to.ts";
import { allow, codeOf } from "../connect/consent.ts";

const revoke = (browser: SignedInBrowser, grantId: string, deviation = {}) =>
  browser.post(`/agents/${grantId}/revoke`, "", deviation);

async function pageOf(browser: SignedInBrowser): Promise<string> {
  const page = await browser.get("/agents");
  assertEquals(page.status, 200);
  assertEquals(page.headers.get("cache-control"), "no-store");
  return await page.text();
}

/** An advertiser with an agent, and the advertiser's browser. */
async function connected(site: AdvertiserSite, name = "ada") {
  const agent = await site.world.agent(name);
  return { agent, browser: await site.browser(name) };
}

Deno.test("/agents shows what an agent may do, spent and has left today", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  await placeBid(site.services, bidBy(agent, { amountCents: 12_345 }));
  const html = await pageOf(browser);
  assertStringIncludes(html, "https://agent.example/client.json");
  assertStringIncludes(html, "Unverified registration");
  assertStringIncludes(html, "Place and raise bids: this spends your money");
  assertStringIncludes(html, "EUR 1,000.00");
  assertStringIncludes(html, "EUR 123.45, EUR 9,876.55 left");
  assertStringIncludes(html, "20 December 2026, 12:00 UTC");
  assertStringIncludes(html, "EUR 123.45 for the Spotlight of");
  assertMatch(
    html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " "),
    /\(shown \d+ Nov 23:55 – \d+ Nov 23:55 UTC\)/,
  );
  assertStringIncludes(html, "last used");
});

Deno.test("/agents says how many installations of an agent there are, when the last was connected, and that one was ended for it", async () => {
  await using site = await openAdvertiserSite();
  const browser = await site.browser("ada");
  const scopes = ["account:read"] as const;
  const words = async () =>
    (await pageOf(browser)).replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " ");
  const again = async () => {
    site.world.clock.advance(1_000);
    codeOf(await allow(browser, await site.authorize({ scopes }), scopes));
  };
  await again();
  assert(!/Installations|disconnected for/.test(await words()));
  await again();
  assertMatch(
    await words(),
    /Installations: 2, the last connected \d+ Nov\w* 2026, \d\d:\d\d UTC\./,
  );
  for (let nth = 2; nth <= LINES_MAX; nth++) await again();
  assertMatch(
    await words(),
    /Installations: 10, .* On .* the one that was not used for longest was disconnected for a new one: there are 10 at most\./,
  );
});

Deno.test("/agents says that yesterday's bids left today's limit alone", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  await placeBid(site.services, bidBy(agent, { amountCents: 12_345 }));
  site.world.clock.advance(86_400_000);
  assertStringIncludes(
    await pageOf(browser),
    "EUR 0.00, EUR 10,000.00 left",
  );
});

Deno.test("/agents tells two of the same name apart as the API does", async () => {
  await using site = await openAdvertiserSite();
  const { agent: { grant }, browser } = await connected(site);
  const { store } = site.services;
  assertEquals((await pageOf(browser)).includes("in the API"), false);
  await store.transact((tx) => {
    tx.grants.save({ ...grant, id: "grant_other", clientId: "other" });
    return Promise.resolve();
  });
  const html = await pageOf(browser);
  for (const id of [grant.id, "grant_other"]) {
    assertMatch(
      html,
      new RegExp(`this one is <code>${id}</code>\\s+in the API`),
    );
  }
});

Deno.test("/agents costs a token of the account, so that nobody waits for one who asks all the time", async () => {
  await using site = await openAdvertiserSite();
  const { browser } = await connected(site);
  for (let nth = 0; nth < ADDRESS_BUCKET_CAPACITY; nth++) await pageOf(browser);
  const refused = await browser.get("/agents");
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  await refused.body?.cancel();
  await pageOf(await site.browser("bob"));
});

Deno.test("every page that reads all agents of an account costs it a token, from wherever it is asked for", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const bob = await site.browser("bob");
  for (let nth = 0; nth < ADDRESS_BUCKET_CAPACITY; nth++) await pageOf(ada);
  for (
    const path of [
      "/account",
      "/agents",
      "/connect/of-nobody",
      "/settings/sign-out-everywhere",
    ]
  ) {
    for (const [browser, isRefused] of [[ada, true], [bob, false]] as const) {
      const answer = await browser.get(path);
      await answer.body?.cancel();
      assertEquals(answer.status === 429, isRefused, path);
    }
  }
});

Deno.test("/agents says so when no agent is connected", async () => {
  await using site = await openAdvertiserSite();
  const html = await pageOf(await site.browser("ada"));
  assertStringIncludes(html, "No agent is connected");
});

Deno.test("revoking an agent makes its next call 401 invalid_token", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const ask = () => site.api("/v1/agent/me", agent.accessToken);
  const before = await ask();
  assertEquals(before.status, 200);
  await before.body?.cancel();
  const answer = await revoke(browser, agent.grant.id);
  assertEquals(answer.status, 303);
  assertEquals(ledTo(answer), "/agents?done=revoked");
  const after = await ask();
  assertEquals(after.status, 401);
  assertEquals((await after.json()).error, "invalid_token");
  const html = await pageOf(browser);
  assertStringIncludes(html, "No agent is connected");
  assertStringIncludes(html, "No longer connected");
  assertStringIncludes(html, "revoked");
});

Deno.test("revoking leaves accepted bids standing and lists them", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  await placeBid(site.services, bidBy(agent));
  assertStringIncludes(await pageOf(browser), "Its bids listed above stand");
  await revoke(browser, agent.grant.id);
  const { store } = site.services;
  const bid = await store.bids.find(bidBy(agent).day, agent.account.id);
  assertEquals(bid?.status, "active");
  const html = await pageOf(browser);
  assertStringIncludes(html, "Other bids that stand");
  assertStringIncludes(html, "EUR 10.00 for the Spotlight of");
  assertMatch(
    html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " "),
    /\(shown \d+ Nov 23:55 – \d+ Nov 23:55 UTC\)/,
  );
});

Deno.test("revoking an agent again changes nothing", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  assertEquals((await revoke(browser, agent.grant.id)).status, 303);
  assertEquals((await revoke(browser, agent.grant.id)).status, 303);
});

Deno.test("revoking the agent of another account, or an unknown one, is the same 404", async () => {
  await using site = await openAdvertiserSite();
  const { agent } = await connected(site);
  const eve = await site.browser("eve");
  const pages: string[] = [];
  for (const grantId of [agent.grant.id, "grant_x", "%00", "é"]) {
    const answer = await revoke(eve, grantId);
    assertEquals(answer.status, 404);
    pages.push(await answer.text());
  }
  assertEquals(new Set(pages).size, 1);
  const alive = await site.api("/v1/agent/me", agent.accessToken);
  assertEquals(alive.status, 200);
  await alive.body?.cancel();
  assert(!(await pageOf(eve)).includes("agent.example"));
});

Deno.test("revoking needs our own Origin", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  for (const origin of [null, "null", "https://evil.example"]) {
    const answer = await revoke(browser, agent.grant.id, { origin });
    assertEquals(answer.status, 403);
  }
  assertStringIncludes(await pageOf(browser), agent.grant.id);
});

Deno.test("/agents sends whoever is not signed in to sign in and back", async () => {
  await using site = await openAdvertiserSite();
  const page = await site.visitor("/agents");
  assertEquals(page.headers.get("location"), "/sign-in?next=%2Fagents");
  const posted = await site.visitor("/agents/grant_1/revoke", {
    method: "POST",
    headers: { origin: site.services.settings.baseUrl },
  });
  assertEquals(posted.status, 303);
  assertEquals(posted.headers.get("location"), "/sign-in?next=%2Fagents");
});

Deno.test("an agent's name on /agents is text and never HTML", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const name = `<script>alert(1)</script>"'`;
  await site.services.store.transact(async (tx) => {
    const grant = await tx.grants.find(agent.grant.id);
    if (grant) tx.grants.save({ ...grant, client: { ...grant.client, name } });
  });
  const html = await pageOf(browser);
  assert(!html.includes("<script>alert"));
  assertStringIncludes(html, "&lt;script&gt;");
});
