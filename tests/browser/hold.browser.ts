import { assertEquals } from "@std/assert";
import { openBrowserWorld } from "../support/chromium.ts";
import { PHONE, see, signInHere } from "../support/advertiser_browser.ts";
import { putOnHold } from "../support/restored_world.ts";
import { startTestProcessor } from "../support/test_processor.ts";

Deno.test("an operator releases a restored store", async () => {
  const { simulator, env } = await startTestProcessor();
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  await using world = await openBrowserWorld({ env });
  await putOnHold(world.running.service.core.services);
  const { page, complaints } = await world.open(PHONE);
  await page.goto("/operator/hold");
  await signInHere(world, page, "operator@example.com");
  await page.waitForURL("**/operator/hold");
  await see(page, "hold");
  await page.goto("/operator/money");
  await see(page, "hold-money");
  await page.getByRole("link", { name: "What to do" }).click();
  await page.getByRole("button", { name: "Release the store" }).click();
  await page.getByRole("status").waitFor();
  await see(page, "hold-released");
  assertEquals(complaints, []);
});
