/**
 * What may come between somebody and a bid: a second click, the way back, another
 * tab, a session that ends, an auction that closes. Each is met in a browser as
 * people meet it; no bid is placed twice, by mistake, or lost without a word.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { BrowserContext, Page } from "playwright-core";
import { advanceAuctions } from "../../domain/settlement/advance_auctions.ts";
import { FRESH_SIGN_IN_MS } from "../../domain/sessions/session.ts";
import { signInHere, unwanted } from "../support/advertiser_browser.ts";
import { arrive, makeReady } from "../support/bids_browser.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";
import { RunningClock } from "../support/clock.ts";
import { dayText } from "../support/public_spotlights.ts";

const DAY = "2026-11-20";

/** Somebody at the form of the auction of the day. */
interface Bidder extends AsyncDisposable {
  world: BrowserWorld;
  clock: RunningClock;
  context: BrowserContext;
  page: Page;
  complaints: string[];
}

async function openBidder(at = "12:00"): Promise<Bidder> {
  const clock = new RunningClock(`${DAY}T${at}:00.000Z`);
  const world = await openBrowserWorld({ clock });
  const opened = await world.open();
  await arrive(world, opened.page);
  await makeReady(world);
  await opened.page.reload();
  return {
    world,
    clock,
    ...opened,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Types an amount and looks at the bid once more. */
async function review(page: Page, amount: string): Promise<void> {
  await page.getByLabel("Amount in euros").fill(amount);
  await page.getByRole("button", { name: /^Review the/ }).click();
}

/** The button that places or raises the bid. */
function confirm(page: Page) {
  return page.getByRole("button", {
    name: /^(Place the bid of|Raise the bid to)/,
  });
}

/** The amounts that were bid, one after the other, in cents. */
async function amountsOf({ world }: Bidder): Promise<number[]> {
  const { store } = world.running.service.core.services;
  const [bid] = await store.listBids(dayText(DAY), { limit: 10 });
  if (bid === undefined) return [];
  const events = await store.listBidEvents(bid.id, { limit: 10 });
  return events.map(({ amountCents }) => amountCents);
}

Deno.test("a bid that is placed by a double click, and sent again from the way back, is placed once", async () => {
  await using bidder = await openBidder();
  const { page, complaints } = bidder;
  await review(page, "42");
  await confirm(page).dblclick();
  await page.waitForURL("**/bids?done=placed.*");
  assertEquals(await amountsOf(bidder), [4_200]);
  await page.goBack();
  assertEquals(new URL(page.url()).pathname, "/bids");
  assertMatch(await page.innerText("main"), /EUR 42\.00 for Lamps/);
  await page.goForward();
  assertMatch(await page.innerText("main"), /EUR 42\.00 for Lamps/);
  assertEquals(await amountsOf(bidder), [4_200]);
  assertEquals(unwanted(complaints), []);
});

Deno.test("of two tabs with a form each the second shows the bid of the first, and keeps what was typed", async () => {
  await using bidder = await openBidder();
  const { page, context } = bidder;
  const other = await context.newPage();
  await other.goto("/bids");
  await review(page, "50");
  await review(other, "40");
  await confirm(page).click();
  await page.waitForURL("**/bids?done=placed.*");
  await confirm(other).click();
  const alert = other.getByRole("alert");
  assertMatch(await alert.innerText(), /Your bid stands at EUR 50\.00/);
  assertEquals(await other.getByLabel("Amount in euros").inputValue(), "40");
  await review(other, "60");
  await confirm(other).click();
  await other.waitForURL("**/bids?done=placed.*");
  assertEquals(await amountsOf(bidder), [5_000, 6_000]);
});

Deno.test("a bid that was typed survives a session that has ended, through the sign-in in another tab", async () => {
  await using bidder = await openBidder();
  const { world, page, context } = bidder;
  await page.getByLabel("Amount in euros").fill("75.50");
  const other = await context.newPage();
  await other.goto("/settings");
  await other.getByRole("button", { name: "Sign out", exact: true }).click();
  await other.waitForURL("**/?done=signed-out");
  await page.getByRole("button", { name: "Review the bid" }).click();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await signInAgain(world, page);
  await page.getByRole("button", { name: "Go on with your bid" }).click();
  await page.getByRole("heading", { name: "Bid EUR 75.50?" }).waitFor();
  await confirm(page).click();
  await page.waitForURL("**/bids?done=placed.*");
  assertEquals(await amountsOf(bidder), [7_550]);
});

Deno.test("a bid that was reviewed survives a sign-in that has grown too old", async () => {
  await using bidder = await openBidder();
  const { world, page, clock } = bidder;
  await review(page, "80");
  clock.set(clock.now() + FRESH_SIGN_IN_MS + 1_000);
  await confirm(page).click();
  await page.getByRole("heading", { name: "Please sign in again" }).waitFor();
  assertEquals(await amountsOf(bidder), []);
  await signInAgain(world, page);
  await page.getByRole("button", { name: "Go on with your bid" }).click();
  await page.getByRole("heading", { name: "Bid EUR 80.00?" }).waitFor();
  await confirm(page).click();
  await page.waitForURL("**/bids?done=placed.*");
  assertEquals(await amountsOf(bidder), [8_000]);
});

Deno.test("a bid whose auction closes while its form is open is told so, and the next auction is there", async () => {
  await using bidder = await openBidder("23:50");
  const { world, page, clock } = bidder;
  await review(page, "90");
  clock.set(`${DAY}T23:56:00.000Z`);
  await advanceAuctions(world.running.service.core.services);
  await confirm(page).click();
  const alert = page.getByRole("alert");
  assertMatch(
    await alert.innerText(),
    /was not placed: the auction of .*20 Nov.* has closed/,
  );
  assertMatch(await page.innerText("main"), /Auction for .*21 Nov/);
  assertEquals(await page.getByLabel("Amount in euros").inputValue(), "90");
  assertEquals(await amountsOf(bidder), []);
});

/** Follows the link of a page that asks for a sign-in, and comes back to it. */
async function signInAgain(world: BrowserWorld, page: Page): Promise<void> {
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Sign in", exact: true }).last().click(),
  ]);
  await tab.waitForURL("**/sign-in?**");
  await signInHere(world, tab);
  await tab.waitForURL("**/bids");
  await tab.close();
}
