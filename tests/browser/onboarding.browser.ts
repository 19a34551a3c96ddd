import { assertEquals, assertMatch } from "@std/assert";
import { openBrowserWorld } from "../support/chromium.ts";
import {
  PHONE,
  see,
  signInHere,
  unwanted,
} from "../support/advertiser_browser.ts";

Deno.test("a company is onboarded, mended where it was wrong", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/account");
  await signInHere(world, page);
  await page.waitForURL("**/account");
  await page.getByRole("link", { name: "Enter your company" })
    .click();
  await page.waitForURL("**/onboarding");
  await see(page, "onboarding");
  await page.getByLabel("Company name").fill("Ada & Söhne GmbH");
  await page.getByLabel("Country").selectOption({ label: "Germany" });
  await page.getByLabel("VAT id").fill("DE1");
  await page.getByLabel("Street and number").fill("Hauptstraße 1");
  await page.getByLabel("City").fill("Berlin");
  await page.getByRole("button", { name: "Save company" }).click();
  await page.getByRole("alert").waitFor();
  await see(page, "onboarding-faulty");
  assertEquals(await page.getByLabel("Country").inputValue(), "DE");
  await page.getByLabel("VAT id").fill("DE 123 456 789");
  await page.getByLabel("Postal code").fill("10115");
  await page.getByRole("button", { name: "Save company" }).click();
  await page.waitForURL("**/billing?done=company.*");
  await see(page, "onboarding-leads-on");
  await page.goto("/onboarding");
  await see(page, "onboarding-saved");
  const text = await page.innerText("main");
  assertMatch(text, /Enter your company and its VAT id – done/);
  assertMatch(text, /DE123456789/);
  await page.goto("/account");
  await see(page, "account-company");
  assertEquals(unwanted(complaints), []);
});

Deno.test("a company is onboarded without JavaScript", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open({ javaScriptEnabled: false });
  await page.goto("/onboarding");
  await signInHere(world, page);
  await page.waitForURL("**/onboarding");
  await page.getByLabel("Company name").fill("Ada Inc.");
  await page.getByLabel("Country").selectOption({ label: "United States" });
  await page.getByLabel("Street and number").fill("1 Main Street");
  await page.getByLabel("City").fill("Springfield");
  await page.getByRole("button", { name: "Save company" }).click();
  await page.waitForURL("**/onboarding?done=saved.*");
  assertMatch(await page.innerText("main"), /elsewhere can’t bid yet/);
});
