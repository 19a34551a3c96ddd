import { assertEquals } from "@std/assert";
import { PHONE, see } from "../support/advertiser_browser.ts";
import { openBrowserWorld } from "../support/chromium.ts";

Deno.test("every component fits and is accessible in each of its states", async () => {
  await using world = await openBrowserWorld();
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/dev/components");
  await see(page, "components");
  const counted = page.getByLabel("Counted");
  await counted.fill("x".repeat(61));
  await page.getByText("1 too many").waitFor();
  await counted.fill("Bread");
  await page.getByText("55 of 60 characters left").waitFor();
  assertEquals(complaints, []);
});
