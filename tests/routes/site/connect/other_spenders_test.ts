/** What a person who lets an agent spend is told of their other agents. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { changePath } from "../../../../routes/site/agents/agent_card.tsx";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { allow, codeOf, grantsOf, LIMITS } from "./consent.ts";

const SPENDS = ["account:read", "bids:write"] as const;

function asking(site: AdvertiserSite, name: string): Promise<string> {
  const client = { id: `dcr_${name}`, name };
  return site.authorize({ client, scopes: SPENDS });
}

/** Lets an agent spend so much on a day. */
async function connect(
  site: AdvertiserSite,
  browser: SignedInBrowser,
  [name, dailyCap]: readonly [name: string, dailyCap: string],
): Promise<void> {
  const limits = { ...LIMITS, daily_cap: dailyCap };
  const path = await asking(site, name);
  codeOf(await allow(browser, path, SPENDS, limits));
}

/** What stands in the fieldset of the limits, before the first of them. */
async function told(browser: SignedInBrowser, path: string): Promise<string> {
  const html = await (await browser.get(path)).text();
  const [, said = ""] = /<legend>It may spend(.*?)name="max_bid"/s.exec(html) ??
    [];
  assert(said !== "", html);
  return said;
}

Deno.test("the consent page says what other agents may spend on a day, each and together", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const first = await told(ada, await asking(site, "<b>Kiln"));
  assert(!first.includes("Other agents"), first);
  await connect(site, ada, ["<b>Kiln", "60"]);
  await connect(site, ada, ["Reader", "40.50"]);
  codeOf(await allow(ada, await asking(site, "Looker"), ["account:read"]));

  const said = await told(ada, await asking(site, "Third"));
  assertStringIncludes(said, "<bdi>&lt;b&gt;Kiln</bdi>: up to EUR 60.00");
  assertStringIncludes(said, "<bdi>Reader</bdi>: up to EUR 40.50");
  assertStringIncludes(said, "<strong>EUR 100.50 a day</strong>");
  assert(!said.includes("Looker"), said);

  const again = await told(ada, await asking(site, "Reader"));
  assertStringIncludes(again, "<strong>EUR 60.00 a day</strong>");
  assert(!again.includes("Reader"), again);

  const [kiln] = (await grantsOf(site, ada))
    .filter(({ client }) => client.name.includes("Kiln"));
  const change = await told(ada, changePath(kiln?.id ?? ""));
  assertStringIncludes(change, "<strong>EUR 40.50 a day</strong>");

  const nobody = await site.browser("bob");
  assert(!(await told(nobody, await asking(site, "Fourth"))).includes("EUR"));
});

Deno.test("agents that are over count no more among those that may spend", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  await connect(site, ada, ["Kiln", "60"]);
  await connect(site, ada, ["Reader", "40"]);
  const [kiln] = (await grantsOf(site, ada))
    .filter(({ client }) => client.name === "Kiln");
  assert(kiln);
  const { id: grantId, accountId } = kiln;
  await revokeGrant(site.services, { grantId, accountId });
  const said = await told(ada, await asking(site, "Third"));
  assertStringIncludes(said, "<strong>EUR 40.00 a day</strong>");
});

Deno.test("of many agents that may spend the page names those that may most, and all are in the sum", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  for (let at = 1; at <= 7; at++) {
    await connect(site, ada, [`Agent${at}`, `${at}`]);
  }
  const said = await told(ada, await asking(site, "Eighth"));
  const named = [...said.matchAll(/<bdi>(\w+)<\/bdi>/g)].map(([, name]) =>
    name
  );
  assertEquals(named, ["Agent7", "Agent6", "Agent5", "Agent4", "Agent3"]);
  assertStringIncludes(said, "and 2 more");
  assertStringIncludes(said, "<strong>EUR 28.00 a day</strong>");
});
