import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { type Scope, SCOPES } from "../../../../domain/oauth/grant.ts";
import { isPartnerScope } from "../../../../domain/oauth/withheld_scopes.ts";
import { SCOPE_TEXTS } from "../../../../domain/oauth/scope_texts.ts";
import { bidBy } from "../../../support/bidding_world.ts";
import {
  type Asked,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { WORKING_SET } from "../../../support/working_set.ts";
import {
  allow,
  allowing,
  codeOf,
  grantsOf,
  LIMITS,
  locationOf,
  tokenOf,
} from "./consent.ts";

const EVERY = { scopes: SCOPES };

Deno.test("K5 the page has the headers of a consent page and the redirect origin with its port", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const { headers } = await ada.get(await site.authorize());
  assertEquals(
    headers.get("content-security-policy"),
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
      "manifest-src 'self'; script-src 'self'; connect-src 'self'; " +
      "base-uri 'none'; " +
      "frame-ancestors 'none'; form-action 'self' http://127.0.0.1:51004",
  );
  assertEquals(headers.get("x-frame-options"), "DENY");
  assertEquals(headers.get("referrer-policy"), "same-origin");
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("cross-origin-opener-policy"), "same-origin");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
});

for (
  const redirectUri of [
    "http://[::1]:4000/cb",
    "https://a;script-src/cb",
    "https://*.example/cb",
    "https://vscode.dev/redirect",
  ]
) {
  Deno.test(`the way to ${redirectUri} leads over a page that goes on by itself`, async () => {
    await using site = await openAdvertiserSite();
    const ada = await site.browser("ada");
    const path = await site.authorize({ redirectUri });
    const page = await ada.get(path);
    const policy = page.headers.get("content-security-policy") ?? "";
    if (!redirectUri.includes("vscode")) {
      assert(policy.endsWith("form-action 'self'"), policy);
    }
    const form = allowing(await tokenOf(page), ["account:read"]);
    const onward = await ada.post(path, form);
    assertEquals(onward.status, 200);
    assertEquals(onward.headers.get("cache-control"), "no-store");
    const html = await onward.text();
    assertStringIncludes(html, `content="0; url=${redirectUri}?code=svc_ac_`);
    assertStringIncludes(html, `href="${redirectUri}?code=svc_ac_`);
  });
}

Deno.test("the page in between is the person's choice for other sites", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const asked: Asked = { redirectUri: "https://agent.example/cb" };
  const via = { via: "page" };
  const path = await site.authorize(asked);
  assertStringIncludes(
    await (await ada.get(path)).text(),
    "Go back by a page in between",
  );
  const onward = await allow(ada, path, ["account:read"], via);
  assertEquals(onward.status, 200);
  codeOf(await allow(ada, await site.authorize(asked), ["account:read"]));
});

for (
  const [why, change] of [
    ["a missing maximum", { max_bid: "" }],
    ["a negative maximum", { max_bid: "-1" }],
    ["a fraction of a cent", { max_bid: "1.005" }],
    ["a day in the past", { valid_until: "2026-11-19" }],
    ["more than 90 days", { valid_until: "2027-02-18" }],
  ] as const
) {
  Deno.test(`K7 ${why} is 400, marked beside the field, and grants nothing`, async () => {
    await using site = await openAdvertiserSite();
    const ada = await site.browser("ada");
    const path = await site.authorize({ scopes: ["bids:write"] });
    const fields = { ...LIMITS, ...change };
    const answer = await allow(ada, path, ["bids:write"], fields);
    assertEquals(answer.status, 400);
    const html = await answer.text();
    assertFaults(html, Object.keys(change));
    for (const [name, value] of Object.entries(fields)) {
      assertMatch(html, new RegExp(`name="${name}"[^>]* value="${value}"`));
    }
    assertEquals(await grantsOf(site, ada), []);
    // The request is still open: mended, it is granted.
    codeOf(await allow(ada, path, ["bids:write"], LIMITS));
  });
}

Deno.test("K9 the redirect host is shown, and a warning where it is this computer", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const local = await (await ada.get(await site.authorize())).text();
  assertStringIncludes(local, "<strong>127.0.0.1</strong>");
  assertStringIncludes(local, "a program on this computer");
  const redirectUri = "https://app.agent.example:8443/cb";
  const web = await ada.get(await site.authorize({ redirectUri }));
  const html = await web.text();
  assertStringIncludes(html, "<strong>app.agent.example:8443</strong>");
  assert(!html.includes("a program on this computer"));
});

Deno.test("the page says what vouches for the agent's name", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const known = await (await ada.get(await site.authorize())).text();
  assertStringIncludes(known, "<strong>agent.example</strong>");
  const client = { id: "dcr_1", host: null };
  const page = await ada.get(await site.authorize({ client }));
  assertStringIncludes(await page.text(), "unverified registration");
});

Deno.test("A12 a client's name, state and query are text and never HTML", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const name = `<script>alert(1)</script>"><img src=x onerror='1'>&amp;`;
  const redirectUri = "https://agent.example/cb?a='b'";
  const state = `"><script>&#1;</script>`;
  const path = await site.authorize({
    client: { name, redirectUris: [redirectUri] },
    redirectUri,
    query: { state },
    scopes: ["bids:write"],
  });
  const page = await ada.get(path);
  const html = await page.clone().text();
  assert(!html.includes("<script>alert"), html);
  assert(!html.includes("<img"));
  assertStringIncludes(html, "&lt;script&gt;alert(1)&lt;/script&gt;");
  const max_bid = `"><script>x</script>`;
  const faulty = await allow(ada, path, ["bids:write"], { max_bid });
  assertEquals(faulty.status, 400);
  assert(!(await faulty.text()).includes("<script>x"));
  const fields = { ...LIMITS, via: "page" };
  const onward = await allow(ada, path, ["bids:write"], fields);
  const text = await onward.text();
  assert(!text.includes(`"><script>`), text);
  assertStringIncludes(text, "state=%22%3E%3Cscript%3E");
});

Deno.test("scopes stand in plain words, what changes something apart", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada", { partner: true });
  const html = await (await ada.get(await site.authorize(EVERY))).text();
  const parts = html.split(/<legend>(It may[^<]*)<\/legend>/);
  const under = (legend: string) => parts[parts.indexOf(legend) + 1] ?? "";
  const together = [...WORKING_SET.split(" ")];
  for (const scope of SCOPES) {
    const legend = scope === "bids:write"
      ? "It may spend"
      : together.includes(scope)
      ? "It may"
      : scope.endsWith(":write")
      ? "It may change"
      : "It may see";
    assertStringIncludes(under(legend), `value="${scope}" checked`);
  }
  const visible = html.replace(/<[^>]+>/g, " ");
  assert(!/[a-z]+:(read|write)/.test(visible), visible);
});

/** What can be ticked without opening anything, by what it is called. */
function choicesOf(html: string): string[] {
  const open = html.replace(/<details.*?<\/details>/gs, "");
  return [...open.matchAll(/<label for="(?:choice|scope)-[^>]*>([^<]*)/g)]
    .map(([, label = ""]) => label);
}

const WORKING = { scopes: WORKING_SET.split(" ") as Scope[] };

Deno.test("what is asked for first is three plain choices, and spending with its limits", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const html = await (await ada.get(await site.authorize(WORKING))).text();
  assertEquals(choicesOf(html), [
    "See and change your company details",
    "See, write and submit your advertisements",
    "See your bids, reports and invoices",
    "Place and raise bids: this spends your money",
  ]);
  const [, spending = ""] = html.split("<legend>It may spend</legend>");
  assertStringIncludes(spending, 'value="bids:write" checked');
  assertMatch(spending, /name="max_bid".*name="daily_cap".*name="valid_until"/);
});

Deno.test("a choice says no more than is asked for: a part of it stands by itself", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const asked = ["account:read", "bids:read", "creatives:write"] as const;
  const page = await ada.get(await site.authorize({ scopes: asked }));
  assertEquals(choicesOf(await page.text()), [
    "See your account",
    "See your bids",
    "Write and submit advertisements",
  ]);
});

Deno.test("an unticked choice allows nothing of it, one in part that part, and is shown so again", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize(WORKING);
  const token = await tokenOf(await ada.get(path));
  const ticked = WORKING.scopes.filter((scope) => scope !== "account:write");
  const form = allowing(token, ticked, { ...LIMITS, max_bid: "" });
  form.delete("choice", "advertisements");
  const faulty = await ada.post(path, form);
  assertEquals(faulty.status, 400);
  const html = await faulty.text();
  const isTicked = (value: string) => html.includes(`value="${value}" checked`);
  assertEquals(
    ["company", "advertisements", "figures"].map(isTicked),
    [true, false, true],
  );
  assertEquals(
    ["account:read", "account:write", "creatives:read"].map(isTicked),
    [true, false, true],
  );
  assertEquals(html.match(/<details open/g)?.length, 1);

  form.set("max_bid", "12.50");
  codeOf(await ada.post(path, form));
  const [grant] = await grantsOf(site, ada);
  assertEquals(grant?.scopes, [
    "account:read",
    "reports:read",
    "bids:read",
    "bids:write",
    "invoices:read",
  ]);
});

Deno.test("who unticks the spending types no limits", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize(WORKING);
  const kept = WORKING.scopes.filter((scope) => scope !== "bids:write");
  codeOf(await allow(ada, path, kept));
  const [grant] = await grantsOf(site, ada);
  assertEquals([grant?.scopes, grant?.mandate], [kept, null]);
});

Deno.test("the limits are empty and asked for with bids:write only", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const asked = await ada.get(await site.authorize({ scopes: ["bids:write"] }));
  const html = await asked.text();
  for (const name of ["max_bid", "daily_cap", "valid_until"]) {
    assertMatch(html, new RegExp(`name="${name}"[^>]* value=""`));
  }
  const reads = await ada.get(await site.authorize());
  assert(!(await reads.text()).includes("It may spend"));
});

Deno.test("the page says what revoking does not do and lists the bids that stand", async () => {
  await using site = await openAdvertiserSite();
  const agent = await site.world.agent("ada", {
    mandate: { maxBidCents: 200_000 },
  });
  await placeBid(site.services, bidBy(agent, { amountCents: 123_456 }));
  const ada = await site.browser("ada");
  const scopes = ["bids:write"] as const;
  const html = await (await ada.get(await site.authorize({ scopes }))).text();
  assertStringIncludes(html, 'href="/agents"');
  assertStringIncludes(html, "do not take back bids");
  assertStringIncludes(html, "EUR 1,234.56 for the Spotlight of");
  assertMatch(
    html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " "),
    /\(shown \d+ Nov 23:55 – \d+ Nov 23:55 UTC\)/,
  );
  const eve = await site.browser("eve");
  const other = await (await eve.get(await site.authorize({ scopes }))).text();
  assert(!other.includes("1,234.56"));
});

Deno.test("connecting is possible before onboarding completes", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada", { company: null });
  const scopes = ["account:read", "bids:write"] as const;
  codeOf(await allow(ada, await site.authorize({ scopes }), scopes, LIMITS));
});

Deno.test("a verified partner without VAT id, card or mandate allows affiliate scopes", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada", { partner: true });
  const scopes = ["affiliate:read", "affiliate:write"] as const;
  codeOf(await allow(ada, await site.authorize({ scopes }), scopes));
  const [grant] = await grantsOf(site, ada);
  assertEquals([grant?.scopes, grant?.mandate], [scopes, null]);
});

Deno.test("an account that is no partner sees that affiliate scopes can't be allowed", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const mixed = await site.authorize({
    scopes: ["account:read", "affiliate:read"],
  });
  const html = await (await ada.get(mixed)).text();
  assertStringIncludes(html, "only verified partner accounts have");
  assert(!html.includes('value="affiliate:read"'));
  codeOf(await allow(ada, mixed, ["account:read", "affiliate:read"]));
  assertEquals((await grantsOf(site, ada))[0]?.scopes, ["account:read"]);

  const only = await site.authorize({
    scopes: ["affiliate:read"],
    client: { id: "https://other.example/client.json" },
  });
  const page = await ada.get(only);
  const text = await page.clone().text();
  assert(!text.includes('value="allow"'));
  const form = new URLSearchParams({
    token: await tokenOf(page),
    decision: "deny",
  });
  const back = locationOf(await ada.post(only, form));
  assertEquals(back.searchParams.get("error"), "access_denied");
});

Deno.test("of all there is to ask for, what an account can't use is named with the reason, and nothing else is", async () => {
  await using site = await openAdvertiserSite();
  const [ada, grace] = [
    await site.browser("ada"),
    await site.browser("grace", { partner: true }),
  ];
  const noteOf = async (browser: typeof ada) => {
    const page = await browser.get(await site.authorize({ scopes: SCOPES }));
    const html = await page.text();
    const [note = ""] = html.split('<section class="note">').slice(1)
      .map((rest) => rest.split("</section>")[0] ?? "")
      .filter((text) => text.includes("can’t be allowed"));
    return note;
  };
  const named = SCOPES.filter((scope) => isPartnerScope(scope))
    .map((scope) => `<li>${SCOPE_TEXTS[scope].label}</li>`);
  assertEquals(named.length, 2);
  assertEquals(
    await noteOf(ada),
    "<p>It also asks for what only verified partner accounts have. Yours is " +
      `not one, so these can’t be allowed:</p><ul>${named.join("")}</ul>`,
  );
  assertEquals(await noteOf(grace), "");
});

Deno.test("an operator's account, which never bids, is offered no bidding, and is told why", async () => {
  await using site = await openAdvertiserSite();
  const [operator, ada] = [
    await site.browser("ops", { email: "operator@example.com" }),
    await site.browser("ada"),
  ];
  const reason = "This is an operator’s account, which never bids";
  const path = await site.authorize(WORKING);
  const html = await (await operator.get(path)).text();
  assertStringIncludes(html.replaceAll(/\s+/g, " "), reason);
  assertStringIncludes(html, `<li>${SCOPE_TEXTS["bids:write"].label}</li>`);
  assert(!html.includes('value="bids:write"'));
  assert(!html.includes('name="max_bid"'));
  codeOf(await allow(operator, path, WORKING.scopes, LIMITS));
  const [grant] = await grantsOf(site, operator);
  const rest = WORKING.scopes.filter((scope) => scope !== "bids:write");
  assertEquals([grant?.scopes, grant?.mandate], [rest, null]);
  const change = await operator.get(`/agents/${grant?.id}`);
  const form = await change.text();
  assertEquals(change.status, 200);
  assert(!/value="bids:write"|name="max_bid"/.test(form));

  const others = await (await ada.get(await site.authorize(WORKING))).text();
  assert(!others.includes(reason));
});
