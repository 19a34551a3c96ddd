import { assertEquals } from "@std/assert";
import { openBrowserWorld } from "../support/chromium.ts";
import { LOOKS, see, signInHere } from "../support/advertiser_browser.ts";
import { putOnHold } from "../support/restored_world.ts";
import { startTestProcessor } from "../support/test_processor.ts";

for (const [look, options] of LOOKS) {
  Deno.test(`an operator releases a restored store: ${look}`, async () => {
    const { simulator, env } = await startTestProcessor();
    await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
    await using world = await openBrowserWorld({ env });
    await putOnHold(world.running.service.core.services);
    const { page, complaints } = await world.open(options);
    await page.goto("/operator/hold");
    await signInHere(world, page, "operator@example.com");
    await page.waitForURL("**/operator/hold");
    await see(page, `hold-${look}`);
    await page.goto("/operator/money");
    await see(page, `hold-money-${look}`);
    await page.getByRole("link", { name: "What to do" }).click();
    await page.getByRole("button", { name: "Release the store" }).click();
    await page.getByRole("status").waitFor();
    await see(page, `hold-released-${look}`);
    assertEquals(complaints, []);
  });
}
