import { assertEquals } from "@std/assert";
import { openPaidWorld } from "../../../support/paid_world.ts";
import { settle, spotlight } from "../../../support/public_spotlights.ts";

Deno.test("Metrics-Final of the 402 says it before anything is paid, and the challenge warns", async () => {
  await using shop = await openPaidWorld();
  const told = async () => {
    const answer = await shop.ask();
    await answer.text();
    const challenge = answer.headers.get("www-authenticate") ?? "";
    return [
      answer.status,
      answer.headers.get("metrics-final"),
      challenge.includes("counted so far and not final yet"),
    ];
  };
  assertEquals(await told(), [402, "false", true]);
  await settle(shop.services.store, spotlight("2026-11-20"));
  shop.world.clock.set("2026-11-22T23:54:00.000Z");
  assertEquals(await told(), [402, "false", true]);
  shop.world.clock.set("2026-11-22T23:56:00.000Z");
  assertEquals(await told(), [402, "true", false]);
});
