import { assertRejects } from "@std/assert";
import {
  assertAccessible,
  assertFits,
  openBrowserWorld,
} from "../support/chromium.ts";

Deno.test("the checks of pages find what they look for", async () => {
  await using world = await openBrowserWorld();
  const { page } = await world.open();
  await page.goto("/");
  await assertAccessible(page);
  await assertFits(page);
  // The policy of our pages would not allow the style of the next one.
  await page.goto("about:blank");
  await page.setContent("<main><button></button></main>");
  await assertRejects(() => assertAccessible(page));
  await page.setContent("<div style='width: 200vw'>wide</div>");
  await assertRejects(() => assertFits(page));
});
