/**
 * A partner's whole way in browsers, with nothing made up: it asks, is approved,
 * sets its account up, brings somebody who wins three days, and is paid.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { dayOf } from "../../domain/day.ts";
import { advanceCommissions } from "../../domain/partners/advance_commissions.ts";
import { sendPayouts } from "../../domain/partners/send_payouts.ts";
import { advanceAuctions } from "../../domain/settlement/advance_auctions.ts";
import { ADA, signInHere, unwanted } from "../support/advertiser_browser.ts";
import { equipAdvertiser, saveBid } from "../support/auction_world.ts";
import { PICTURES } from "../support/chromium.ts";
import { RunningClock } from "../support/clock.ts";
import {
  openProcessorBrowser,
  type ProcessorBrowser,
} from "../support/processor_browser.ts";
import { until } from "../support/until.ts";

const BO = "bo@shop.example";
const OPERATOR = "operator@example.com";
const DAYS = ["2026-11-20", "2026-11-21", "2026-11-22"];
/** What is bid each day. */
const BID_CENTS = 60_000;
/** 30 days after the month is over. */
const TOLD_AT = "2026-12-31T12:00:00.000Z";
/** Ticks in which a day that nothing is in the way of is settled. */
const TICKS = 5;

async function applyAs(world: ProcessorBrowser, page: Page): Promise<void> {
  await page.goto("/partner");
  await signInHere(world, page);
  await page.waitForURL("**/partner");
  await page.getByLabel("Where would you recommend Spotlight?")
    .fill("A newsletter for bakers, read by 4,000 people a week.");
  await page.getByLabel("I accept the terms").check();
  await page.getByRole("button", { name: "Ask to be a partner" }).click();
  await page.waitForURL("**/partner?done=applied.*");
}

async function approve(world: ProcessorBrowser, page: Page): Promise<void> {
  await page.goto("/operator/partners");
  await signInHere(world, page, OPERATOR);
  await page.waitForURL("**/operator/partners");
  await page.getByRole("link", { name: ADA }).click();
  await page.waitForURL("**/operator/accounts/acc_*");
  await page.locator("summary", { hasText: "Approve as a partner" }).click();
  await page.locator("details[open]").getByLabel("Reason").fill("Welcome.");
  await page.getByRole("button", { name: "Approve as a partner" }).click();
  await page.getByRole("heading", { name: "Approve as a partner?" }).waitFor();
  await page.getByRole("button", { name: "Approve as a partner" }).click();
  await page.waitForURL("**/operator/accounts/acc_*?done=*");
}

/** At the processor; what comes back is a link. */
async function setUp(page: Page): Promise<string> {
  await page.goto("/partner");
  await page.getByLabel("Country you live in").selectOption("AT");
  await page.getByRole("button", { name: "Set up payment" }).click();
  await page.getByRole("button", { name: "Agree and finish" }).click();
  await page.waitForURL("**/partner");
  const shown = await page.innerText("#links");
  return /\/r\/\w+/.exec(shown)?.[0] ?? "";
}

/** By the link: asked before the cookie is set, which is gone after the sign-up. */
async function signUpBy(
  world: ProcessorBrowser,
  page: Page,
  link: string,
): Promise<void> {
  const cookie = async () =>
    (await page.context().cookies()).find(({ name }) => name === "svc_ref");
  await page.goto(link);
  assertEquals(await cookie(), undefined);
  await page.getByRole("button", { name: "Agree and go on" }).click();
  await page.waitForURL("**/advertise?ref=*");
  assertEquals((await cookie())?.value, link.slice("/r/".length));
  await page.getByRole("link", { name: "Start now" }).click();
  await page.waitForURL("**/sign-in?ref=*");
  await signInHere(world, page, BO);
  await page.waitForURL("**/onboarding");
  assertEquals(await cookie(), undefined);
}

/** Has who was brought win some days, each paid by its card. */
async function win(world: ProcessorBrowser, clock: RunningClock) {
  const { services } = world.running.service.core;
  const account = await services.store.accounts.find(await world.accountId(BO));
  assert(account !== null && account.referral !== undefined);
  const card = "pm_card_visa";
  const given = { account, name: "bo", card, adId: "ad_bo" };
  const who = await equipAdvertiser(services, given);
  for (const day of DAYS) {
    clock.set(`${day}T12:00:00.000Z`);
    await advanceAuctions(services);
    await saveBid(services, who, BID_CENTS, dayOf(clock.now()));
    clock.set(`${day}T23:56:00.000Z`);
    for (let nth = 0; nth < TICKS; nth++) await advanceAuctions(services);
  }
  await advanceCommissions(services);
}

/** Signs in again, months later. */
async function comeBack(world: ProcessorBrowser, page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/partner");
  await signInHere(world, page);
  await page.waitForURL("**/partner");
}

Deno.test("a partner brings somebody who wins, sees nothing of it before the month is told, and is paid", async () => {
  const clock = new RunningClock(`${DAYS[0]}T08:00:00.000Z`);
  await using world = await openProcessorBrowser(clock);
  const { services } = world.running.service.core;
  const [partner, desk, visitor] = [
    await world.open(),
    await world.open(),
    await world.open(),
  ];
  await applyAs(world, partner.page);
  await approve(world, desk.page);
  const link = await setUp(partner.page);
  await signUpBy(world, visitor.page, link);
  await win(world, clock);
  clock.set("2026-12-05T12:00:00.000Z");
  await comeBack(world, partner.page);
  const before = await partner.page.innerText("main");
  assertMatch(before, /November 2026\s+1\s+pending/);
  assert(!/Ask for a payout/.test(before), "nothing can be asked for");
  clock.set(TOLD_AT);
  await advanceCommissions(services);
  await comeBack(world, partner.page);
  await partner.page.getByRole("button", { name: "Ask for a payout" }).click();
  await partner.page.getByRole("button", { name: "Ask for the payout" })
    .click();
  await partner.page.waitForURL("**/partner?done=payout**");
  await sendPayouts(services);
  // The service may be sending it itself, which the sweep leaves alone.
  await until(async () => {
    await partner.page.goto("/partner");
    return /\bPaid\b/.test(await partner.page.innerText("#payouts"));
  });
  const [transfer, ...others] = world.simulator.control.objects("transfer");
  assert(transfer !== undefined && others.length === 0);
  assert(transfer.amount % 1_000 === 0 && transfer.amount >= 14_000);
  const euros = `EUR ${transfer.amount / 100}.00`;
  assertMatch(
    await partner.page.innerText("#payouts"),
    new RegExp(`${euros}\\s+Paid`),
  );
  const pdf = await partner.context.request.get(
    new URL("/partner/statements/1/pdf", world.baseUrl).href,
  );
  assertEquals(pdf.headers()["content-type"], "application/pdf");
  if (PICTURES !== undefined) {
    await Deno.writeFile(`${PICTURES}/statement.pdf`, await pdf.body());
  }
  for (const each of [partner, desk, visitor]) {
    assertEquals(unwanted(each.complaints), []);
  }
});
