import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import type { Services } from "../../domain/ports.ts";
import { hourOf } from "../../domain/clicks/click.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { type BrowserWorld, openBrowserWorld } from "../support/chromium.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { count, pay } from "../routes/auth/agent/report_world.ts";

const HOUR_MS = 3_600_000;

/** Whom the account of whoever has signed in belongs to. */
async function accountId(services: Services): Promise<string> {
  const found = await services.store.accountEmails.find(ADA);
  return found?.accountId ?? "";
}

/** A day with a morning, a noon and an evening of clicks, and readers anywhere. */
async function countDay(services: Services, day: Day): Promise<void> {
  const fromMs = Date.parse(`${day}T23:56:00.000Z`);
  const hours = Array.from({ length: 24 }, (_, nth) =>
    [
      "hour",
      hourOf(fromMs + nth * HOUR_MS),
      12 + Math.round(10 * Math.sin(nth / 3)),
    ] as const);
  const human = hours.reduce((sum, [, , clicks]) => sum + clicks, 0);
  await count(services.store, day, [
    ["outcome", "human", human],
    ["outcome", "bot", 64],
    ["outcome", "ai_fetcher", 21],
    ["outcome", "repeat", 12],
    ["outcome", "prefetch", 30],
    ...hours.map((each) => [...each] as [typeof each[0], string, number]),
    ["country", "DE", 100],
    ["country", "BA", 60],
    ["country", "LV", 40],
    ["country", "EE", 22],
  ]);
}

/** Ten days of the last 30 that were won: one removed and refunded, one new. */
async function winDays({ running }: BrowserWorld): Promise<Day> {
  const { services } = running.service.core;
  const owner = { account: { id: await accountId(services) } };
  const today = dayOf(services.clock.now());
  const days = [1, 4, 5, 9, 11, 12, 17, 20, 23, 28].map((ago) =>
    addDays(today, -ago)
  );
  for (const [nth, day] of days.entries()) {
    await settle(
      services.store,
      spotlight(day, {
        accountId: owner.account.id,
        headline: nth === 2 ? "Donaudampfschifffahrt".repeat(3) : `Lamp ${nth}`,
        removedAtMs: nth === 3 ? Date.parse(`${addDays(day, 1)}T08:00Z`) : null,
      }),
      ...days.includes(addDays(day, 1)) ? [] : [spotlight(addDays(day, 1))],
    );
    await countDay(services, day);
    const world = { world: { services } };
    await pay(world, { ...owner, adId: "ad_1", cardId: "pm_1" } as never, day, {
      totalCents: 4_000 + nth * 3_333,
      ...nth === 3 && {
        money: "refunded",
        refunds: [{ id: "re_1", amountCents: 4_000 + nth * 3_333 }],
      },
    });
  }
  return days[1] ?? today;
}

async function signIn(world: BrowserWorld, page: Page): Promise<void> {
  await page.goto("/reports");
  await signInHere(world, page);
  await page.waitForURL("**/reports");
}

Deno.test("reports are seen, from none to ten days and into one", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await signIn(world, page);
  await page.getByText("You have not won a day yet").waitFor();
  await see(page, "reports-none");
  const day = await winDays(world);
  await page.reload();
  await page.getByRole("img", { name: /^Human clicks a day/ }).waitFor();
  await see(page, "reports");
  await page.goto(`/reports/${day}`);
  await page.getByRole("img", { name: /^Human clicks by hour/ }).waitFor();
  await page.getByText("Hours as a table").click();
  await page.getByText("Bosnia").waitFor();
  await see(page, "report");
  await page.emulateMedia({ media: "print" });
  await see(page, "report-print");
  assertEquals(unwanted(complaints), []);
});

Deno.test("reports are read and downloaded without JavaScript", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open({ javaScriptEnabled: false });
  await signIn(world, page);
  const day = await winDays(world);
  await page.reload();
  const listed = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download these days as CSV" }).click();
  const list = await Deno.readTextFile(await (await listed).path());
  assertEquals(list.trim().split("\r\n").length, 11);
  await page.locator(`a[href="/reports/${day}"]`).click();
  await page.waitForURL(`**/reports/${day}`);
  const told = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download this report as CSV" }).click();
  assertEquals((await told).suggestedFilename(), `report-${day}.csv`);
  const report = await Deno.readTextFile(await (await told).path());
  assert(report.includes("human_clicks_by_country,DE,100"), report);
  assertMatch(await page.innerText("main"), /Spent\s+EUR 73\.33/);
  await page.getByRole("link", { name: `SPOT-${day}` }).click();
  await page.waitForURL(`**/invoices/SPOT-${day}`);
  await page.getByText("Date of supply").waitFor();
  await page.getByRole("link", { name: "Report of the day" }).click();
  await page.waitForURL(`**/reports/${day}`);
  await page.goto("/invoices");
  await page.getByLabel("State").selectOption("Refunded");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/invoices?period=&status=refunded");
  assertEquals(await page.locator("tbody tr").count(), 1);
  assertEquals(unwanted(complaints), []);
});
