import { assertEquals } from "@std/assert";
import { runService } from "../support/running_service.ts";

Deno.test("a service runs its jobs as soon as it has started, and is ready then", async () => {
  await using running = await runService({ crons: true });
  const { baseUrl } = running.config.settings;
  const beganMs = performance.now();
  let status = 0;
  while (status !== 200 && performance.now() - beganMs < 10_000) {
    const answer = await fetch(`${baseUrl}/readyz`);
    await answer.body?.cancel();
    status = answer.status;
  }
  assertEquals(status, 200);
});
