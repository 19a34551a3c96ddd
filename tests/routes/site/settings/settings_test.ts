import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { MAILS, MUTABLE_MAILS } from "../../../../domain/mail/mail_kinds.ts";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { SoftAuthenticator } from "../../../support/authenticator.ts";
import {
  mailedCode,
  signedInBrowser,
  TestBrowser,
} from "../../../support/browser.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { TEST_KEYS } from "../../../support/keys.ts";
import { NO_PROCESSOR, OUTSIDE } from "../../../support/outside.ts";
import {
  openSite,
  type SiteApp,
  TEST_SETTINGS,
} from "../../../support/site_app.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const ADA = "ada@example.com";

async function withPasskey(site: SiteApp, signedIn?: TestBrowser) {
  const browser = signedIn ?? await signedInBrowser(site);
  const options = await (await browser.send("/passkeys/options", {})).json();
  const response = new SoftAuthenticator().create(options);
  const { id } = await (await browser.send("/passkeys", { response })).json();
  return { browser, id: String(id) };
}

Deno.test("signing out ends the session and empties the browser", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const before = browser.cookie;
  const answer = await browser.post("/settings/sign-out");
  assertEquals(answer.status, 303);
  assertEquals(ledTo(answer), "/?done=signed-out");
  // Not "cookies": that this browser is known stays.
  assertEquals(answer.headers.get("clear-site-data"), '"storage"');
  assertEquals(browser.cookies.has("svc_sess"), false);
  const headers = { cookie: before };
  const old = await new TestBrowser(site).get("/settings", { headers });
  assertEquals(old.status, 303);
  const home = await (await browser.get("/?done=signed-out")).text();
  assertStringIncludes(home, "You are signed out.");
});

Deno.test("/ tells nobody that they are signed out who is signed in, or only came by", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (
    const answer of [
      await browser.get("/?done=signed-out"),
      await new TestBrowser(site).get("/"),
      await new TestBrowser(site).get("/?done=other"),
    ]
  ) assert(!(await answer.text()).includes("You are signed out."));
});

Deno.test("signing out everywhere ends every session of the account alone", async () => {
  await using site = await openSite();
  const [here, there] = [
    await signedInBrowser(site),
    await signedInBrowser(site),
  ];
  const bob = await signedInBrowser(site, "bob@example.com");
  const answer = await here.post("/settings/sign-out-everywhere");
  assertEquals(answer.status, 303);
  assertEquals((await there.get("/settings")).status, 303);
  assertEquals((await bob.get("/settings")).status, 200);
  const again = await signedInBrowser(site);
  assertEquals((await again.get("/settings")).status, 200);
});

Deno.test("a session that begins as all are ended does not outlive it", async () => {
  await using site = await openSite();
  for (let round = 0; round < 10; round++) {
    const email = `ada${round}@example.com`;
    const old = await signedInBrowser(site, email);
    const browser = new TestBrowser(site);
    await browser.post("/sign-in", { email, next: "/" }, {
      from: `192.0.2.${round}`,
    });
    const code = await mailedCode(site, email);
    const [ended, begun] = await Promise.all([
      old.post("/settings/sign-out-everywhere"),
      browser.post("/sign-in/verify", { code }),
    ]);
    assertEquals([ended.status, begun.status], [303, 303]);
    // Which commit was first decides; the old session is over in any case.
    const known = await site.test.store.accountEmails.find(email);
    const id = known?.accountId ?? "";
    const sessions = await site.test.store.listSessions(id, { limit: 9 });
    const credentials = await site.test.store.credentials.find(id);
    assertEquals(credentials?.generation, 1);
    const alive = sessions.filter(({ generation }) => generation === 1);
    const status = (await browser.get("/settings")).status;
    assertEquals(status, alive.length === 1 ? 200 : 303);
    assertEquals((await old.get("/settings")).status, 303);
  }
});

Deno.test("/settings shows who is signed in, where, and the passkeys", async () => {
  await using site = await openSite();
  const { browser } = await withPasskey(site);
  const agent =
    "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
  const other = new TestBrowser(site);
  await other.post("/sign-in", { email: ADA, next: "/" });
  const code = await mailedCode(site, ADA);
  const headers = { "user-agent": agent };
  await other.post("/sign-in/verify", { code }, { headers });
  const page = await (await browser.get("/settings")).text();
  assertMatch(page, /<strong>ada@example\.com<\/strong>/);
  assertMatch(page, /<strong>Firefox on Windows<\/strong>/);
  assertMatch(page, /\(this browser\)/);
  assertMatch(page, /not used yet/);
  assertMatch(page, /<noscript>/);
});

Deno.test("pages of one person are never kept, framed or scripted from elsewhere", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  for (const path of ["/settings", "/sign-in/verify"]) {
    const { headers } = await browser.get(path);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("referrer-policy"), "same-origin");
    assertEquals(headers.get("x-frame-options"), "DENY");
    assertEquals(headers.get("cross-origin-opener-policy"), "same-origin");
    assertEquals(
      headers.get("content-security-policy"),
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "script-src 'self'; connect-src 'self'",
    );
  }
});

Deno.test("a passkey is renamed by its owner", async () => {
  await using site = await openSite();
  const { browser, id } = await withPasskey(site);
  const name = "  Ada’s <b>phone</b>\u202e ";
  const form = { passkey: id, name };
  const answer = await browser.post("/settings/passkeys/rename", form);
  assertEquals(
    ledTo(answer),
    "/settings?done=passkey-renamed",
  );
  const page = await (await browser.get(leadOf(answer)))
    .text();
  assertMatch(page, /role="status">The passkey has its new name/);
  assertMatch(page, /<strong>Ada’s &lt;b&gt;phone&lt;\/b&gt;<\/strong>/);
  for (const bad of ["", "  ", "\u200b", "x".repeat(61)]) {
    const refused = await browser.post("/settings/passkeys/rename", {
      passkey: id,
      name: bad,
    });
    assertEquals(refused.status, 400);
    const html = await refused.text();
    assertFaults(html, [`name-${id}`]);
    assertStringIncludes(html, "Cannot name the passkey");
    assertStringIncludes(html, "<details open>");
  }
});

Deno.test("S7 a passkey may go while the e-mail address can sign in", async () => {
  await using site = await openSite();
  const { browser, id } = await withPasskey(site);
  const answer = await browser.post("/settings/passkeys/remove", {
    passkey: id,
  });
  assertEquals(
    ledTo(answer),
    "/settings?done=passkey-removed",
  );
  const [mail] = await site.test.store.listMails({ limit: 1, reverse: true });
  assertEquals(
    mail?.subject,
    "A passkey was removed from your Spotlight account",
  );
  assertEquals(mail?.to, ADA);
  const again = await browser.post("/settings/passkeys/remove", {
    passkey: id,
  });
  assertEquals(again.status, 404);
});

Deno.test("S7 the last way to sign in is never removed", async () => {
  await using site = await openSite();
  const { browser, id } = await withPasskey(site);
  await site.test.store.transact(async (tx) => {
    const known = await tx.accountEmails.find(ADA);
    const account = await tx.accounts.find(known?.accountId ?? "");
    assert(account !== null);
    tx.accounts.save({ ...account, email: "" });
  });
  const answer = await browser.post("/settings/passkeys/remove", {
    passkey: id,
  });
  assertEquals(answer.status, 409);
  assertMatch(await answer.text(), /This is the last way to sign in/);
  const page = await (await browser.get("/settings")).text();
  assertMatch(page, /name="passkey"/);
});

Deno.test("another's passkey is neither renamed nor removed", async () => {
  await using site = await openSite();
  const { browser, id } = await withPasskey(site);
  const bob = await signedInBrowser(site, "bob@example.com");
  const form = { passkey: id, name: "Mine" };
  for (const what of ["rename", "remove"]) {
    const answer = await bob.post(`/settings/passkeys/${what}`, form);
    assertEquals(answer.status, 404);
  }
  const page = await (await browser.get("/settings")).text();
  assert(!page.includes("Mine"));
});

Deno.test("/settings saves which mails are wanted, and shows what was chosen", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const ticked = async () => {
    const page = await (await browser.get("/settings")).text();
    return [...page.matchAll(/<input type="checkbox" name="(\w+)"([^>]*)>/g)]
      .filter(([, , rest = ""]) => rest.includes("checked"))
      .map(([, name]) => name);
  };
  assertEquals(await ticked(), MUTABLE_MAILS);
  const answer = await browser.post("/settings/mails", { card_expiry: "yes" });
  assertEquals(answer.status, 303);
  assertEquals(ledTo(answer), "/settings?done=mails");
  assertEquals(await ticked(), ["card_expiry"]);
  await browser.post("/settings/mails", {});
  assertEquals(await ticked(), []);
});

Deno.test("an owner is mailed ten times a day of passkeys that come and go, and is told which mail is the last", async () => {
  await using site = await openSite();
  const addAndRemove = async (browser: TestBrowser) => {
    const { id } = await withPasskey(site, browser);
    await browser.post("/settings/passkeys/remove", { passkey: id });
  };
  const mails = async () =>
    (await site.test.store.listMails({ limit: 100 }))
      .filter(({ subject }) => subject.startsWith("A passkey"));
  const browser = await signedInBrowser(site);
  for (let nth = 0; nth < 6; nth++) await addAndRemove(browser);
  const today = await mails();
  assertEquals(today.length, 10);
  const last = today.filter(({ text }) =>
    text.includes("the last mail of this kind")
  );
  assertEquals(last.map(({ id }) => id), [today.at(-1)?.id]);
  site.test.clock.advance(86_400_000);
  await addAndRemove(await signedInBrowser(site));
  assertEquals((await mails()).length, 12);
});

Deno.test("/settings says which mails always come, and promises none that nobody sends", async () => {
  await using site = await openSite();
  const page = await (await (await signedInBrowser(site)).get("/settings"))
    .text();
  const always = Object.values(MAILS).filter(({ choice }) => choice === null);
  assert(always.length > 5);
  for (const { when } of always) assertStringIncludes(page, escaped(when));
  for (const { when, choice } of Object.values(MAILS)) {
    if (choice !== null) assert(!page.includes(escaped(when)), when);
  }
});

Deno.test("signing out everywhere asks first, and says what it ends", async () => {
  await using site = await openSite();
  const [here, there] = [
    await signedInBrowser(site),
    await signedInBrowser(site),
  ];
  const { accountId = "" } = await site.test.store.accountEmails.find(ADA) ??
    {};
  const { store, clock, ids } = site.test;
  const { log } = site;
  const services = {
    ...OUTSIDE,
    processor: NO_PROCESSOR,
    ...{ store, clock, ids, log, keys: TEST_KEYS, settings: TEST_SETTINGS },
  };
  await createGrant(services, {
    accountId,
    clientId: "client_1",
    clientName: "Bid <Agent>",
    scopes: ["account:read"],
    mandate: null,
  });
  const page = await (await here.get("/settings/sign-out-everywhere")).text();
  assertStringIncludes(page, "all 2 browsers");
  assertStringIncludes(page, "Bid &lt;Agent&gt;");
  assertStringIncludes(page, "Bids that were accepted stand.");
  assertEquals((await there.get("/settings")).status, 200);
  assertEquals(
    (await here.post("/settings/sign-out-everywhere")).status,
    303,
  );
  assertEquals((await there.get("/settings")).status, 303);
  const [grant] = await store.listGrants(accountId, { limit: 1 });
  assertEquals(grant?.revokedReason, "account");
});

/** The sessions that a page offers to end. */
async function endable(browser: TestBrowser): Promise<string[]> {
  const page = await (await browser.get("/settings")).text();
  return [...page.matchAll(/name="session" value="([^"]+)"/g)]
    .map(([, hash = ""]) => hash);
}

Deno.test("one other browser is signed out, and this one is not offered", async () => {
  await using site = await openSite();
  const [here, there, third] = [
    await signedInBrowser(site),
    await signedInBrowser(site),
    await signedInBrowser(site),
  ];
  const others = await endable(here);
  assertEquals(others.length, 2);
  const thirdSees = await endable(third);
  const [session = ""] = others.filter((hash) => !thirdSees.includes(hash));
  const answer = await here.post("/settings/sessions/end", { session });
  assertEquals(ledTo(answer), "/settings?done=signed-out");
  // A second click changes nothing.
  await here.post("/settings/sessions/end", { session });
  assertEquals((await there.get("/settings")).status, 200);
  assertEquals((await third.get("/settings")).status, 303);
  assertEquals((await endable(here)).length, 1);
});

Deno.test("nobody signs another's browser out, nor anybody's by a session that is over", async () => {
  await using site = await openSite();
  const [here, there] = [
    await signedInBrowser(site),
    await signedInBrowser(site),
  ];
  const bob = await signedInBrowser(site, "bob@example.com");
  const [session = ""] = await endable(here);
  for (const other of [session, "", "x".repeat(4_000), "\u0000"]) {
    const answer = await bob.post("/settings/sessions/end", { session: other });
    assertEquals(answer.status, 303);
  }
  assertEquals((await there.get("/settings")).status, 200);
  await here.post("/settings/sign-out");
  const late = await here.post("/settings/sessions/end", { session });
  assertEquals(late.headers.get("location"), "/sign-in?next=%2Fsettings");
  assertEquals((await there.get("/settings")).status, 200);
});

Deno.test("of a browser its kind alone is kept, and sessions of earlier versions are shown as before", async () => {
  await using site = await openSite();
  const browser = await signedInBrowser(site);
  const { accountId = "" } = await site.test.store.accountEmails.find(ADA) ??
    {};
  const { store } = site.test;
  const [session] = await store.listSessions(accountId, { limit: 2 });
  assert(session !== undefined);
  assertEquals(session.userAgent, undefined);
  assertEquals(session.browser, "Browser");
  const { browser: _, ...old } = session;
  const userAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X) Firefox/140.0";
  await store.transact((tx) => tx.sessions.save({ ...old, userAgent }));
  const page = await (await browser.get("/settings")).text();
  assertMatch(page, /<strong>Firefox on Mac<\/strong>/);
});

function escaped(text: string): string {
  return text.replaceAll("'", "&#39;");
}
