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
