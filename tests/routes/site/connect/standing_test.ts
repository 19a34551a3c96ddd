/** The consent page of a client that is connected already. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DAY_MS } from "../../../../domain/day.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { bidBy } from "../../../support/bidding_world.ts";
import {
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { allow, codeOf, grantsOf } from "./consent.ts";

const READS = ["account:read", "bids:read", "bids:write"] as const;

async function textOf(
  browser: SignedInBrowser,
  path: string,
): Promise<string> {
  return await (await browser.get(path)).text();
}

Deno.test("the consent page of a connected agent says what changes, and has its limits filled in", async () => {
  await using site = await openAdvertiserSite();
  const agent = await site.world.agent("ada", {
    mandate: {
      maxBidCents: 10_000,
      dailyCapCents: 6_000,
      totalCapCents: 30_000,
      validUntilMs: Date.parse("2026-12-01T00:00:00.000Z"),
    },
  });
  await placeBid(site.services, bidBy(agent, { amountCents: 4_050 }));
  const ada = await site.browser("ada");
  const path = await site.authorize({ scopes: ["invoices:read"] });
  const html = await textOf(ada, path);
  assertStringIncludes(html, "It is connected already");
  assertStringIncludes(html, "replaces what you allowed before");
  const [, added = ""] = /New is:(.*?)<\/ul>/s.exec(html) ?? [];
  assertStringIncludes(added, "See your invoices");
  assert(!added.includes("See your bids"));
  for (const scope of [...READS, "invoices:read"]) {
    assertStringIncludes(html, `value="${scope}" checked`);
  }
  for (
    const [name, value] of Object.entries({
      max_bid: "100.00",
      daily_cap: "60.00",
      total_cap: "300.00",
      valid_until: "2026-11-30",
    })
  ) {
    assert(new RegExp(`name="${name}"[^>]* value="${value}"`).test(html), name);
  }
  assertStringIncludes(html, "It has used EUR 40.50 today");
  assertStringIncludes(html, "Of its total it has used EUR 40.50");

  codeOf(
    await allow(ada, path, [...READS, "invoices:read"], {
      max_bid: "100",
      daily_cap: "60",
      total_cap: "",
      valid_until: "2026-11-30",
    }),
  );
  const [grant, ...others] = await grantsOf(site, ada);
  assertEquals([grant?.id, others], [agent.grant.id, []]);
  assertEquals(grant?.scopes, [...READS, "invoices:read"]);
  assertEquals(grant?.mandate?.totalCapCents, undefined);
});

Deno.test("the consent page of a client that is not connected says nothing of that", async () => {
  await using site = await openAdvertiserSite();
  await site.world.agent("ada", { clientId: "another" });
  const ada = await site.browser("ada");
  const html = await textOf(ada, await site.authorize());
  assert(!html.includes("It is connected already"));
});

Deno.test("the consent page of a client that was revoked today says what it has used of today's cap", async () => {
  await using site = await openAdvertiserSite();
  const agent = await site.world.agent("ada");
  const ada = await site.browser("ada");
  const used = "has used <strong>EUR 33.00 today</strong>";
  await placeBid(site.services, bidBy(agent, { amountCents: 3_300 }));
  await revokeGrant(site.services, {
    grantId: agent.grant.id,
    accountId: agent.account.id,
  });
  const html = await textOf(ada, await site.authorize({ scopes: READS }));
  assert(!html.includes("It is connected already"));
  assertStringIncludes(html.replaceAll(/\s+/g, " "), used);
  site.world.clock.advance(DAY_MS);
  const nextDay = await textOf(
    await site.browser("ada"),
    await site.authorize({ scopes: READS }),
  );
  assert(!nextDay.includes("has used"));
});

Deno.test("what stands and is unticked is taken away, spending with its limits", async () => {
  await using site = await openAdvertiserSite();
  const { grant } = await site.world.agent("ada");
  const ada = await site.browser("ada");
  const path = await site.authorize();
  codeOf(await allow(ada, path, ["account:read"]));
  const after = await site.services.store.grants.find(grant.id);
  assertEquals([after?.scopes, after?.mandate], [["account:read"], null]);
});

Deno.test("a scope of another client's connection is neither shown nor allowed", async () => {
  await using site = await openAdvertiserSite();
  await site.world.agent("ada", { clientId: "another" });
  const ada = await site.browser("ada");
  const path = await site.authorize();
  const html = await textOf(ada, path);
  assert(!html.includes('value="bids:write"'));
  codeOf(await allow(ada, path, ["account:read", "bids:write"]));
  const grants = await grantsOf(site, ada);
  const made = grants.find(({ clientId }) => clientId !== "another");
  assertEquals(made?.scopes, ["account:read"]);
});
