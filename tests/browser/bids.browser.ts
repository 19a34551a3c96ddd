import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { approvedCreative, readyAccount } from "../support/bidding_world.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";

/** Signs in and comes to the bids from the account's page. */
async function arrive(world: BrowserWorld, page: Page): Promise<void> {
  const { services } = world.running.service.core;
  // Tomorrow's too: today's may have closed when the test runs.
  const today = dayOf(services.clock.now());
  for (const ahead of [0, 1]) {
    await openAuction(services, { day: addDays(today, ahead) });
  }
  await page.goto("/account");
  await signInHere(world, page);
  await page.getByRole("link", { name: "Bids", exact: true }).click();
  await page.waitForURL("**/bids");
}

/** Has whoever has signed in pass all that comes before a bid. */
async function makeReady({ running }: BrowserWorld): Promise<void> {
  const { store, clock } = running.service.core.services;
  const accountId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    const { id, email } = account;
    tx.accounts.save({ ...readyAccount("ada"), ...account, ...ready(id) });
    tx.creatives.save({
      ...approvedCreative("ada"),
      accountId: id,
      headline: "Lamps that never blind, made in Berlin",
    });
    tx.paymentMethods.save({
      id: "pm_ada",
      accountId: id,
      fingerprint: null,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2099,
      createdAtMs: clock.now(),
    });
    assertEquals(email, ADA);
  });
}

function ready(id: string) {
  const { email: _email, ...rest } = readyAccount("ada");
  return { ...rest, id };
}

Deno.test("a bid is placed and raised in the browser", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await arrive(world, page);
  await page.getByRole("link", { name: "Enter your company" }).waitFor();
  await see(page, "bids-not-ready");
  await makeReady(world);
  await page.reload();
  await page.getByText("Preview of").click();
  await see(page, "bids-form");

  await page.getByLabel("Amount in euros").fill("0.50");
  await page.getByRole("button", { name: "Review the bid" }).click();
  // What is wrong has the focus, and leads to the field that says so, too.
  const alert = page.getByRole("alert");
  await page.waitForFunction("document.activeElement.role === 'alert'");
  await see(page, "bids-too-low");
  await alert.getByRole("link").click();
  assertEquals(await focusedField(page), {
    id: "amount",
    told: await alert.innerText(),
  });
  await page.getByLabel("Amount in euros").fill("99");
  await page.getByRole("button", { name: "Review the bid" }).click();
  const place = page.getByRole("button", { name: /^Place the bid of/ });
  await place.waitFor();
  await see(page, "bids-review");
  await place.click();
  await page.waitForURL("**/bids?done=placed");
  assertMatch(await page.innerText("main"), /EUR 99\.00 for Lamps/);
  await see(page, "bids-stands");

  await page.getByLabel("Amount in euros").fill("120,50");
  await page.getByRole("button", { name: "Review the raise" }).click();
  await page.getByRole("button", { name: /^Raise the bid to/ }).click();
  await page.waitForURL("**/bids?done=placed");
  assertMatch(await page.innerText("main"), /EUR 120\.50/);
  await page.goBack();
  // Chromium would stop there, and ask whether to send the form once more.
  assertEquals(new URL(page.url()).pathname, "/bids");
  assertMatch(await page.innerText("main"), /EUR 120\.50/);
  await page.getByLabel("Amount in euros").fill("130");
  await page.getByRole("button", { name: "Review the raise" }).click();
  await page.getByRole("button", { name: /^Raise the bid to/ }).waitFor();
  await page.reload();
  assertEquals(new URL(page.url()).pathname, "/bids");
  assertEquals(unwanted(complaints), []);
});

/** The field with the focus, and what it is said to be wrong. */
function focusedField(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const { id, attributes } = document.activeElement;
    const [told] = attributes["aria-describedby"].value.split(" ").slice(-1);
    return { id, told: document.getElementById(told).textContent };
  })()`);
}

Deno.test("a bid is placed without JavaScript, from the keyboard, and once by a double click", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await arrive(world, page);
  await makeReady(world);
  await page.reload();
  await page.getByLabel("Amount in euros").fill("42");
  await page.keyboard.press("Enter");
  const place = page.getByRole("button", { name: /^Place the bid of/ });
  await place.dblclick();
  await page.waitForURL("**/bids?done=placed");
  assertMatch(await page.innerText("main"), /EUR 42\.00/);
  assertEquals(unwanted(complaints), []);
});
