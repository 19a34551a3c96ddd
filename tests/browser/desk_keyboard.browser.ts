/**
 * An operator's night with a keyboard and no pointer: each page of the desk is
 * reached from the one before, and what is done on it is asked once and found in
 * the audit.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { type ActName, ACTS } from "../../domain/audit/operator_act.ts";
import { applyAsPartner } from "../../domain/partners/apply.ts";
import type { Services } from "../../domain/ports.ts";
import { createAdvertiser, saveBid } from "../support/auction_world.ts";
import { approvedCreative, readyAccount } from "../support/bidding_world.ts";
import {
  type BrowserWorld,
  mailedLink,
  openBrowserWorld,
} from "../support/chromium.ts";
import { RunningClock } from "../support/clock.ts";
import { follow, press, tabTo, typeInto } from "../support/keyboard.ts";
import { dayText, settle, spotlight } from "../support/public_spotlights.ts";
import { putOnHold } from "../support/restored_world.ts";
import { startTestProcessor } from "../support/test_processor.ts";
import { troubledEvent } from "../support/troubled_event.ts";

const OPERATOR = "operator@example.com";
const TODAY = dayText("2026-11-20");
const REPORTED = dayText("2026-11-19");

/** Every act in the order in which it is done. */
const NIGHT: readonly ActName[] = [
  "creative.approve",
  "account.suspend",
  "account.lift_suspension",
  "account.approve_partner",
  "report.close",
  "auction.open",
  "auction.close",
  "auction.settle",
  "spotlight.remove",
  "spotlight.refund",
  "house_ad.make",
  "event.retry",
  "job.run",
  "key.make",
  "key.end",
];

/** An ad, a report, a partner and an event that wait for somebody. */
async function prepare(services: Services): Promise<void> {
  const { store, clock } = services;
  const nowMs = clock.now();
  await settle(store, spotlight(REPORTED));
  await store.transact((tx) => {
    tx.accounts.save(readyAccount("ada"));
    tx.creatives.save({
      ...approvedCreative("ada"),
      state: "submitted",
      submittedAtMs: nowMs,
    });
    tx.adReports.save({
      id: "report_1",
      day: REPORTED,
      policyId: null,
      text: "Cold loaves.",
      reportedAtMs: nowMs,
      closedAtMs: null,
      expiresAtMs: nowMs + 86_400_000,
    });
    tx.webhookEvents.save(troubledEvent("evt_1", nowMs));
  });
  const pitch = "A newsletter for bakers";
  await applyAsPartner(services, { accountId: "acc_ada", pitch });
}

/** Signs in where the one address that is typed into the browser leads. */
async function signIn(world: BrowserWorld, page: Page): Promise<void> {
  await page.goto("/operator");
  await typeInto(page, "E-mail address", OPERATOR);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sign-in/verify");
  const code = (await mailedLink(world, OPERATOR)).slice(-8);
  await typeInto(page, "Code of 8 digits", code);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator");
}

/** Goes somewhere by the navigation. */
function visit(page: Page, name: string, path: string): Promise<void> {
  return follow(page, name, `**/operator/${path}`);
}

/** On the page that asks: looks at the way out, comes back and says yes. */
async function confirm(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { name: `${title}?` }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Leave it as it is" }));
  const button = page.getByRole("button", { name: title, exact: true });
  await tabTo(page, button, { back: true });
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]done=(?!again|failed|waited)/);
  await page.getByRole("status").waitFor();
}

/** Unfolds an act, says why, and does it. */
async function act(page: Page, title: string, reason?: string): Promise<void> {
  await tabTo(page, page.locator("summary", { hasText: title }));
  await page.keyboard.press("Space");
  if (reason !== undefined) await typeInto(page, "Reason", reason);
  await press(page, title, "Space");
  await confirm(page, title);
}

async function reviewAd(page: Page): Promise<void> {
  await visit(page, "Review", "review");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/review/ad_ada");
  await page.keyboard.press("a");
  await confirm(page, "Approve the ad");
}

async function decideAboutAccounts(page: Page): Promise<void> {
  await visit(page, "Accounts", "accounts");
  await typeInto(page, "Find an account", "ada@example.com");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/accounts/acc_ada");
  await act(page, "Suspend the account", "Readers complained.");
  await act(page, "Lift the suspension", "They were wrong.");
  await visit(page, "Partners", "partners");
  await follow(page, "ada GmbH", "**/operator/accounts/acc_ada");
  await act(page, "Approve as a partner", "Welcome.");
}

async function closeReport(page: Page): Promise<void> {
  await visit(page, "Reports", "reports");
  await follow(page, "19 November 2026", `**/operator/reports/${REPORTED}`);
  await press(page, "Close the report");
  await confirm(page, "Close the reports");
}

/** From the desk: opens it, and once there is a bid closes, sells and undoes it. */
async function runDay(page: Page, services: Services): Promise<void> {
  await follow(page, "Desk", "**/operator");
  await follow(page, "20 November 2026", `**/operator/days/${TODAY}`);
  await act(page, "Open the auction now");
  const bidder = await createAdvertiser(services, "cid", "pm_card_visa");
  await saveBid(services, bidder, 8_800, TODAY);
  await visit(page, "Days", "days");
  await follow(page, /^(Fri )?20 Nov/, `**/operator/days/${TODAY}`);
  await act(page, "Close the auction now");
  await act(page, "Try to settle it now");
  await act(page, "Remove the Spotlight", "A court has ordered it.");
  await act(page, "Give the money back", "As it was removed.");
}

async function makeHouseAd(page: Page): Promise<void> {
  await visit(page, "House ads", "house-ads");
  await typeInto(page, "Headline", "Tomorrow is yours");
  await typeInto(page, "Description", "One ad a day, chosen by auction.");
  await press(page, "Look at it");
  await confirm(page, "Add the house ad");
}

/** Has an event tried again, and reads the books and the invoices. */
async function lookAtMoney(page: Page): Promise<void> {
  await visit(page, "Money", "money");
  await press(page, /^Try .* again$/);
  await confirm(page, "Process the event again");
  await follow(page, "The books by month", "**/operator/money/entries");
  await visit(page, "Money", "money");
  await follow(page, "every invoice", "**/operator/money/invoices");
}

async function runJob(page: Page): Promise<void> {
  await visit(page, "Jobs", "jobs");
  await press(page, /rotate click salts$/);
  await confirm(page, "Run the job now");
}

async function makeAndEndKey(page: Page): Promise<void> {
  await follow(page, "Desk", "**/operator");
  await follow(page, "keys that you make", "**/operator/keys");
  await typeInto(page, "Name", "night shift");
  await tabTo(page, page.getByLabel("What it may do"));
  await page.keyboard.press("ArrowDown");
  await press(page, "Make the key");
  await page.getByText("shown once").waitFor();
  await follow(page, "All keys", "**/operator/keys");
  await press(page, /^End it/);
  await confirm(page, "End the key");
}

/** The acts on the page of the audit, the oldest first. */
async function actsShown(page: Page): Promise<string[]> {
  const shown = await page.locator("main .cards strong").allInnerTexts();
  return shown.toReversed();
}

Deno.test("an operator does every kind of act on the desk with a keyboard alone", async () => {
  const clock = new RunningClock(`${TODAY}T13:12:00.000Z`);
  const { simulator, env } = await startTestProcessor(clock);
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  await using world = await openBrowserWorld({ env, clock });
  const { services } = world.running.service.core;
  await prepare(services);
  const { page, complaints } = await world.open();
  await signIn(world, page);
  await reviewAd(page);
  await decideAboutAccounts(page);
  await closeReport(page);
  await runDay(page, services);
  await makeHouseAd(page);
  await lookAtMoney(page);
  await runJob(page);
  await makeAndEndKey(page);
  await visit(page, "Hold", "hold");
  await page.getByText("This store is not on hold.").waitFor();
  await visit(page, "Audit", "audit");
  assertEquals(await actsShown(page), NIGHT.map((act) => ACTS[act]));
  await typeInto(page, "About", "acc_ada");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/audit?*");
  const ofAda = NIGHT.filter((act) => act.startsWith("account."));
  assertEquals(await actsShown(page), ofAda.map((act) => ACTS[act]));
  const key = (await services.store.listOperatorKeys({ limit: 2 }))[0];
  assertEquals([key?.scope, key?.endedAtMs === null], ["act", false]);
  assertEquals(complaints, []);
});

Deno.test("an operator releases a restored store with a keyboard alone", async () => {
  const { simulator, env } = await startTestProcessor();
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  await using world = await openBrowserWorld({ env });
  await putOnHold(world.running.service.core.services);
  const { page, complaints } = await world.open();
  await signIn(world, page);
  await follow(page, "What to do", "**/operator/hold");
  await press(page, "Release the store");
  await page.getByRole("status").waitFor();
  await visit(page, "Audit", "audit");
  assertEquals(await actsShown(page), [ACTS["store.release"]]);
  assertEquals(complaints, []);
});
