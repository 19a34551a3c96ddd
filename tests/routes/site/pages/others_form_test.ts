/** A form that was shown to one account does nothing for another. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import {
  mailedCode,
  signedInBrowser,
  TestBrowser,
} from "../../../support/browser.ts";
import { BID_SETTINGS } from "../../../support/bidding_world.ts";
import { openSite } from "../../../support/site_app.ts";

const OTHERS = "Another account is signed in";
const SHOWN_TO = '<input type="hidden" name="shown_to" value="acc_ada">';

/** Pages that have forms for whoever is signed in. */
const PAGES = [
  "/settings",
  "/settings/email",
  "/settings/privacy",
  "/onboarding",
  "/billing",
  "/creatives/new",
  "/bids",
];

/** Paths that nobody has to be signed in for. */
const ANYBODYS = /^\/(sign-in|passkeys|report|refer|unsubscribe|erasure)(\/|$)/;

Deno.test("every form on a page of an account says whose it is, and on a page of nobody's none does", async () => {
  await using site = await openAdvertiserSite();
  await site.world.agent("ada");
  const ada = await site.browser("ada");
  let forms = 0;
  for (const path of PAGES) {
    const html = await (await ada.get(path)).text();
    for (
      const [form = ""] of html.matchAll(/<form method="post".*?<\/form>/gs)
    ) {
      assertStringIncludes(form, SHOWN_TO, path);
      forms += 1;
    }
  }
  assert(forms >= PAGES.length, `${forms} forms`);
});

Deno.test("nothing is done by a form that was shown to another account, wherever it is sent", async () => {
  await using site = await openAdvertiserSite();
  const paths = site.routes
    .filter(({ method, path }) => method === "POST" && !ANYBODYS.test(path))
    .map(({ path }) => path);
  assert(paths.length > 60, `${paths.length} paths`);
  const email = "operator@example.com";
  for (const path of paths) {
    const isDesks = path.startsWith("/operator");
    const browser = isDesks
      ? await site.browser("operator", { email })
      : await site.browser("bob");
    const form = new URLSearchParams({ shown_to: "acc_ada" });
    const to = path.replaceAll(/:\w+/g, "x");
    const answer = await browser.post(to, form);
    assertStringIncludes(await answer.text(), OTHERS, path);
    assertEquals(answer.status, 409, path);
    site.world.clock.advance(60_000);
    await browser.signInAgain();
  }
});

Deno.test("a form that was kept through another sign-in goes on for who typed it alone", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const bob = await site.browser("bob");
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  const typed = { email: "new@example.com" };
  const sent = new URLSearchParams(typed);
  const stale = await (await ada.post("/settings/email", sent)).text();
  assertStringIncludes(stale, "Please sign in again");
  assertStringIncludes(stale, SHOWN_TO);
  await bob.signInAgain();
  const kept = new URLSearchParams({ ...typed, shown_to: "acc_ada" });
  const refused = await bob.post("/settings/email", kept);
  assertEquals(refused.status, 409);
  assertStringIncludes(await refused.text(), OTHERS);
  const mails = () => site.services.store.listMails({ limit: 9 });
  assertEquals(await mails(), []);
  await ada.signInAgain();
  assertEquals((await ada.post("/settings/email", kept)).status, 303);
  assertEquals((await mails()).length, 2);
});

Deno.test("a form that is kept after its session ended is still for who it was shown to", async () => {
  await using site = await openAdvertiserSite();
  const answer = await site.visitor("/settings/email", {
    method: "POST",
    headers: { origin: BID_SETTINGS.baseUrl },
    body: new URLSearchParams({
      email: "new@example.com",
      shown_to: "acc_ada",
    }),
  });
  assertEquals(answer.status, 401);
  const html = await answer.text();
  assertStringIncludes(html, "You are signed out");
  assertStringIncludes(html, SHOWN_TO);
});

Deno.test("the page of a code for one address takes none for another that was asked for since", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const ask = (email: string) => browser.post("/sign-in", { email, next: "/" });
  await ask("ada@example.com");
  const adas = await (await browser.get("/sign-in/verify")).text();
  const sentTo = /name="sent_to" value="([^"]+)"/.exec(adas)?.[1] ?? "";
  assertEquals(sentTo, "ada@example.com");
  await ask("bob@example.com");
  const code = await mailedCode(site, "bob@example.com");
  const answer = await browser.post("/sign-in/verify", {
    code,
    sent_to: sentTo,
  });
  assertEquals(answer.status, 409);
  const html = await answer.text();
  assertStringIncludes(html, "that was sent to bob@example.com");
  assert(!browser.cookies.has("svc_sess"));
  const bobs = /name="sent_to" value="([^"]+)"/.exec(html)?.[1] ?? "";
  await browser.post("/sign-in/verify", { code, sent_to: bobs });
  assert(browser.cookies.has("svc_sess"));
});

Deno.test("a passkey is made by the page of the account that is signed in alone", async () => {
  await using site = await openSite();
  const ada = await signedInBrowser(site, "ada@example.com");
  const html = await (await ada.get("/settings")).text();
  const shownTo = /data-shown-to="([^"]+)"/.exec(html)?.[1] ?? "";
  const { accountId } =
    await site.test.store.accountEmails.find("ada@example.com") ?? {};
  assertEquals(shownTo, accountId);
  const options = { shown_to: shownTo };
  assertEquals((await ada.send("/passkeys/options", options)).status, 200);
  const bob = await signedInBrowser(site, "bob@example.com");
  const refused = await bob.send("/passkeys/options", options);
  assertEquals(refused.status, 409);
  assertStringIncludes((await refused.json()).detail, OTHERS);
});
