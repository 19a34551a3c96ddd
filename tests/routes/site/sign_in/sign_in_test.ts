import { TERMS_VERSION } from "../../../../domain/accounts/terms.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mailedCode, signIn, TestBrowser } from "../../../support/browser.ts";
import { openSite, TEST_SETTINGS } from "../../../support/site_app.ts";

const ADA = "ada@example.com";

Deno.test("a mailed code signs in and makes the account", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  const form = await (await browser.get("/sign-in?next=/agents")).text();
  assertMatch(form, /<input type="hidden" name="next" value="\/agents"/);
  const asked = await browser.post("/sign-in", {
    email: " Ada@Example.com ",
    next: "/agents",
  });
  assertEquals(asked.status, 303);
  assertEquals(asked.headers.get("location"), "/sign-in/verify");
  const page = await (await browser.get("/sign-in/verify")).text();
  assertMatch(page, /<strong>ada@example\.com<\/strong>/);
  const code = await mailedCode(site, ADA);
  const answer = await browser.post("/sign-in/verify", { code });
  assertEquals(answer.status, 303);
  assertEquals(answer.headers.get("location"), "/agents");
  const known = await site.test.store.accountEmails.find(ADA);
  assert(known !== null);
  const account = await (await browser.get("/account")).text();
  assertMatch(account, /You are signed in as <strong>ada@example\.com/);
  await signIn(site, new TestBrowser(site));
  const again = await site.test.store.accountEmails.find(ADA);
  assertEquals(again, known);
});

Deno.test("an operator who signs in lands at the desk, unless another page was asked for", async () => {
  await using site = await openSite();
  const [operator] = TEST_SETTINGS.operatorEmails;
  const landing = async (email: string, next: string) => {
    const answer = await signIn(site, new TestBrowser(site), email, next);
    return answer.headers.get("location");
  };
  assertEquals(await landing(operator, "/account"), "/operator");
  assertEquals(await landing(operator, "/bids"), "/bids");
  assertEquals(await landing(ADA, "/account"), "/account");
});

Deno.test("an account is made with the terms that its page named, and when; those of before keep none", async () => {
  await using site = await openSite();
  const browser = new TestBrowser(site);
  await browser.post("/sign-in", { email: ADA, next: "/settings" });
  const page = await (await browser.get("/sign-in/verify")).text();
  const [form = ""] = /<form.*<\/form>/s.exec(page) ?? [];
  assertMatch(form, /accept our.*href="\/terms"/s);
  assertMatch(form, /href="\/privacy"/);
  site.test.clock.advance(1_000);
  const acceptedAtMs = site.test.clock.now();
  const code = await mailedCode(site, ADA);
  await browser.post("/sign-in/verify", { code });
  const { store } = site.test;
  const id = (await store.accountEmails.find(ADA))?.accountId ?? "";
  const made = await store.accounts.find(id);
  const terms = { version: TERMS_VERSION, acceptedAtMs };
  assertEquals(made?.terms, terms);
  assertMatch(
    await (await browser.get("/settings")).text(),
    /You accepted the <a href="\/terms">terms<\/a>/,
  );
  site.test.clock.advance(1_000);
  await signIn(site, new TestBrowser(site));
  assertEquals((await store.accounts.find(id))?.terms, terms);
  assert(made !== null);
  const { terms: _, ...before } = made;
  await store.transact((tx) => tx.accounts.save(before));
  await signIn(site, new TestBrowser(site));
  assertEquals((await store.accounts.find(id))?.terms, undefined);
  const settings = await (await browser.get("/settings")).text();
  assert(!settings.includes("You accepted"));
});

Deno.test("the terms that are accepted are those of the published document", async () => {
  const { pathname } = new URL("../../../../docs/terms.md", import.meta.url);
  const text = await Deno.readTextFile(pathname);
  assertMatch(text, new RegExp(`These terms are of ${TERMS_VERSION}\\.`));
});
