import { assert, assertEquals } from "@std/assert";
import {
  addMonths,
  type Month,
  monthOf,
  startOfMonthMs,
} from "../../domain/month.ts";
import { approvePartner } from "../../domain/partners/decide_partner.ts";
import { emptyBalance } from "../../domain/partners/partner_balance.ts";
import type { BrowserWorld } from "../support/chromium.ts";
import { openProcessorBrowser } from "../support/processor_browser.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";

const PITCH = "A newsletter for makers of lamps, read by 4,000 people a week.";

/** Has the operator approve, and gives the partner figures of some months. */
async function fill(world: BrowserWorld): Promise<string> {
  const { services } = world.running.service.core;
  const { store, clock } = services;
  const nowMs = clock.now();
  const partnerId = (await store.accountEmails.find(ADA))?.accountId ?? "";
  await approvePartner(services, {
    accountId: partnerId,
    by: { kind: "operator_key" },
    reason: "Welcome.",
    about: PITCH,
  });
  const month: Month = addMonths(monthOf(nowMs), -3);
  let code = "";
  const [first] = await store.listReferralLinks(partnerId, { limit: 1 });
  await store.transact(async (tx) => {
    const link = await tx.referralLinks.find(first?.code ?? "");
    assert(link !== null);
    code = link.code;
    // As if it had been there for five months.
    tx.referralLinks.save({
      ...link,
      createdAtMs: startOfMonthMs(addMonths(month, -2)),
    });
    tx.statements.save({
      partnerId,
      number: 1,
      fromMonth: addMonths(month, -1),
      throughMonth: month,
      amountCents: 123_456,
      takenBackCents: 0,
      invoices: 3,
      releasedAtMs: nowMs,
    });
    tx.partnerBalances.save({
      ...emptyBalance(partnerId),
      payableCents: 23_456,
      paidCents: 100_000,
      releasedThrough: month,
      statements: 1,
    });
    tx.signUpCounts.add(4, partnerId, month);
  });
  return code;
}

Deno.test("somebody asks to be a partner, sees what it earned and asks for a payout", async () => {
  await using world = await openProcessorBrowser();
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/partner");
  await signInHere(world, page);
  await page.waitForURL("**/partner");
  await see(page, "partner-apply");
  await page.getByLabel("Where would you recommend Spotlight?").fill(PITCH);
  await page.getByLabel("I accept the terms").check();
  await page.getByRole("button", { name: "Ask to be a partner" }).click();
  await page.waitForURL("**/partner?done=applied.*");
  await see(page, "partner-applied");
  const code = await fill(world);
  await page.goto("/partner");
  await see(page, "partner-set-up");
  await page.getByLabel("Country you live in").selectOption("AT");
  await page.getByRole("button", { name: "Set up payment" }).click();
  await page.getByRole("heading", { name: "Get paid" }).waitFor();
  await page.getByRole("button", { name: "Agree and finish" }).click();
  await page.waitForURL("**/partner");
  await see(page, "partner-figures");
  await page.getByText("Make another link").click();
  await page.getByLabel("Name").fill("Podcast");
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.waitForURL("**/partner?done=link-made**");
  await page.getByRole("button", { name: "Ask for a payout" }).click();
  await page.getByRole("heading", { name: "Ask for a payout?" }).waitFor();
  await see(page, "partner-payout");
  await page.getByRole("button", { name: "Ask for the payout" }).click();
  await page.waitForURL("**/partner?done=payout**");
  await see(page, "partner-paid");
  const other = await world.open(PHONE);
  await other.page.goto(`/r/${code}`);
  await see(other.page, "refer");
  await other.page.getByRole("button", { name: "Agree and go on" }).click();
  await other.page.waitForURL("**/advertise?ref=*");
  await other.page.getByRole("link", { name: "Start now" }).click();
  await other.page.waitForURL("**/sign-in?ref=*");
  await see(other.page, "refer-sign-in");
  const desk = await world.open(PHONE);
  await desk.page.goto("/operator/partners");
  await signInHere(world, desk.page, "operator@example.com");
  await desk.page.waitForURL("**/operator/partners");
  await see(desk.page, "operator-partners");
  for (const each of [complaints, other.complaints, desk.complaints]) {
    assertEquals(unwanted(each), []);
  }
});
