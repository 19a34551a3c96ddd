import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Page } from "playwright-core";
import { createCreative } from "../../domain/creatives/create_creative.ts";
import { submitCreative } from "../../domain/creatives/submit_creative.ts";
import type { Services } from "../../domain/ports.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { readyAccount } from "../support/bidding_world.ts";
import { openBrowserWorld } from "../support/chromium.ts";
import { dayText, settle, spotlight } from "../support/public_spotlights.ts";

const HEADLINE = "Bread by bicycle, before you wake";
const DESCRIPTION = "Warm loaves at your door before eight, every day but " +
  "Monday. Order by nine in the evening, pay when you have tasted it.";
const TARGET = "https://bakery.example/bread?from=spotlight";

/** Gives the account that has just signed in a company and a checked identity. */
async function onboard({ store }: Services): Promise<void> {
  const owner = await store.accountEmails.find(ADA);
  await store.transact(async (tx) => {
    const account = await tx.accounts.find(owner?.accountId ?? "");
    if (account === null) throw new Error("Ada has signed in");
    const { company, identityStatus } = readyAccount("ada");
    tx.accounts.save({ ...account, company, identityStatus });
  });
}

async function fill(page: Page, headline = HEADLINE): Promise<void> {
  await page.getByLabel("Headline").fill(headline);
  await page.getByLabel("Description").fill(DESCRIPTION);
  await page.getByLabel("Address of your page").fill(TARGET);
}

Deno.test("an advertisement is written, submitted and archived", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/creatives");
  await signInHere(world, page);
  await page.waitForURL("**/creatives");
  await onboard(services);
  await see(page, "creatives-none");
  await page.getByRole("link", { name: "Write an advertisement" }).click();
  await page.waitForURL("**/creatives/new");
  await see(page, "creatives-new");

  // With the script the preview follows what is typed; text stays text.
  await fill(page, "<b>Bread</b> & more");
  const preview = page.locator("article.stage");
  assertStringIncludes(await preview.innerText(), "<b>Bread</b> & more");
  assertStringIncludes(await preview.innerText(), "Visit bakery.example");
  await page.getByLabel("Address of your page").fill("cakes.example/bread");
  assertStringIncludes(await preview.innerText(), "Visit cakes.example");

  await fill(page, "Hi");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("alert").waitFor();
  assertEquals(
    await page.getByLabel("Description").inputValue(),
    DESCRIPTION,
  );
  await see(page, "creatives-wrong");
  await fill(page);
  // Enter hands nothing in, which could not be gone back on.
  await page.getByLabel("Address of your page").press("Enter");
  await page.waitForURL("**/creatives/ad_*?done=saved.*");
  await see(page, "creatives-draft");
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.waitForURL("**/creatives/ad_*?done=submitted.*");
  await see(page, "creatives-submitted");
  await page.getByText("Archive this advertisement").click();
  await page.getByRole("button", { name: "Archive it" })
    .click();
  await page.waitForURL("**/creatives/ad_*?done=archived.*");
  await page.getByRole("link", { name: "Your advertisements" }).click();
  await page.waitForURL("**/creatives");
  await see(page, "creatives-list");
  assertMatch(await page.innerText("main"), /Archived, last changed/);
  assertEquals(unwanted(complaints), []);
});

Deno.test("a reader reports an advertisement, an operator rejects one", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  const adId = await submitted(services);
  const day = dayText("2026-05-04");
  const { page, complaints } = await world.open(PHONE);
  await settle(
    services.store,
    spotlight(day, { headline: HEADLINE, description: DESCRIPTION, adId }),
  );
  await page.goto(`/spotlights/${day}`);
  await page.getByRole("link", { name: "Report this ad" }).click();
  await page.waitForURL("**/report/*");
  await see(page, "report");
  await page.getByRole("button", { name: "Send the report" }).click();
  await page.getByRole("alert").waitFor();
  await see(page, "report-wrong");
  await page.getByLabel("In your words").fill("The bread\nwas cold.");
  await page.getByLabel("What is wrong with it").selectOption("deceptive");
  await page.getByRole("button", { name: "Send the report" }).click();
  await page.waitForURL("**/report/thanks?reference=report_*");
  await see(page, "report-thanks");

  await page.goto("/operator/review");
  await signInHere(world, page, "operator@example.com");
  await page.waitForURL("**/operator/review");
  await see(page, "review");
  await page.getByRole("link", { name: HEADLINE }).click();
  await page.waitForURL(`**/operator/review/${adId}`);
  await see(page, "review-one");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("alert").waitFor();
  await see(page, "review-wrong");
  await page.getByLabel("Policy").selectOption("deceptive");
  await page.getByLabel("What is wrong").fill("It promises cold bread.");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("heading", { name: "Reject the ad?" }).waitFor();
  await see(page, "review-confirm");
  await page.getByRole("button", { name: "Reject the ad" }).click();
  await page.waitForURL("**/operator/review?done=rejected.*");
  await see(page, "review-empty");
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await page.waitForURL("**/operator/reports");
  await see(page, "reports-desk");
  await page.locator("main a[href*='/operator/reports/']").click();
  assertMatch(await page.innerText("main"), /The bread was cold\./);
  for (const summary of await page.locator("summary").all()) {
    await summary.click();
  }
  await see(page, "reports-desk-one");
  await page.getByRole("button", { name: "Close the report" }).click();
  await page.getByRole("button", { name: "Close the reports" }).click();
  await page.waitForURL("**?done=closed.*");
  await see(page, "reports-desk-closed");
  assertEquals(unwanted(complaints), []);
});

Deno.test("the preview needs no script", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/creatives/new");
  await signInHere(world, page);
  await page.waitForURL("**/creatives/new");
  await fill(page, "<i>Bread</i> & more");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.waitForURL("**/creatives/new#preview");
  const preview = page.locator("article.stage");
  const { y } = await preview.boundingBox() ?? { y: Infinity };
  assert(y < 600, `the preview is ${y} pixels down`);
  assertStringIncludes(await preview.innerText(), "<i>Bread</i> & more");
  assertEquals(await page.getByLabel("Description").inputValue(), DESCRIPTION);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL("**/creatives/ad_*?done=saved.*");
});

/** Submits an advertisement of Ada's; answers its id. */
async function submitted(services: Services): Promise<string> {
  const account = readyAccount("ada");
  await services.store.transact((tx) => tx.accounts.save(account));
  const owner = { accountId: account.id, grantId: null, binding: null };
  const { answer } = await createCreative(services, {
    ...owner,
    typed: {
      headline: HEADLINE,
      description: DESCRIPTION,
      targetUrl: TARGET,
    },
  });
  const { ad_id: adId } = JSON.parse(answer.body);
  await submitCreative(services, { ...owner, adId });
  return adId;
}
