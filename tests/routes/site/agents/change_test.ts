/** What a person changes of a connected agent without its asking. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { refreshTokens } from "../../../../domain/oauth/refresh_tokens.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { checkBearer } from "../../../../domain/oauth/tokens.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { LIMITS } from "../connect/consent.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

/** An advertiser with an agent, and the advertiser's browser. */
async function connected(site: AdvertiserSite) {
  const agent = await site.world.agent("ada", { scopes: ["account:read"] });
  return { agent, browser: await site.browser("ada") };
}

/** A form that leaves these ticked. */
function formOf(
  scopes: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const form = new URLSearchParams(fields);
  for (const scope of scopes) form.append("scope", scope);
  for (const choice of ["company", "advertisements", "figures"]) {
    form.append("choice", choice);
  }
  return form;
}

Deno.test("/agents/{grant} shows what an agent may do, ticked, beside all that it could", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const list = await (await browser.get("/agents")).text();
  assertStringIncludes(list, `href="/agents/${agent.grant.id}"`);
  const html = await (await browser.get(`/agents/${agent.grant.id}`)).text();
  assertStringIncludes(html, 'value="account:read" checked');
  assertStringIncludes(html, 'value="billing:read"');
  assert(!html.includes('value="billing:read" checked'));
  assert(!html.includes("affiliate:read"));
});

Deno.test("/agents/{grant} changes what an agent may do, and the agent has it after a refresh", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const path = `/agents/${agent.grant.id}`;
  const scopes = ["account:read", "bids:write", "billing:read"] as const;
  const answer = await browser.post(path, formOf(scopes, LIMITS));
  assertEquals(answer.status, 303);
  assertEquals(ledTo(answer), "/agents?done=changed");
  const html = await (await browser.get(leadOf(answer))).text();
  assertStringIncludes(html, "What the agent may do was changed.");
  const { services } = site;
  const before = await checkBearer(services, agent.accessToken);
  assertEquals(before.grant.scopes, ["account:read"]);
  const { accessToken } = await refreshTokens(services, {
    refreshToken: agent.refreshToken,
    clientId: agent.grant.clientId,
    scopes: null,
    resources: null,
  });
  const { grant } = await checkBearer(services, accessToken);
  assertEquals(grant.scopes, scopes);
  assertEquals(grant.mandate, {
    maxBidCents: 1_250,
    dailyCapCents: 5_000,
    validUntilMs: Date.parse("2027-01-01T00:00:00.000Z"),
  });
});

Deno.test("/agents/{grant} says what is wrong with the form, and changes nothing", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const path = `/agents/${agent.grant.id}`;
  for (
    const [form, said] of [
      [formOf([]), "Tick one permission at least"],
      [
        formOf(["bids:write"], { ...LIMITS, total_cap: "x" }),
        "Or leave it empty.",
      ],
    ] as const
  ) {
    const answer = await browser.post(path, form);
    assertEquals(answer.status, 400);
    assertStringIncludes(await answer.text(), said);
  }
  const empty = await browser.post(path, formOf(["bids:write"]));
  assertEquals(empty.status, 400);
  const html = await empty.text();
  assertFaults(html, ["max_bid", "daily_cap", "valid_until"]);
  assertStringIncludes(html, "Highest single bid, in euros: Enter an amount");
  const grant = await site.services.store.grants.find(agent.grant.id);
  assertEquals(grant, agent.grant);
});

Deno.test("/agents/{grant} leads to a sign-in for what spends, and back to the form as it was", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const path = `/agents/${agent.grant.id}`;
  site.world.clock.advance(11 * 60_000);
  const form = formOf(["account:read", "bids:write"], LIMITS);
  const answer = await browser.post(path, form);
  assertEquals(answer.status, 303);
  const location = answer.headers.get("location") ?? "";
  const next = new URL(location, "https://x.example").searchParams.get("next");
  assert(next !== null && next.startsWith(`${path}?draft=`), location);
  const grant = await site.services.store.grants.find(agent.grant.id);
  assertEquals(grant?.scopes, ["account:read"]);
  const resumed = await (await browser.get(next)).text();
  assertStringIncludes(resumed, 'value="bids:write" checked');
  assertStringIncludes(resumed, 'value="12.50"');
});

Deno.test("/agents/{grant} of another account, of one that is over and of none is the same 404", async () => {
  await using site = await openAdvertiserSite();
  const { agent } = await connected(site);
  const eve = await site.browser("eve");
  const ada = await site.browser("ada");
  const grantId = agent.grant.id;
  await revokeGrant(site.services, { grantId, accountId: "acc_ada" });
  for (
    const [browser, id] of [[eve, grantId], [ada, grantId], [ada, "x"]] as const
  ) {
    const path = `/agents/${id}`;
    assertEquals((await browser.get(path)).status, 404);
    const form = formOf(["account:read"]);
    assertEquals((await browser.post(path, form)).status, 404);
  }
});

Deno.test("/agents/{grant} needs our own Origin", async () => {
  await using site = await openAdvertiserSite();
  const { agent, browser } = await connected(site);
  const form = formOf(["account:read", "billing:read"]);
  for (const origin of [null, "null", "https://evil.example"]) {
    const path = `/agents/${agent.grant.id}`;
    const answer = await browser.post(path, form, { origin });
    assertEquals(answer.status, 403);
  }
  const grant = await site.services.store.grants.find(agent.grant.id);
  assertEquals(grant, agent.grant);
});
