import { assert, assertEquals, assertMatch } from "@std/assert";
import { newAccount } from "../../domain/accounts/new_account.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { startClient } from "../support/listening_client.ts";
import { WORKING_SET } from "../support/working_set.ts";

const WRITES = "account:read bids:read bids:write creatives:write";

const authUrlOf = ({ running }: BrowserWorld) =>
  running.config.settings.authUrl;

/** A day that every mandate may end on. */
function inAMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
}

Deno.test("a person goes from a client's request to its callback, with limits and opt-out", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world));
  const { page, complaints } = await world.open();
  await page.goto(client.authorizeUrl(WRITES));
  assertMatch(page.url(), /\/sign-in\?next=%2Fconnect%2F/);
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  assertMatch(await page.innerText("main"), /unverified registration/);
  await page.getByLabel("Write and submit advertisements").uncheck();
  await page.getByLabel("Highest single bid").fill("12.50");
  await page.getByLabel("Most it may bid on one day").fill("40");
  await page.getByLabel("Last day it may bid").fill(inAMonth());
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  assertEquals(await page.title(), "Connected");
  const answer = await client.answered;
  assertEquals(answer.get("state"), "state 1&<");
  assertEquals(answer.get("iss"), authUrlOf(world));
  const tokens = await client.exchange(answer.get("code") ?? "");
  assertEquals(tokens.scope, "account:read bids:read bids:write");
  assertEquals(await client.statusOfMe(String(tokens.access_token)), 200);
  assertEquals(complaints, []);
});

Deno.test("a person denies, and the client is told so", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world));
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await page.goto(client.authorizeUrl(WRITES));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  assertEquals((await client.answered).get("error"), "access_denied");
  assertEquals(complaints, []);
});

Deno.test("A7 the error of a request is told before any sign-in, and reaches the client by a click", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world));
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await page.goto(client.authorizeUrl("nonsense"));
  assertMatch(page.url(), /\/oauth\/authorize\?/);
  assertMatch(await page.innerText("main"), /The scope nonsense is not known/);
  await page.getByRole("link", { name: "Go to" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  assertEquals((await client.answered).get("error"), "invalid_scope");
  assertEquals(complaints.filter((one) => !one.includes("400")), []);
});

Deno.test("a callback on [::1], which no policy can name, is reached by a page in between", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world), {
    hostname: "::1",
  });
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await page.goto(client.authorizeUrl("account:read"));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  assertMatch((await client.answered).get("code") ?? "", /^svc_ac_/);
  assertEquals(complaints, []);
});

Deno.test("a client that passes on to another origin is reached by the page in between", async () => {
  await using world = await openBrowserWorld();
  await using onward = await startClient(authUrlOf(world), {
    hostname: "localhost",
  });
  await using client = await startClient(authUrlOf(world), {
    hop: onward.redirectUri,
  });
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await page.goto(client.authorizeUrl("account:read"));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByText("Did nothing happen after Allow?").click();
  await page.getByLabel("Go back by a page in between").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(onward.redirectUri);
  assert((await client.answered).has("code"));
  assertEquals(complaints, []);
});

Deno.test("K8 a stale sign-in is renewed on the way and the form comes back as it was", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world));
  const { page, complaints } = await world.open();
  await page.goto(client.authorizeUrl(WRITES));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByLabel("See your bids").uncheck();
  await page.getByLabel("Highest single bid").fill("9.99");
  await page.getByLabel("Most it may bid on one day").fill("9.99");
  await page.getByLabel("Last day it may bid").fill(inAMonth());
  await makeStale(world);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL("**/sign-in?next=**");
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  assertMatch(await page.getByRole("status").innerText(), /signed in again/);
  assertEquals(await page.getByLabel("See your bids").isChecked(), false);
  assertEquals(
    await page.getByLabel("Highest single bid").inputValue(),
    "9.99",
  );
  await see(page, "consent-resumed");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  assert((await client.answered).has("code"));
  assertEquals(complaints, []);
});

/** Makes every session one of yesterday evening. */
async function makeStale({ running }: BrowserWorld): Promise<void> {
  const { store } = running.service.core.services;
  const owner = await store.accountEmails.find(ADA);
  const sessions = await store.listSessions(owner?.accountId ?? "", {
    limit: 9,
  });
  for (const session of sessions) {
    const authTimeMs = session.authTimeMs - 3_600_000;
    await store.transact((tx) => tx.sessions.save({ ...session, authTimeMs }));
  }
}

Deno.test("the consent page is accessible and fits", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  await services.store.transact((tx) => {
    tx.accounts.save({ ...newAccount("acc_ada", ADA, 0) });
  });
  await using client = await startClient(authUrlOf(world), {
    name: "Grüner Einkaufs-Agent <b>für</b> sehr_lange_Namen_ohne_Leerzeichen",
  });
  const { page, complaints } = await world.open(PHONE);
  const more = "billing:read connections:write affiliate:read";
  await page.goto(client.authorizeUrl(`${WORKING_SET} ${more}`));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await see(page, "consent");
  await page.getByText("Allow only a part of this").first().click();
  await page.getByLabel("Change company details").uncheck();
  await see(page, "consent-part");
  await page.getByLabel("Highest single bid").fill("1,000");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("alert").first().waitFor();
  await see(page, "consent-faulty");
  const spending = page.getByLabel("Place and raise bids");
  const limit = page.getByLabel("Highest single bid");
  await spending.uncheck();
  assertEquals(await limit.isVisible(), false);
  await spending.check();
  assertEquals(await limit.isVisible(), true);
  const part = page.getByLabel("Change company details");
  assertEquals(await part.isChecked(), false);
  await page.getByLabel("See and change your company").uncheck();
  assertEquals(await part.isVisible(), false);
  assertEquals(unwanted(complaints), []);
});

Deno.test("a request of another browser is refused in plain words", async () => {
  await using world = await openBrowserWorld();
  await using client = await startClient(authUrlOf(world));
  const first = await world.open();
  await first.page.goto(client.authorizeUrl("account:read"));
  await signInHere(world, first.page);
  await first.page.waitForURL("**/connect/areq_*");
  const second = await world.open();
  await second.page.goto(first.page.url());
  await signInHere(world, second.page);
  await second.page.getByText("This request belongs to another browser")
    .waitFor();
  await see(second.page, "consent-other-browser");
});
