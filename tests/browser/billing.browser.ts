import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { dayOf } from "../../domain/day.ts";
import {
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import {
  openProcessorBrowser,
  type ProcessorBrowser,
} from "../support/processor_browser.ts";

/** Goes to the processor's page and gives it a test card. */
async function save(page: Page, card: string): Promise<void> {
  await page.getByRole("button", { name: /^Save (a|another) card$/ }).click();
  await page.waitForURL("**/hosted/**");
  await page.getByLabel("Test card", { exact: true }).selectOption(card);
  await page.getByRole("button", { name: "Save card" }).click();
}

/** A bid that stands on the card that is charged. */
async function standOn(world: ProcessorBrowser, accountId: string) {
  const { services } = world.running.service.core;
  const day = dayOf(services.clock.now());
  await services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    tx.calendar.save({ launchDay: day, settledThroughDay: null });
    tx.bids.save({
      id: "bid_1",
      day,
      accountId,
      adId: "ad_1",
      amountCents: 1_000,
      status: "active",
      placedAtMs: services.clock.now(),
      paymentMethodId: account?.defaultPaymentMethodId ?? "",
      grantId: null,
    });
  });
}

Deno.test("cards are saved, chosen and removed on the processor's pages and ours", async () => {
  await using world = await openProcessorBrowser();
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/billing");
  await signInHere(world, page);
  await page.waitForURL("**/billing");
  await page.getByRole("link", { name: "enter your company details" })
    .waitFor();
  await see(page, "billing-not-onboarded");
  const accountId = await world.onboard();
  await page.reload();
  await see(page, "billing-empty");

  await save(page, "chargeDeclined");
  await page.getByRole("alert").waitFor();
  await page.getByRole("link", { name: "Cancel and return" }).click();
  await page.waitForURL("**/billing?done=not_finished.*");
  await see(page, "billing-not-finished");

  await save(page, "visa");
  await page.waitForURL("**/billing?done=saved.*");
  await see(page, "billing-saved");
  await save(page, "authenticationRequiredOnSetup");
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await page.waitForURL("**/billing?done=saved.*");
  await page.getByRole("button", { name: /^Use for future bids/ }).click();
  await page.waitForURL("**/billing?done=chosen.*");
  await standOn(world, accountId);
  await page.getByText("Remove Visa ending in 4242").click();
  await see(page, "billing-two-cards");
  await page.getByRole("button", { name: /^Remove this card/ }).click();
  await page.waitForURL("**/billing?done=removed.*");
  const text = await page.innerText("main");
  assert(!text.includes("4242"), text);
  assertMatch(text, /Visa ending in 3155 – charged when a bid wins/);
  assertMatch(text, /Your bid for .* stands on it/);
  await see(page, "billing-live-bid");

  await page.getByRole("button", { name: "Open the billing portal" }).click();
  await page.waitForURL("**/hosted/**");
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("link", { name: "Return to the seller" }).click();
  await page.waitForURL("**/billing");
  await see(page, "billing-gone");
  assertMatch(await page.innerText("main"), /A charge to it will fail/);
  assertEquals(unwanted(complaints), []);
});

Deno.test("a card is saved without JavaScript", async () => {
  await using world = await openProcessorBrowser();
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await page.goto("/billing");
  await signInHere(world, page);
  await page.waitForURL("**/billing");
  await world.onboard();
  await page.reload();
  await save(page, "visa");
  await page.waitForURL("**/billing?done=saved.*");
  assertMatch(await page.innerText("main"), /Visa ending in 4242/);
  assertEquals(unwanted(complaints), []);
});

Deno.test("a card that its user paid with and closed the browser is there the next time", async () => {
  await using world = await openProcessorBrowser();
  const { page, context } = await world.open();
  await page.goto("/billing");
  await signInHere(world, page);
  await page.waitForURL("**/billing");
  await world.onboard();
  await page.reload();
  await context.route("**/billing/return**", (route) => route.abort());
  await save(page, "visa").catch(() => {});
  // Only the event tells of it, which is looked into once it is answered.
  await world.simulator.control.webhooks.idle();
  const next = await context.newPage();
  for (let nth = 0; nth < 50; nth++) {
    await next.goto("/billing");
    if ((await next.innerText("main")).includes("ending in 4242")) return;
  }
  throw new Error("The card never came");
});
