import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { hostedPageOrigins } from "../../../../adapters/stripe/hosted_pages.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { submit, visit } from "../../../simulators/stripe/browser.ts";
import { openBillingSite } from "../../../support/billing_site.ts";
import {
  act,
  bidByDefault,
  cardsOf,
  locationOf,
  withCards,
} from "./cards_site.ts";
import { leadOf } from "../../../support/led_to.ts";

const CHANGES = ["set-up", "default", "remove", "portal"] as const;

Deno.test("/billing leads to the processor's page, and back to a saved card", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  assertStringIncludes(
    await site.textOf(browser, "/billing"),
    "No card is saved",
  );
  const begun = await act(browser, "set-up");
  assertEquals(begun.status, 303);
  assertEquals(begun.headers.get("cache-control"), "no-store");
  const url = begun.headers.get("location") ?? "";
  assert(url.startsWith(`${site.simulator.url}/`), url);
  const { location } = await submit(url, { card: "visa" });
  const back = new URL(location ?? "");
  assertEquals(back.origin, site.services.settings.baseUrl);
  assertEquals(back.pathname, "/billing/return");
  const returned = await browser.get(`${back.pathname}${back.search}`);
  // The first card is a step to a first bid, which leads to the next.
  assertEquals(await locationOf(returned), "/identity?done=card");
  assertStringIncludes(
    await site.textOf(browser, leadOf(returned)),
    "Your card was saved.",
  );
  assertMatch(
    await site.textOf(browser, "/billing"),
    /Visa ending in 4242 – charged when a bid wins ?Expires 12\/2029/,
  );
});

Deno.test("/billing names the origin of the processor's pages for its forms, and no other", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  const { headers, body } = await browser.get("/billing");
  await body?.cancel();
  const policy = headers.get("content-security-policy") ?? "";
  const { origin } = new URL(site.simulator.url);
  assertMatch(policy, new RegExp(`form-action 'self' ${origin}$`));
  assertEquals(headers.get("cache-control"), "no-store");
});

Deno.test("a processor's page at an origin nobody named is reached by a page of ours", async () => {
  await using site = await openBillingSite(hostedPageOrigins(null));
  const browser = await site.onboarded("ada");
  const answer = await act(browser, "set-up");
  assertEquals(answer.status, 200);
  const page = await answer.text();
  const [, url = ""] = /content="0; url=([^"]+)"/.exec(page) ?? [];
  assertEquals(new URL(url).origin, site.simulator.url);
  assertStringIncludes(page, `<a class="button" href="${url}"`);
});

for (
  const [what, card, done, note] of [
    ["left", null, "not_finished", "No card was saved: the page was left"],
    [
      "declined",
      "chargeDeclined",
      "not_finished",
      "or the bank declined the card",
    ],
  ] as const
) {
  Deno.test(`/billing says plainly that a set-up was ${what}`, async () => {
    await using site = await openBillingSite();
    const browser = await site.onboarded("ada");
    const begun = await act(browser, "set-up");
    const url = begun.headers.get("location") ?? "";
    const shown = card === null
      ? await visit(url)
      : await submit(url, { card });
    const back = new URL(shown.links["Cancel and return"] ?? "");
    const returned = await browser.get(`${back.pathname}${back.search}`);
    assertEquals(await locationOf(returned), `/billing?done=${done}`);
    const text = await site.textOf(browser, leadOf(returned));
    assertStringIncludes(text, note);
    assertEquals(await cardsOf(site, browser), []);
  });
}

Deno.test("/billing says that a page had expired", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  const begun = await act(browser, "set-up");
  const url = begun.headers.get("location") ?? "";
  const { links } = await visit(url);
  const back = new URL(links["Cancel and return"] ?? "");
  site.world.clock.advance(86_400_000);
  const returned = await browser.get(`${back.pathname}${back.search}`);
  assertEquals(await locationOf(returned), "/billing?done=expired");
});

Deno.test("/billing/return with a set-up of nobody's, or none, looks at the cards alone", async () => {
  await using site = await openBillingSite();
  const { browser } = await withCards(site);
  const eve = await site.onboarded("eve");
  const { setups } = await site.services.store.wallets.find("acc_ada") ??
    { setups: [] };
  for (const path of ["", "?setup=", "?setup=x", `?setup=${setups[0]?.ref}`]) {
    const returned = await eve.get(`/billing/return${path}`);
    assertEquals(await locationOf(returned), "/billing");
  }
  assertEquals(await cardsOf(site, eve), []);
  const returned = await browser.get("/billing/return");
  assertEquals(await locationOf(returned), "/billing");
});

Deno.test("/billing before onboarding leads to it, by link and by form", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada");
  const text = await (await browser.get("/billing")).text();
  assertStringIncludes(
    text,
    '<a href="/onboarding">enter your company details</a>',
  );
  assert(!text.includes("/billing/set-up"));
  for (const what of ["set-up", "portal"]) {
    assertEquals(await locationOf(await act(browser, what)), "/onboarding");
  }
});

Deno.test("/billing says when the processor can't be reached, and changes nothing", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  const fault = { kind: "rate_limit", times: null } as const;
  site.simulator.control.addFault(fault);
  for (const what of ["set-up", "portal"]) {
    const answer = await act(browser, what);
    assertEquals(answer.status, 503);
    assertEquals(answer.headers.get("retry-after"), "60");
    assertStringIncludes(await answer.text(), "can’t be reached right now");
  }
  site.simulator.control.clearFaults();
  assertEquals(
    await locationOf(await site.saveCard(browser)),
    "/identity?done=card",
  );
});

Deno.test("/billing/return says that it could not ask, and the card appears later", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  const begun = await act(browser, "set-up");
  const { location } = await submit(begun.headers.get("location") ?? "", {
    card: "visa",
  });
  const back = new URL(location ?? "");
  const path = `${back.pathname}${back.search}`;
  site.simulator.control.addFault({ kind: "rate_limit" });
  const unsure = await browser.get(path);
  assertEquals(await locationOf(unsure), "/billing?done=unsure");
  const text = await site.textOf(browser, leadOf(unsure));
  assertStringIncludes(text, "appears here by itself within minutes");
  assertEquals(
    await locationOf(await browser.get(path)),
    "/identity?done=card",
  );
});

Deno.test("/billing charges another card from now on", async () => {
  await using site = await openBillingSite();
  const { browser, mastercard } = await withCards(site);
  const answer = await act(browser, "default", mastercard);
  assertEquals(await locationOf(answer), "/billing?done=chosen");
  const text = await site.textOf(browser, leadOf(answer));
  assertStringIncludes(text, "Mastercard ending in 4444 – charged");
  assert(text.indexOf("4444") < text.indexOf("4242"), "it comes first");
});

Deno.test("/billing removes a card, and another is charged", async () => {
  await using site = await openBillingSite();
  const { browser, visa } = await withCards(site);
  const answer = await act(browser, "remove", visa);
  assertEquals(await locationOf(answer), "/billing?done=removed");
  const text = await site.textOf(browser, "/billing");
  assert(!text.includes("4242"));
  assertStringIncludes(text, "Mastercard ending in 4444 – charged");
});

Deno.test("/billing keeps the card of a live bid and says which bid", async () => {
  await using site = await openBillingSite();
  const { browser, visa } = await withCards(site);
  await bidByDefault(site, browser);
  const page = await (await browser.get("/billing")).text();
  assertStringIncludes(page, "20 November 2026");
  assertEquals(page.match(/\/billing\/remove/g)?.length, 1);
  const answer = await act(browser, "remove", visa);
  assertEquals(answer.status, 409);
  const text = await answer.text();
  assertStringIncludes(text, "your bid for 2026-11-20 stands on it");
  assertEquals((await cardsOf(site, browser)).length, 2);
});

Deno.test("/billing answers alike for cards that are unknown and another's", async () => {
  await using site = await openBillingSite();
  const { visa } = await withCards(site);
  const eve = await site.onboarded("eve");
  const pages = new Set<string>();
  for (const what of ["default", "remove"]) {
    for (const id of [visa, "pm_none", "", "\u0000", "../x"]) {
      const answer = await act(eve, what, id);
      assertEquals(answer.status, 404);
      pages.add(await answer.text());
    }
  }
  assertEquals(pages.size, 1);
});

Deno.test("/billing opens the portal, and what was removed there is gone on the way back", async () => {
  await using site = await openBillingSite();
  const { browser, visa } = await withCards(site);
  const opened = await act(browser, "portal");
  assertEquals(opened.status, 303);
  const url = opened.headers.get("location") ?? "";
  const { links } = await submit(url, { remove: visa });
  const back = new URL(links["Return to the seller"] ?? "");
  const returned = await browser.get(back.pathname);
  assertEquals(await locationOf(returned), "/billing");
  assert(!(await site.textOf(browser, "/billing")).includes("4242"));
});

Deno.test("/billing says how many cards and set-ups are too many", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  for (let nth = 0; nth < 10; nth++) {
    assertEquals((await site.saveCard(browser)).status, 303);
  }
  const exhausted = await act(browser, "set-up");
  assertEquals(exhausted.status, 409);
  assertStringIncludes(await exhausted.text(), "as many cards as can be saved");
  const [card] = await cardsOf(site, browser);
  await act(browser, "remove", card?.id);
  const answer = await act(browser, "set-up");
  assertEquals(answer.status, 429);
  assertEquals(answer.headers.get("retry-after"), "86400");
  assertStringIncludes(await answer.text(), "try again tomorrow");
});

for (const what of CHANGES) {
  Deno.test(`/billing/${what} needs our own Origin, a session and a recent sign-in`, async () => {
    await using site = await openBillingSite();
    const { browser, visa } = await withCards(site);
    const form = new URLSearchParams({ card: visa });
    for (const origin of [null, "null", "https://evil.example"]) {
      const answer = await browser.post(`/billing/${what}`, form, { origin });
      assertEquals(answer.status, 403);
    }
    const visitor = await site.visitor(`/billing/${what}`, {
      method: "POST",
      headers: { origin: site.services.settings.baseUrl },
    });
    assertEquals(await locationOf(visitor), "/sign-in?next=%2Fbilling");
    site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
    const stale = await act(browser, what, visa);
    assertEquals(await locationOf(stale), "/sign-in?next=%2Fbilling");
    assertEquals((await cardsOf(site, browser)).length, 2);
    const account = await site.services.store.accounts.find("acc_ada");
    assertEquals(account?.defaultPaymentMethodId, visa);
    await browser.signInAgain();
    assertEquals((await act(browser, what, visa)).status, 303);
  });
}

Deno.test("the way back without a session leads to sign in and on to it", async () => {
  await using site = await openBillingSite();
  const answer = await site.visitor("/billing/return?setup=setup_1");
  assertEquals(
    await locationOf(answer),
    "/sign-in?next=%2Fbilling%2Freturn%3Fsetup%3Dsetup_1",
  );
});

Deno.test("the way back costs a token of the address, the page itself none", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  let status = 303;
  for (let nth = 0; nth < 200 && status === 303; nth++) {
    const answer = await browser.get("/billing/return");
    status = answer.status;
    await answer.body?.cancel();
  }
  assertEquals(status, 429);
  assertEquals((await browser.get("/billing")).status, 200);
});

Deno.test("/billing shows no note but its own", async () => {
  await using site = await openBillingSite();
  const browser = await site.onboarded("ada");
  for (const done of ["constructor", "__proto__", "<b>x</b>", "unknown"]) {
    const query = new URLSearchParams({ done });
    const page = await (await browser.get(`/billing?${query}`)).text();
    assert(!page.includes('role="status"') && !page.includes("<b>x"), done);
  }
});

Deno.test("a dispute is said on /billing", async () => {
  await using site = await openBillingSite();
  const browser = await site.browser("ada", { disputeOpen: true });
  const text = await site.textOf(browser, "/billing");
  assertStringIncludes(text, "is disputed at the bank");
});
