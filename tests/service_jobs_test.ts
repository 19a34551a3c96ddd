import { assertEquals } from "@std/assert";
import { parseConfig } from "../config.ts";
import { openKv } from "../kv/open.ts";
import { startService } from "../service.ts";
import { TEST_ENVIRONMENT } from "./support/running_service.ts";

Deno.test("a service runs its jobs as soon as it has started, and is ready then", async () => {
  const service = await startService(parseConfig(TEST_ENVIRONMENT), {
    kv: await openKv(":memory:"),
    crons: true,
    graceMs: 0,
    sink: () => Promise.resolve(),
  });
  const { baseUrl } = service.config.settings;
  const beganMs = performance.now();
  let status = 0;
  while (status !== 200 && performance.now() - beganMs < 10_000) {
    const answer = await fetch(`${baseUrl}/readyz`);
    await answer.body?.cancel();
    status = answer.status;
  }
  await service.stop();
  assertEquals(status, 200);
});
