import { assertEquals, assertMatch } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { startClient } from "../support/listening_client.ts";

Deno.test("an agent is seen, revoked and refused from then on", async () => {
  await using world = await openBrowserWorld();
  const { settings } = world.running.config;
  const { services } = world.running.service.core;
  await using client = await startClient(settings.authUrl);
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/agents");
  await signInHere(world, page);
  await page.waitForURL("**/agents");
  await see(page, "agents-none");
  await page.goto(client.authorizeUrl("account:read bids:write"));
  await page.getByLabel("Highest single bid").fill("250");
  await page.getByLabel("Most it may bid on one day").fill("1000");
  const lastDay = addDays(dayOf(Date.now()), 60);
  await page.getByLabel("Last day it may bid").fill(lastDay);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  const code = (await client.answered).get("code") ?? "";
  const token = String((await client.exchange(code)).access_token);
  assertEquals(await client.statusOfMe(token), 200);

  const owner = await services.store.accountEmails.find(ADA);
  const accountId = owner?.accountId ?? "";
  const [grant] = await services.store.listGrants(accountId, { limit: 1 });
  const day = addDays(dayOf(Date.now()), 1);
  await openAuction(services, { day });
  await services.store.transact((tx) => {
    tx.bids.save({
      id: "bid_1",
      day,
      accountId,
      adId: "ad_1",
      amountCents: 12_345,
      status: "active",
      placedAtMs: Date.now(),
      paymentMethodId: "pm_1",
      grantId: grant?.id ?? null,
    });
  });
  await page.goto("/agents");
  await page.getByText("Revoke…").click();
  await see(page, "agents");
  assertMatch(await page.innerText("main"), /EUR 123\.45 for the Spotlight/);
  await page.getByRole("link", { name: "Webhook" }).click();
  await page.getByLabel("Address").fill("ftp://agent.example/");
  await page.getByRole("button", { name: "Save" }).click();
  await see(page, "agents-webhook-refused");
  // The browser tells of every page that is not 200.
  assertMatch(complaints.splice(0).join(), /^[^,]*400 \(Bad Request\)$/);
  await page.getByLabel("Address").fill("https://agent.example/hooks");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Copy it now").waitFor();
  await see(page, "agents-webhook");
  assertMatch(await page.innerText("main"), /whsec_/);
  await page.getByRole("link", { name: "Your agents", exact: true }).last()
    .click();
  await page.getByText("Revoke…").click();
  await page.getByRole("button", { name: "Revoke access of" }).click();
  await page.waitForURL("**/agents?done=revoked.*");
  await see(page, "agents-revoked");
  assertEquals(await client.statusOfMe(token), 401);
  assertEquals(complaints, []);
});

Deno.test("a person changes what an agent may do, and sees at its next request what stands", async () => {
  await using world = await openBrowserWorld();
  const { settings } = world.running.config;
  await using client = await startClient(settings.authUrl);
  const { page, complaints } = await world.open(PHONE);
  await page.goto(client.authorizeUrl("account:read"));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  await page.goto("/agents");
  await page.getByText("Change what it may do").click();
  await see(page, "agents-change");
  await page.getByLabel("Place and raise bids").check();
  await page.getByLabel("Highest single bid").fill("250");
  await page.getByLabel("Most it may bid on one day").fill("1000");
  const lastDay = addDays(dayOf(Date.now()), 60);
  await page.getByLabel("Last day it may bid").fill(lastDay);
  await page.getByLabel("Most it may bid until then").fill("x");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("#total_cap-error").waitFor();
  await see(page, "agents-change-faulty");
  await page.getByLabel("Most it may bid until then").fill("3000");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/agents?done=changed.*");
  await see(page, "agents-changed");
  await page.goto(client.authorizeUrl("account:read invoices:read"));
  await see(page, "consent-standing");
  assertMatch(await page.innerText("main"), /It is connected already/);
  assertEquals(
    await page.getByLabel("Highest single bid").inputValue(),
    "250.00",
  );
  assertEquals(unwanted(complaints), []);
});

Deno.test("an agent is revoked without JavaScript", async () => {
  await using world = await openBrowserWorld();
  const { settings } = world.running.config;
  await using client = await startClient(settings.authUrl);
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto(client.authorizeUrl("account:read"));
  await signInHere(world, page);
  await page.waitForURL("**/connect/areq_*");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${client.redirectUri}?**`);
  const code = (await client.answered).get("code") ?? "";
  const token = String((await client.exchange(code)).access_token);
  await page.goto("/agents");
  await page.getByText("Revoke…").click();
  await page.getByRole("button", { name: "Revoke access of" }).click();
  await page.waitForURL("**/agents?done=revoked.*");
  assertEquals(await client.statusOfMe(token), 401);
});
