import { mailedTo } from "../../domain/accounts/mailed_to.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { erasureUrl } from "../../domain/privacy/erasure_link.ts";
import { readErasure } from "../../domain/privacy/request_erasure.ts";
import {
  ADA,
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

Deno.test("one's data is copied, read and erased, and the erasure called off", async () => {
  await using world = await openBrowserWorld();
  const { services } = world.running.service.core;
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/settings/privacy");
  await signInHere(world, page);
  await page.waitForURL("**/settings/privacy");
  await see(page, "privacy-none");
  await page.getByRole("button", { name: "Make a copy" }).click();
  await page.waitForURL("**/settings/privacy?done=export.*");
  const link = page.getByRole("link", { name: "Read it here" });
  while (await link.count() === 0) await page.reload();
  await see(page, "privacy-copy");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as JSON" }).click();
  const name = (await download).suggestedFilename();
  assertStringIncludes(name, "spotlight-data-exp_");
  await link.click();
  await page.waitForURL("**/settings/privacy/exports/*");
  assertStringIncludes(await page.locator("main").innerText(), ADA);
  await see(page, "privacy-export");
  await page.goto("/settings");
  await page.getByRole("link", { name: "Download your data" }).click();
  await page.getByRole("link", { name: "Erase my account" }).click();
  await see(page, "privacy-erase");
  await page.getByRole("button", { name: "Mail me the link" }).click();
  await page.waitForURL("**/settings/privacy?done=erasure.*");
  await see(page, "privacy-asked");
  const owner = await services.store.accountEmails.find(ADA);
  const accountId = owner?.accountId ?? "";
  const erasure = await readErasure(services, accountId);
  const to = mailedTo({ id: accountId, email: ADA });
  const about = { accountId, erasureId: erasure?.id ?? "", to };
  await page.goto(erasureUrl(services, { ...about, act: "confirm" }));
  await see(page, "erasure-confirm");
  await page.getByRole("button", { name: "Erase my account" }).click();
  await page.getByRole("heading", { name: "will be erased" }).waitFor();
  await see(page, "erasure-confirmed");
  await page.goto("/settings/privacy");
  await see(page, "privacy-waits");
  await page.goto(erasureUrl(services, { ...about, act: "keep" }));
  await see(page, "erasure-keep");
  await page.getByRole("button", { name: "Keep my account" }).click();
  await page.getByRole("heading", { name: "Your account stays" }).waitFor();
  await see(page, "erasure-kept");
  assertEquals(unwanted(complaints), []);
});
