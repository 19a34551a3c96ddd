import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Referral } from "../../../../domain/partners/referral.ts";
import { monthOf } from "../../../../domain/month.ts";
import { mailedCode, TestBrowser } from "../../../support/browser.ts";
import {
  LINK_CODE,
  PARTNER_ID,
  savePartner,
} from "../../../support/partners.ts";
import { openSite, type SiteApp } from "../../../support/site_app.ts";

const ADA = "ada@bakery.example";
const OTHER_CODE = "zzzzqd9vtzmw";

/** A site with a verified partner and its link, and a second link. */
async function openReferring(
  changes: Parameters<typeof savePartner>[1] = {},
): Promise<SiteApp> {
  const site = await openSite();
  await savePartner(site.test, changes);
  await site.test.store.transact((tx) =>
    tx.referralLinks.save({
      code: OTHER_CODE,
      partnerId: PARTNER_ID,
      name: "Another",
      state: "active",
      createdAtMs: 0,
      endedAtMs: null,
    })
  );
  return site;
}

/** The sign-in form as it was shown, filled in and sent. */
async function signUp(
  site: SiteApp,
  browser: TestBrowser,
  path: string,
  email = ADA,
): Promise<{ form: string; verify: string; referral: Referral | undefined }> {
  const form = await (await browser.get(path)).text();
  const [, ref] = /name="ref" value="([a-z0-9]+)"/.exec(form) ?? [];
  await browser.post("/sign-in", { email, ...ref !== undefined && { ref } });
  const verify = await (await browser.get("/sign-in/verify")).text();
  const code = await mailedCode(site, email);
  await browser.post("/sign-in/verify", { code });
  const { store } = site.test;
  const { accountId = "" } = await store.accountEmails.find(email) ?? {};
  const account = await store.accounts.find(accountId);
  return { form, verify, referral: account?.referral };
}

Deno.test("a partner's link asks before it sets a cookie, and says what the partner sees", async () => {
  await using site = await openReferring();
  const browser = new TestBrowser(site);
  const answer = await browser.get(`/r/${LINK_CODE}`);
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("set-cookie"), null);
  const page = await answer.text();
  assertMatch(page, /May we remember this for 30 days\?/);
  assertMatch(page, /never your name, a bid, a day or an invoice/);
  assertMatch(page, new RegExp(`href="/advertise\\?ref=${LINK_CODE}"`));
  const advertise = await browser.get(`/advertise?ref=${LINK_CODE}`);
  assertMatch(
    await advertise.text(),
    new RegExp(`href="/sign-in\\?ref=${LINK_CODE}&amp;next=%2Fonboarding"`),
  );
});

Deno.test("who agrees has a cookie for 30 days, and is not asked again", async () => {
  await using site = await openReferring();
  const browser = new TestBrowser(site);
  const agreed = await browser.post(`/r/${LINK_CODE}`, {});
  assertEquals(agreed.headers.get("location"), `/advertise?ref=${LINK_CODE}`);
  assertMatch(
    agreed.headers.get("set-cookie") ?? "",
    new RegExp(`^svc_ref=${LINK_CODE}; Max-Age=2592000; Path=/; .*HttpOnly`),
  );
  const again = await browser.get(`/r/${OTHER_CODE}`);
  assertEquals(again.headers.get("location"), `/advertise?ref=${LINK_CODE}`);
});

Deno.test("a sign-up without a cookie is credited by the code in its address, for 12 months, and says so", async () => {
  await using site = await openReferring();
  const nowMs = site.test.clock.now();
  const made = await signUp(
    site,
    new TestBrowser(site),
    `/sign-in?ref=${LINK_CODE}`,
  );
  assertMatch(made.form, /A partner recommended Spotlight to you/);
  assertMatch(made.form, /earns 10 % of what your invoices/);
  assertMatch(made.verify, /is credited with it/);
  assertEquals(made.referral, {
    partnerId: PARTNER_ID,
    code: LINK_CODE,
    signedUpAtMs: nowMs,
    untilMs: Date.parse("2027-11-20T12:00:00.000Z"),
    mailHost: "bakery.example",
    state: "credited",
  });
  const { store } = site.test;
  const [count] = await store.getMany([
    store.signUpCounts.ref(PARTNER_ID, monthOf(nowMs)),
  ]);
  assertEquals(count, 1);
  const brought = await store.listReferredAccounts(PARTNER_ID, { limit: 9 });
  assertEquals(brought.map(({ email }) => email), [ADA]);
});

Deno.test("the first link that was followed counts, and the cookie goes once there is an account", async () => {
  await using site = await openReferring();
  const browser = new TestBrowser(site);
  await browser.post(`/r/${LINK_CODE}`, {});
  await browser.post(`/r/${OTHER_CODE}`, {});
  const made = await signUp(site, browser, `/sign-in?ref=${OTHER_CODE}`);
  assertEquals(made.referral?.code, LINK_CODE);
  const next = await browser.get(`/r/${OTHER_CODE}`);
  assertEquals(next.status, 200);
});

Deno.test("who wants no partner signs up without one, and the cookie goes", async () => {
  await using site = await openReferring();
  const browser = new TestBrowser(site);
  await browser.post(`/r/${LINK_CODE}`, {});
  const offered = await (await browser.get("/sign-in?next=%2Fconnect%2F1"))
    .text();
  const path = "/sign-in?next=%2Fconnect%2F1&ref=none";
  assertStringIncludes(offered, `href="${path.replaceAll("&", "&amp;")}"`);
  const made = await signUp(site, browser, path);
  assertEquals(made.referral, undefined);
  assertStringIncludes(made.form, 'name="next" value="/connect/1"');
  assert(!made.form.includes("A partner recommended"));
  assertEquals((await browser.get(`/r/${OTHER_CODE}`)).status, 200);
});

const KINDLY: [
  what: string,
  code: string,
  changes: Parameters<
    typeof savePartner
  >[1],
][] = [
  ["a code that no link has", "aaaaaaaaaaaa", {}],
  ["a text that is no code", "..%2F..%2Faccount", {}],
  ["a partner who is not verified", LINK_CODE, { account: { partner: false } }],
];

for (const [what, code, changes] of KINDLY) {
  Deno.test(`the link of ${what} leads home, sets nothing and credits nobody`, async () => {
    await using site = await openReferring(changes);
    const browser = new TestBrowser(site);
    for (
      const answer of [
        await browser.get(`/r/${code}`),
        await browser.post(`/r/${code}`, {}),
      ]
    ) {
      assertEquals(answer.status, 303);
      assertEquals(answer.headers.get("location"), "/");
      assertEquals(answer.headers.get("set-cookie"), null);
    }
    const made = await signUp(site, browser, `/sign-in?ref=${code}`);
    assertEquals(made.referral, undefined);
  });
}

Deno.test("a link that ends before the code is given credits nobody", async () => {
  await using site = await openReferring();
  const browser = new TestBrowser(site);
  await browser.post("/sign-in", { email: ADA, ref: LINK_CODE });
  const { store } = site.test;
  await store.transact(async (tx) => {
    const link = await tx.referralLinks.find(LINK_CODE);
    assert(link !== null);
    tx.referralLinks.save({ ...link, state: "ended", endedAtMs: 1 });
  });
  const code = await mailedCode(site, ADA);
  await browser.post("/sign-in/verify", { code });
  const { accountId = "" } = await store.accountEmails.find(ADA) ?? {};
  assertEquals((await store.accounts.find(accountId))?.referral, undefined);
});

Deno.test("a partner is credited neither with its own account nor with its own mail domain, but with a stranger's at a public provider", async () => {
  await using site = await openReferring();
  const path = `/sign-in?ref=${LINK_CODE}`;
  const own = "grace@newsletter.example";
  const itself = await signUp(site, new TestBrowser(site), path, own);
  assertEquals(itself.referral, undefined);
  const colleague = "bob@mail.newsletter.example";
  const same = await signUp(site, new TestBrowser(site), path, colleague);
  assertEquals(same.referral, undefined);
  await site.test.store.transact(async (tx) => {
    const partner = await tx.accounts.find(PARTNER_ID);
    assert(partner !== null);
    tx.accounts.save({ ...partner, email: "grace@gmail.com" });
  });
  const stranger = "someone@gmail.com";
  const made = await signUp(site, new TestBrowser(site), path, stranger);
  assertEquals(made.referral?.partnerId, PARTNER_ID);
});
