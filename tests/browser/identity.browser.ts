import { assertEquals, assertMatch } from "@std/assert";
import {
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { IDENTITY_READY } from "../support/identity_ready.ts";
import {
  openProcessorBrowser,
  type ProcessorBrowser,
} from "../support/processor_browser.ts";

/** What comes before a check of identity, of whoever has signed in. */
async function makeReady(world: ProcessorBrowser): Promise<void> {
  const accountId = await world.accountId();
  await world.running.service.core.services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account) tx.accounts.save({ ...account, ...IDENTITY_READY });
  });
}

Deno.test("an identity is checked on the processor's page, on the second try", async () => {
  await using world = await openProcessorBrowser();
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/identity");
  await signInHere(world, page);
  await page.waitForURL("**/identity");
  await see(page, "identity-before");
  await makeReady(world);
  await page.reload();
  await see(page, "identity-none");
  await page.getByRole("button", { name: "Verify your identity" }).click();
  await page.waitForURL("**/hosted/**");
  await page.getByLabel("Why it fails").selectOption("document_expired");
  await page.getByRole("button", { name: "Fail", exact: true }).click();
  await page.waitForURL("**/identity");
  assertMatch(await page.innerText("main"), /The document has expired/);
  await see(page, "identity-failed");
  await page.getByRole("button", { name: "Begin a new check" }).click();
  await page.getByRole("button", { name: "Hand in" }).click();
  await page.waitForURL("**/identity");
  assertMatch(await page.innerText("main"), /is being checked/);
  await see(page, "identity-processing");
  await page.getByRole("button", { name: "Begin a new check" }).click();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.waitForURL("**/creatives/new?done=identity.*");
  assertMatch(await page.innerText("main"), /Your identity is verified/);
  await see(page, "identity-leads-on");
  await page.goto("/identity");
  await see(page, "identity-verified");
  await page.goto("/onboarding");
  assertMatch(await page.innerText("main"), /Step 4 of 5: Write your ad/);
  await see(page, "onboarding-identity");
  await page.goto("/account");
  await page.getByRole("link", { name: "Cards" }).click();
  await page.waitForURL("**/billing");
  assertEquals(unwanted(complaints), []);
});

Deno.test("an identity is checked without JavaScript", async () => {
  await using world = await openProcessorBrowser();
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/identity");
  await signInHere(world, page);
  await page.waitForURL("**/identity");
  await makeReady(world);
  await page.reload();
  await page.getByRole("button", { name: "Verify your identity" }).click();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.waitForURL("**/creatives/new?done=identity.*");
  assertMatch(await page.innerText("main"), /Your identity is verified/);
});
