import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { type Day, dayOf } from "../../domain/day.ts";
import type { Services } from "../../domain/ports.ts";
import {
  LOOKS,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { createAdvertiser, saveBid } from "../support/auction_world.ts";
import { approvedCreative, readyAccount } from "../support/bidding_world.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";
import { startTestProcessor } from "../support/test_processor.ts";

const OPERATOR = "operator@example.com";
const TABLET = ["tablet", { viewport: { width: 768, height: 900 } }] as const;

/** A day with a bid whose card is refused, and one that wins. */
async function bidFor(services: Services): Promise<Day> {
  const day = dayOf(services.clock.now());
  await openAuction(services, { day });
  const refused = await createAdvertiser(
    services,
    "bob",
    "pm_card_chargeCustomerFail",
  );
  await saveBid(services, refused, 9_900, day);
  const winner = await createAdvertiser(services, "cid", "pm_card_visa");
  await saveBid(services, winner, 8_800, day);
  return day;
}

/** Opens a page of the desk in a browser that signs in for it. */
async function openDesk(
  world: BrowserWorld,
  path: string,
  options: Parameters<BrowserWorld["open"]>[0],
): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await world.open(options);
  await page.goto(path);
  await signInHere(world, page, OPERATOR);
  await page.waitForURL(`**${path}`);
  return { page, complaints };
}

/** Sends the form of an act, then the page that asks. */
async function act(page: Page, title: string, reason?: string): Promise<void> {
  const form = page.locator("details", { hasText: title });
  await form.locator("summary").click();
  if (reason !== undefined) await form.getByLabel("Reason").fill(reason);
  await form.getByRole("button", { name: title }).click();
  await page.getByRole("heading", { name: `${title}?` }).waitFor();
}

for (const [look, options] of [...LOOKS, TABLET]) {
  Deno.test(`an operator follows a day, and removes what it showed: ${look}`, async () => {
    const { simulator, env } = await startTestProcessor();
    await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
    await using world = await openBrowserWorld({ env });
    const day = await bidFor(world.running.service.core.services);
    const { page, complaints } = await openDesk(
      world,
      "/operator/days",
      options,
    );
    await see(page, `days-${look}`);
    await page.locator("table a").first().click();
    await page.waitForURL(`**/operator/days/${day}`);
    await see(page, `day-open-${look}`);
    await act(page, "Close the auction now");
    await see(page, `day-confirm-${look}`);
    await page.getByRole("button", { name: "Close the auction now" }).click();
    await page.waitForURL("**?done=close.*");
    await see(page, `day-closed-${look}`);
    await act(page, "Try to settle it now");
    await page.getByRole("button", { name: "Try to settle it now" }).click();
    await page.waitForURL("**?done=settle.*");
    assertMatch(await page.innerText("main"), /Paid: the day is sold/);
    await see(page, `day-settled-${look}`);
    await act(page, "Remove the Spotlight", "A court has ordered it.");
    await page.getByRole("button", { name: "Remove the Spotlight" }).click();
    await page.waitForURL("**?done=remove.*");
    await see(page, `day-removed-${look}`);
    await page.goto("/operator/accounts/acc_cid");
    await see(page, `account-full-${look}`);
    await page.goto("/operator/accounts?find=gmbh");
    await see(page, `accounts-found-${look}`);
    assertEquals(unwanted(complaints), []);
  });
}

/** Three ads that wait, of one advertiser. */
async function submitThree({ store }: Services): Promise<void> {
  await store.transact((tx) => {
    tx.accounts.save(readyAccount("ada"));
    tx.creatives.save({ ...approvedCreative("ada"), reviewedAtMs: 1 });
    for (const nth of [1, 2, 3]) {
      tx.creatives.save({
        ...approvedCreative("ada"),
        adId: `ad_${nth}`,
        headline: `Bread by bicycle, the ${nth}.`,
        state: "submitted",
        createdAtMs: nth,
        submittedAtMs: nth,
      });
    }
  });
}

Deno.test("the review queue is worked through by keys alone", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  await submitThree(services);
  const { page, complaints } = await openDesk(world, "/operator/review", {});
  const { keyboard } = page;
  await keyboard.press("?");
  await see(page, "review-keys");
  for (const key of ["j", "j", "j", "k", "Enter"]) await keyboard.press(key);
  await page.waitForURL("**/operator/review/ad_2");
  await see(page, "review-beside-earlier");
  await keyboard.press("j");
  await page.waitForURL("**/operator/review/ad_3");
  await keyboard.press("k");
  await page.waitForURL("**/operator/review/ad_2");
  await keyboard.press("a");
  await page.getByRole("heading", { name: "Approve the ad?" }).waitFor();
  await see(page, "review-approve");
  await keyboard.press("Enter");
  await page.waitForURL("**/operator/review/ad_1?done=approved.*");
  await keyboard.press("r");
  await keyboard.press("j");
  assertEquals(
    await page.evaluate("document.activeElement.name"),
    "policy_id",
    "keys that are typed into a field are the field’s",
  );
  assertMatch(page.url(), /ad_1/);
  const states = await Promise.all(
    ["ad_1", "ad_2", "ad_3"].map(async (adId) =>
      (await services.store.creatives.find("acc_ada", adId))?.state
    ),
  );
  assertEquals(states, ["submitted", "approved", "submitted"]);
  assertEquals(complaints, []);
});

Deno.test("a day is closed and an ad is approved without JavaScript", async () => {
  // It tells whether the day has begun.
  const { simulator, env } = await startTestProcessor();
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  await using world = await openBrowserWorld({ env });
  const { services } = world.running.service.core;
  await submitThree(services);
  const day = dayOf(services.clock.now());
  await openAuction(services, { day });
  const { page } = await openDesk(world, `/operator/days/${day}`, {
    javaScriptEnabled: false,
  });
  await act(page, "Close the auction now");
  await page.getByRole("button", { name: "Close the auction now" }).click();
  await page.getByRole("status").waitFor();
  await page.goto("/operator/review/ad_1");
  assertEquals(await page.getByText("Keys").isVisible(), false);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Approve the ad" }).click();
  await page.waitForURL("**/operator/review/ad_2?done=approved.*");
  const found = await services.store.creatives.find("acc_ada", "ad_1");
  assertEquals(found?.state, "approved");
  assertEquals((await services.store.auctions.find(day))?.phase, "CLOSED");
});

for (const [look, options] of [...LOOKS, TABLET]) {
  Deno.test(`an operator makes a house ad, lets it rest and runs a job: ${look}`, async () => {
    await using world = await openBrowserWorld();
    const { page, complaints } = await openDesk(
      world,
      "/operator/house-ads",
      options,
    );
    await see(page, `house-ads-empty-${look}`);
    for (const headline of ["Tomorrow is yours", "A".repeat(60)]) {
      await page.getByLabel("Headline").fill(headline);
      await page.getByLabel("Description").fill("One ad a day, by auction.");
      await page.getByRole("button", { name: "Look at it" }).click();
      await page.getByRole("heading", { name: "Add the house ad?" }).waitFor();
      await see(page, `house-ads-preview-${look}`);
      await page.getByRole("button", { name: "Add the house ad" }).click();
      await page.waitForURL("**?done=make.*");
    }
    await page.getByRole("button", { name: /^Let it rest/ }).last().click();
    await page.getByRole("button", { name: "Let it rest" }).click();
    await page.waitForURL("**?done=rest.*");
    await see(page, `house-ads-${look}`);
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.waitForURL("**/operator/jobs");
    await see(page, `jobs-${look}`);
    await page.getByRole("button", { name: /rotate click salts/ }).click();
    await page.getByRole("button", { name: "Run the job now" }).click();
    await page.waitForURL("**?done=ran.*");
    await see(page, `jobs-ran-${look}`);
    assertEquals(unwanted(complaints), []);
  });
}
