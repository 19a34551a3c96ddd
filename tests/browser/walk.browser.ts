/**
 * Everyone who comes to the website walks their way from a link on the home page
 * to what they came for, and on: with JavaScript and without.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { BrowserContextOptions, Page } from "playwright-core";
import { advanceAuctions } from "../../domain/settlement/advance_auctions.ts";
import { notifyBidders } from "../../domain/settlement/notify_bidders.ts";
import { ADA, signInHere } from "../support/advertiser_browser.ts";
import { RunningClock } from "../support/clock.ts";
import { startClient } from "../support/listening_client.ts";
import {
  openProcessorBrowser,
  type ProcessorBrowser,
} from "../support/processor_browser.ts";

const OPERATOR = "operator@example.com";
const HEADLINE = "Bread by bicycle, before you wake";
const TARGET = "https://bakery.example/bread";
const DAY = "2026-11-20";

/** What each person does on their way. */
class Walk {
  constructor(
    readonly world: ProcessorBrowser,
    readonly clock: RunningClock,
    readonly page: Page,
  ) {}

  /** Follows the first link that is called so. */
  async follow(name: string | RegExp, to: string): Promise<void> {
    await this.page.getByRole("link", { name }).first().click();
    await this.page.waitForURL(to);
  }

  /** Presses a button. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name }).first().click();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label).fill(text);
  }

  /** Reads the page that is open. */
  async reads(text: RegExp): Promise<void> {
    assertMatch(await this.page.innerText("main"), text);
  }

  /** From the home page to the first step, by signing up. */
  async signUp(): Promise<void> {
    await this.page.goto("/");
    await this.follow("Advertise", "**/advertise");
    await this.follow("Start now", "**/sign-in?**");
    await signInHere(this.world, this.page, ADA);
    await this.page.waitForURL("**/onboarding");
  }

  /** The first three of the five steps, each of which leads to the next. */
  async takeSteps(): Promise<void> {
    await this.fill("Company name", "Ada & Söhne GmbH");
    await this.page.getByLabel("Country").selectOption({ label: "Germany" });
    await this.fill("VAT id", "DE 123 456 789");
    await this.fill("Street and number", "Hauptstraße 1");
    await this.fill("Postal code", "10115");
    await this.fill("City", "Berlin");
    await this.press("Save company");
    await this.page.waitForURL("**/billing?done=company.*");
    await this.press(/^Save a card$/);
    await this.page.waitForURL("**/hosted/**");
    await this.page.getByLabel("Test card", { exact: true })
      .selectOption("visa");
    await this.press("Save card");
    await this.page.waitForURL("**/identity?done=card.*");
    await this.press("Verify your identity");
    await this.press("Verify");
    await this.page.waitForURL(/\/(identity|creatives\/new)/);
  }

  /** The fourth: an ad, as far as its owner can take it. */
  async writeAd(): Promise<void> {
    // Where the check was complete on the way back it led here by itself.
    if (!this.page.url().includes("/creatives/new")) {
      await this.follow("Write your ad", "**/creatives/new");
    }
    await this.fill("Headline", HEADLINE);
    await this.fill(
      "Description",
      "Warm loaves at your door before eight, every day but Monday.",
    );
    await this.fill("Address of your page", TARGET);
    await this.press("Save draft");
    await this.page.waitForURL("**/creatives/ad_*?done=saved.*");
    await this.press("Submit for review");
    await this.page.waitForURL("**/creatives/ad_*?done=submitted.*");
  }

  /** The fifth: a bid of EUR 99 for tonight. */
  async bid(): Promise<void> {
    await this.follow("Dashboard", "**/account");
    await this.follow("Place a bid", "**/bids");
    await this.fill("Amount in euros", "99");
    await this.press("Review the bid");
    await this.press(/^Place the bid of/);
    await this.page.waitForURL("**/bids?done=placed.*");
    await this.reads(/EUR 99\.00 for Bread by bicycle/);
  }

  /** The operator's way: from the home page to what waits, and everywhere else. */
  async approve(): Promise<void> {
    await this.page.goto("/");
    await this.follow("Sign in", "**/sign-in");
    await signInHere(this.world, this.page, OPERATOR);
    await this.page.waitForURL("**/operator");
    await this.follow(/ad to review/, "**/operator/review**");
    await this.follow(HEADLINE, "**/operator/review/ad_*");
    await this.press("Approve");
    await this.press("Approve the ad");
    await this.page.waitForURL("**/operator/review?done=approved**");
  }

  /** Every place that the operator's navigation has. */
  async lookAround(): Promise<void> {
    const links = this.page.getByRole("navigation", { name: "Site" })
      .getByRole("link");
    const names = await links.allInnerTexts();
    assert(names.length > 5, names.join());
    for (const name of names) {
      await links.filter({ hasText: name }).first().click();
      await links.and(this.page.locator("[aria-current=page]")).waitFor();
      assertEquals(await this.page.locator("h1").count(), 1, name);
    }
  }

  /** The partner's: asked to be one, with where Spotlight is recommended. */
  async askToBePartner(): Promise<void> {
    await this.follow("Settings", "**/settings");
    await this.follow("Recommend Spotlight and earn", "**/partner");
    await this.fill(
      "Where would you recommend Spotlight?",
      "A newsletter for bakers, read by 4,000 people a week.",
    );
    await this.page.getByLabel("I accept the terms").check();
    await this.press("Ask to be a partner");
    await this.page.waitForURL("**/partner?done=applied.*");
  }

  /** The operator's: who asks to be a partner becomes one. */
  async approvePartner(): Promise<void> {
    await this.follow("Partners", "**/operator/partners");
    await this.follow("Ada & Söhne GmbH", "**/operator/accounts/acc_*");
    await this.page.locator("summary", { hasText: "Approve as a partner" })
      .click();
    await this.page.locator("details[open]").getByLabel("Reason")
      .fill("Welcome.");
    await this.press("Approve as a partner");
    await this.page.getByRole("heading", { name: "Approve as a partner?" })
      .waitFor();
    await this.press("Approve as a partner");
    await this.page.waitForURL("**/operator/accounts/acc_*?done=*");
  }

  /** The partner's: a link to pass on, and what it brought by month. */
  async seePartnership(): Promise<void> {
    await this.follow("Settings", "**/settings");
    await this.follow("Recommend Spotlight and earn", "**/partner");
    await this.reads(/\/r\/\w+/);
    await this.reads(/To pay out/);
  }

  /** The agent's: connected within limits, looked at, and revoked. */
  async haveAgent(): Promise<void> {
    await this.follow("Agents", "**/agents");
    await this.reads(/No agent is connected/);
    const { settings } = this.world.running.config;
    await using client = await startClient(settings.authUrl);
    await this.page.goto(client.authorizeUrl("account:read bids:write"));
    await this.fill("Highest single bid", "250");
    await this.fill("Most it may bid on one day", "1000");
    await this.fill("Last day it may bid", "2026-12-24");
    await this.press("Allow");
    await this.page.waitForURL(`${client.redirectUri}?**`);
    const code = (await client.answered).get("code") ?? "";
    const token = String((await client.exchange(code)).access_token);
    assertEquals(await client.statusOfMe(token), 200);
    await this.page.goto("/account");
    await this.follow("Agents", "**/agents");
    await this.reads(/EUR 1,000\.00/);
    await this.page.getByText("Revoke…").click();
    await this.press("Revoke access of");
    await this.page.waitForURL("**/agents?done=revoked.*");
    assertEquals(await client.statusOfMe(token), 401);
  }

  /** The night: the auction closes, the winner is charged, the mails go. */
  async sleep(): Promise<void> {
    const { services, records } = this.world.running.service.core;
    this.clock.set(`${DAY}T23:56:00.000Z`);
    await advanceAuctions(services);
    await notifyBidders(services);
    await records.refreshNow();
  }

  /** The reader's: the ad, the advertiser's page, the archive, a report. */
  async readAndReport(): Promise<void> {
    await this.page.goto("/");
    await this.page.getByRole("heading", { name: HEADLINE }).waitFor();
    const visit = this.page.getByRole("link", { name: /^Visit bakery/ });
    const there = await fetch(
      new URL(await visit.getAttribute("href") ?? "", this.world.baseUrl),
      { redirect: "manual" },
    );
    await there.body?.cancel();
    assertEquals(there.headers.get("location"), TARGET);
    await this.follow("Archive", "**/spotlights");
    await this.fill("Words or advertiser", "bicycle");
    await this.press("Search");
    await this.follow(HEADLINE, `**/spotlights/${DAY}`);
    await this.follow("Report this ad", "**/report/*");
    await this.page.getByLabel("What is wrong with it")
      .selectOption("deceptive");
    await this.press("Send the report");
    await this.page.waitForURL("**/report/thanks?**");
    await this.reads(/reference: report_/);
  }

  /** The winner's: the mail, the report of the day, the invoice. */
  async seeWhatItBrought(): Promise<void> {
    const { store } = this.world.running.service.core.services;
    const mails = await store.listMails({ limit: 20, reverse: true });
    const won = mails.find(({ to, text }) =>
      to === ADA && text.includes(`/reports/${DAY}`)
    );
    assert(won !== undefined, mails.map(({ subject }) => subject).join("\n"));
    await this.page.goto(/http\S+\/reports\/\S+/.exec(won.text)?.[0] ?? "");
    await this.reads(/Human clicks/);
    await this.follow("Dashboard", "**/account");
    await this.follow("Reports", "**/reports");
    await this.page.locator(`a[href="/reports/${DAY}"]`).first().click();
    await this.page.waitForURL(`**/reports/${DAY}`);
    await this.follow("Invoices", "**/invoices");
    await this.page.locator("tbody a").first().click();
    await this.page.waitForURL("**/invoices/*");
    await this.reads(/EUR 99\.00/);
  }
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  Deno.test(`everyone gets from the home page to what they came for, ${how} JavaScript`, async () => {
    const clock = new RunningClock(`${DAY}T12:00:00.000Z`);
    await using world = await openProcessorBrowser(clock);
    const { services } = world.running.service.core;
    await advanceAuctions(services);
    const person = async (options: BrowserContextOptions = {}) => {
      const { page } = await world.open({ javaScriptEnabled, ...options });
      return new Walk(world, clock, page);
    };
    const newcomer = await person();
    await newcomer.signUp();
    await newcomer.takeSteps();
    await newcomer.writeAd();
    await newcomer.askToBePartner();
    const operator = await person();
    await operator.approve();
    await operator.approvePartner();
    await newcomer.seePartnership();
    await newcomer.bid();
    await newcomer.haveAgent();
    await newcomer.sleep();
    await (await person()).readAndReport();
    await newcomer.seeWhatItBrought();
    await operator.lookAround();
  });
}
