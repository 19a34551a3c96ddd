/**
 * An operator's night with a keyboard and no pointer: each page of the desk is
 * reached from the one before. What is done on them is in `desk_acts.browser.ts`.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { ACTS } from "../../domain/audit/operator_act.ts";
import { DAY } from "../routes/site/operator/acts.ts";
import { prepare } from "../routes/site/operator/acts_world.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { RunningClock } from "../support/clock.ts";
import { signInAtDesk } from "../support/desk_keys.ts";
import { follow, tabTo, typeInto } from "../support/keyboard.ts";
import { startTestProcessor } from "../support/test_processor.ts";

/** Goes somewhere by the navigation. */
function visit(page: Page, name: string, path: string): Promise<void> {
  return follow(page, name, `**/operator/${path}`);
}

/** Approves an ad by the keys of the page, past the way out. */
async function reviewAd(page: Page): Promise<void> {
  await visit(page, "Review", "review");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/review/ad_approve");
  await page.keyboard.press("a");
  await page.getByRole("heading", { name: "Approve the ad?" }).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Leave it as it is" }));
  const button = page.getByRole("button", { name: "Approve the ad" });
  await tabTo(page, button, { back: true });
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/review/ad_reject?done=approved.*");
}

async function findAccounts(page: Page): Promise<void> {
  await visit(page, "Accounts", "accounts");
  await typeInto(page, "Find an account", "suspend@example.com");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/accounts/acc_suspend");
  await visit(page, "Partners", "partners");
  await visit(page, "Reports", "reports");
  await follow(page, "19 November 2026", `**/operator/reports/${DAY}`);
}

async function lookAtDays(page: Page): Promise<void> {
  await follow(page, "Desk", "**/operator");
  await follow(page, "20 November 2026", "**/operator/days/2026-11-20");
  await visit(page, "Days", "days");
  await follow(page, /^(Fri )?20 Nov/, "**/operator/days/2026-11-20");
  await visit(page, "House ads", "house-ads");
}

async function lookAtMoney(page: Page): Promise<void> {
  await visit(page, "Money", "money");
  await follow(page, "The books by month", "**/operator/money/entries");
  await visit(page, "Money", "money");
  await follow(page, "every invoice", "**/operator/money/invoices");
}

async function lookAtTheRest(page: Page): Promise<void> {
  await visit(page, "Jobs", "jobs");
  await follow(page, "Desk", "**/operator");
  await follow(page, "keys that you make", "**/operator/keys");
  await visit(page, "Hold", "hold");
  await page.getByText("This store is not on hold.").waitFor();
}

/** The acts on the page of the audit. */
function actsShown(page: Page): Promise<string[]> {
  return page.locator("main .cards strong").allInnerTexts();
}

/** Finds in the audit what was done, and what was done about one thing. */
async function readAudit(page: Page): Promise<void> {
  const approved = [ACTS["creative.approve"]];
  await visit(page, "Audit", "audit");
  assertEquals(await actsShown(page), approved);
  await typeInto(page, "About", "ad_approve");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/audit?*");
  assertEquals(await actsShown(page), approved);
}

Deno.test("an operator reaches every page of the desk with a keyboard alone", async () => {
  const clock = new RunningClock("2026-11-20T13:12:00.000Z");
  const { simulator, env } = await startTestProcessor(clock);
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  await using world = await openBrowserWorld({ env, clock });
  await prepare(world.running.service.core.services);
  const { page, complaints } = await world.open();
  await signInAtDesk(world, page);
  await reviewAd(page);
  await findAccounts(page);
  await lookAtDays(page);
  await lookAtMoney(page);
  await lookAtTheRest(page);
  await readAudit(page);
  assertEquals(complaints, []);
});
