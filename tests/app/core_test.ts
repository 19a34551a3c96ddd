import { assertEquals } from "@std/assert";
import { removeSpotlight } from "../../domain/spotlights/remove_spotlight.ts";
import { dayText, settle, spotlight } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";

const day = dayText("2026-11-19");

Deno.test("a Spotlight is public in its own isolate once its commit has returned", async () => {
  await using running = await runService();
  const { services, records } = running.service.core;
  assertEquals(records.snapshot.byDay.has(day), false);
  await settle(services.store, spotlight(day));
  assertEquals(records.snapshot.byDay.has(day), true);
});

Deno.test("a removed Spotlight is gone from its own isolate once its commit has returned", async () => {
  await using running = await runService();
  const { services } = running.service.core;
  const { baseUrl } = running.config.settings;
  await settle(services.store, spotlight(day));
  await removeSpotlight(services, { day, reason: "policy" });
  const answer = await fetch(`${baseUrl}/api/v1/spotlights/${day}`);
  await answer.body?.cancel();
  assertEquals(answer.status, 404);
});
