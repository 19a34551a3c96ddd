import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { revokeToken } from "../../../../domain/oauth/revoke_token.ts";
import {
  openAdvertiserSite,
  TEST_CHALLENGE,
} from "../../../support/advertiser_site.ts";
import { fillForm, readForm } from "../../../interop/support/html_form.ts";
import {
  allow,
  allowing,
  codeOf,
  grantsOf,
  LIMITS,
  locationOf,
  tokenOf,
} from "./consent.ts";

const MINUTE_MS = 60_000;

Deno.test("K1 a consent POST without, with a foreign and with a null Origin is 403", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize();
  const form = allowing(await tokenOf(await ada.get(path)), ["account:read"]);
  for (const origin of [null, "https://evil.example", "null"]) {
    const answer = await ada.post(path, form, { origin });
    assertEquals(answer.status, 403);
    assertEquals(answer.headers.get("location"), null);
  }
  const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
  assertEquals((await ada.post(path, form, crossSite)).status, 403);
  assertEquals(await grantsOf(site, ada), []);
  codeOf(await ada.post(path, form));
});

Deno.test("K2 JSON needs our Origin as well, and is no form", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize();
  const token = await tokenOf(await ada.get(path));
  const body = JSON.stringify({ token, decision: "allow" });
  const contentType = "application/json";
  const foreign = { contentType, origin: "https://evil.example" };
  assertEquals((await ada.post(path, body, foreign)).status, 403);
  assertEquals((await ada.post(path, body, { contentType })).status, 400);
  assertEquals(await grantsOf(site, ada), []);
});

Deno.test("a consent POST needs the token of its own form", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const [path, other] = [await site.authorize(), await site.authorize()];
  await ada.get(path);
  const foreign = await tokenOf(await ada.get(other));
  for (const token of ["", "form", foreign, `${foreign}x`]) {
    const answer = await ada.post(path, allowing(token, ["account:read"]));
    assertEquals(answer.status, 403);
  }
  assertEquals(await grantsOf(site, ada), []);
});

Deno.test("K3 a replayed consent POST gives one code", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize();
  const form = allowing(await tokenOf(await ada.get(path)), ["account:read"]);
  const answers = await Promise.all(
    [1, 2, 3].map(() => ada.post(path, form)),
  );
  const statuses = answers.map(({ status }) => status);
  assertEquals(statuses.toSorted(), [303, 404, 404]);
  assertEquals((await ada.post(path, form)).status, 404);
  assertEquals((await grantsOf(site, ada)).length, 1);
});

Deno.test("K4 another session that opens the request is told it belongs to another browser", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize();
  const form = allowing(await tokenOf(await ada.get(path)), ["account:read"]);
  // Another person, and the same person in another browser.
  for (const name of ["eve", "ada"]) {
    const other = await site.browser(name);
    const page = await other.get(path);
    assertEquals(page.status, 403);
    assertStringIncludes(
      await page.text(),
      "This request belongs to another browser",
    );
    assertEquals((await other.post(path, form)).status, 403);
  }
  codeOf(await ada.post(path, form));
});

Deno.test("K6 ticking a scope that was not requested is ignored", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize({ scopes: ["account:read", "bids:read"] });
  codeOf(
    await allow(
      ada,
      path,
      ["bids:read", "bids:write", "security:write"],
      LIMITS,
    ),
  );
  const [grant] = await grantsOf(site, ada);
  assertEquals(grant?.scopes, ["bids:read"]);
  assertEquals(grant?.mandate, null);
});

Deno.test("an allowed request gives a grant with its mandate and a code with state and iss", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const scopes = ["account:read", "bids:write"] as const;
  const answer = await allow(
    ada,
    await site.authorize({ scopes }),
    scopes,
    LIMITS,
  );
  const back = locationOf(answer);
  assertEquals(back.origin + back.pathname, "http://127.0.0.1:51004/callback");
  assertEquals(back.searchParams.get("state"), "s1");
  assertEquals(
    back.searchParams.get("iss"),
    site.services.settings.authUrl,
  );
  codeOf(answer);
  const [grant] = await grantsOf(site, ada);
  assertEquals(grant?.scopes, scopes);
  assertEquals(grant?.mandate, {
    maxBidCents: 1_250,
    dailyCapCents: 5_000,
    validUntilMs: Date.parse("2027-01-01T00:00:00.000Z"),
  });
  assertEquals(grant?.client.host, "agent.example");
  assertEquals(TEST_CHALLENGE.length, 43);
});

Deno.test("a denied request goes back with access_denied and grants nothing", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize({ scopes: ["account:read", "bids:write"] });
  const token = await tokenOf(await ada.get(path));
  const form = new URLSearchParams({ token, decision: "deny", max_bid: "x" });
  const back = locationOf(await ada.post(path, form));
  assertEquals(back.searchParams.get("error"), "access_denied");
  assertEquals(back.searchParams.get("state"), "s1");
  assertEquals(await grantsOf(site, ada), []);
  assertEquals((await ada.get(path)).status, 404);
});

Deno.test("K8 a stale sign-in is renewed, and the form comes back as it was", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  site.world.clock.advance(6 * MINUTE_MS);
  const scopes = ["account:read", "bids:read", "bids:write"] as const;
  const path = await site.authorize({ scopes });
  const form = allowing(
    await tokenOf(await ada.get(path)),
    ["account:read", "bids:write"],
    LIMITS,
  );
  site.world.clock.advance(5 * MINUTE_MS);
  const stale = locationOf(await ada.post(path, form));
  assertEquals(stale.pathname, "/sign-in");
  assertEquals(await grantsOf(site, ada), []);
  const next = stale.searchParams.get("next") ?? "";
  assert(next.startsWith(`${path}?draft=`), next);

  await ada.signInAgain();
  const page = await ada.get(next);
  const html = await page.clone().text();
  assertStringIncludes(html, "You are signed in again");
  assertStringIncludes(html, 'name="max_bid" type="text" value="12.50"');
  assertStringIncludes(html, 'value="2026-12-31"');
  assertStringIncludes(html, 'value="bids:write" checked');
  assert(!/value="bids:read" checked/.test(html));
  const again = allowing(await tokenOf(page), ["bids:write"], LIMITS);
  codeOf(await ada.post(path, again));
});

Deno.test("K8 an old sign-in lets no agent set a webhook, at a consent or on the agents page, and is renewed on the way", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  site.world.clock.advance(11 * MINUTE_MS);
  const reads = ["account:read", "invoices:read"] as const;
  codeOf(await allow(ada, await site.authorize({ scopes: reads }), reads));
  const [grant] = await grantsOf(site, ada);
  const scopes = ["account:read", "account:write"] as const;
  const path = await site.authorize({ scopes });
  const page = await ada.get(path);
  assertStringIncludes(
    await page.clone().text(),
    "take a sign-in of the last 10 minutes",
  );
  const stale = await ada.post(path, allowing(await tokenOf(page), scopes));
  const next = locationOf(stale).searchParams.get("next") ?? "";
  assert(next.startsWith(`${path}?draft=`), next);
  const change = `/agents/${grant?.id}`;
  const changed = await ada.post(change, allowing("", scopes));
  const back = locationOf(changed).searchParams.get("next") ?? "";
  assert(back.startsWith(`${change}?draft=`), back);
  assertEquals((await grantsOf(site, ada))[0]?.scopes, reads);

  await ada.signInAgain();
  const again = await ada.get(next);
  const html = await again.clone().text();
  assertStringIncludes(html, "You are signed in again");
  assertStringIncludes(html, 'value="account:write" checked');
  codeOf(await ada.post(path, allowing(await tokenOf(again), scopes)));
  assertEquals((await grantsOf(site, ada))[0]?.scopes, scopes);
});

Deno.test("a sign-in of ten minutes is fresh, and what only reads needs none", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const writes = await site.authorize({ scopes: ["privacy:write"] });
  site.world.clock.advance(9 * MINUTE_MS);
  const token = await tokenOf(await ada.get(writes));
  site.world.clock.advance(MINUTE_MS - 1);
  codeOf(await ada.post(writes, allowing(token, ["privacy:write"])));
  site.world.clock.advance(60 * MINUTE_MS);
  const reads = await site.authorize({
    scopes: ["account:read", "bids:write"],
  });
  codeOf(await allow(ada, reads, ["account:read"]));
});

Deno.test("a draft that the page did not seal is not shown", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize({ scopes: ["bids:write"] });
  const forged = `W1swXSwiMSIsIjEiLCIiLGZhbHNlXQ.00000000.${"A".repeat(43)}`;
  for (const draft of [forged, await tokenOf(await ada.get(path)), "x"]) {
    const page = await ada.get(`${path}?draft=${encodeURIComponent(draft)}`);
    const html = await page.text();
    assert(!html.includes("You are signed in again"));
    assertStringIncludes(html, 'name="max_bid" type="text" value=""');
  }
});

Deno.test("K10 whoever is not signed in is sent to sign in and back to the request alone", async () => {
  await using site = await openAdvertiserSite();
  const path = await site.authorize();
  for (const query of ["", "?next=//evil.example", "?next=https:evil"]) {
    const to = locationOf(await site.visitor(`${path}${query}`));
    assertEquals(to.pathname, "/sign-in");
    assertEquals(to.searchParams.get("next"), path);
  }
  const post = await site.visitor(path, {
    method: "POST",
    headers: { origin: "https://spotlight.example" },
  });
  assertEquals(locationOf(post).searchParams.get("next"), path);
  const backslash = await site.visitor("/connect/%5Cevil.example");
  const to = locationOf(backslash);
  assertEquals(to.origin, "https://spotlight.example");
});

Deno.test("a request that is unknown or has ended is a friendly 404", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const path = await site.authorize();
  site.world.clock.advance(10 * MINUTE_MS);
  for (const gone of [path, "/connect/areq_x", "/connect/%00", "/connect/é"]) {
    const page = await ada.get(gone);
    assertEquals(page.status, 404);
    assertStringIncludes(await page.text(), "This request is no longer open");
  }
});

Deno.test("/connect answers another method with 405", async () => {
  await using site = await openAdvertiserSite();
  const path = await site.authorize();
  const answer = await site.visitor(path, { method: "DELETE" });
  assertEquals(answer.status, 405);
  assertEquals(answer.headers.get("allow"), "GET, HEAD, POST");
});

Deno.test("a choice that was unticked is not granted, also where its client has given back what it had meanwhile", async () => {
  for (const isGivenBack of [false, true]) {
    await using site = await openAdvertiserSite();
    const standing = ["account:read", "reports:read"] as const;
    const agent = await site.world.agent("ada", { scopes: [...standing] });
    const ada = await site.browser("ada");
    const scopes = ["account:read", "bids:read", "invoices:read"] as const;
    const path = await site.authorize({ scopes: [...scopes] });
    const html = await (await ada.get(path)).text();
    // As a browser sends it: what is in an unticked choice stays ticked.
    const form = new URLSearchParams({ decision: "allow" });
    for (const [input] of html.matchAll(/<input[^>]*>/g)) {
      const [, name = ""] = /name="([^"]*)"/.exec(input) ?? [];
      const [, value = ""] = /value="([^"]*)"/.exec(input) ?? [];
      const isSent = input.includes('type="hidden"') || / checked/.test(input);
      const isUnticked = name === "choice" && value === "figures";
      if (isSent && !isUnticked) form.append(name, value);
    }
    assert(form.getAll("scope").includes("bids:read"));
    assertEquals(form.get("shown"), "figures");
    if (isGivenBack) {
      const { refreshToken: token } = agent;
      await revokeToken(site.services, { token, clientId: null });
    }
    codeOf(await ada.post(path, form));
    const [grant] = await grantsOf(site, ada);
    assertEquals(grant?.scopes, ["account:read"]);
  }
});

Deno.test("a consent that shows several choices is read as a browser sends it", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const scopes = [
    ...["account:read", "account:write"] as const,
    ...["creatives:read", "creatives:write"] as const,
  ];
  const path = await site.authorize({ scopes: [...scopes] });
  const form = fillForm(
    readForm(await (await ada.get(path)).text(), path),
    { decision: "allow" },
  );
  const sent = [...form] as [string, string][];
  const [, shown = ""] = sent.find(([name]) => name === "shown") ?? [];
  assertEquals(shown, "company advertisements");
  codeOf(await ada.post(path, new URLSearchParams(sent)));
  const [grant] = await grantsOf(site, ada);
  assertEquals(grant?.scopes.toSorted(), [...scopes].toSorted());
});
