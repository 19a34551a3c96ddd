import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { seen } from "../support/captured_logs.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { runService } from "../support/running_service.ts";

Deno.test("public reads go on from memory while the store does not answer, /readyz and the log say so, and nothing else does", async () => {
  let isCut = false;
  const kv = new FaultyKv(await openKv(":memory:"));
  for (const on of ["read", "commit"] as const) {
    const fault = { kind: "fail_before" } as const;
    kv.inject({ on, fault, key: () => isCut, times: Infinity });
  }
  await using running = await runService({ kv });
  const { baseUrl, authUrl } = running.config.settings;
  const ask = (path: string, init?: RequestInit) =>
    seen.fetch(`${baseUrl}${path}`, init);
  const statusOf = async (path: string, init?: RequestInit) => {
    const answer = await ask(path, init);
    await answer.body?.cancel();
    return answer.status;
  };
  const limitsOf = async () =>
    (await (await ask("/readyz")).json()).checks.limits;
  assertEquals(await limitsOf(), { ok: true });

  isCut = true;
  for (let n = 0; n < 3; n++) {
    const answer = await ask("/api/v1/spotlights");
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("ratelimit"), `"agent";r=${119 - n}`);
    await answer.body?.cancel();
  }
  const { detail } = await limitsOf();
  assert(detail.includes("each process counts them by itself"));

  const job = await statusOf("/api/v1/sandbox/jobs", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  assert(job >= 400, `a job of the sandbox: ${job}`);
  const registered = await seen.fetch(`${authUrl}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"] }),
  });
  assertEquals(registered.status, 503);
  await registered.body?.cancel();

  isCut = false;
  // Whoever comes first is answered as before, and tries the store.
  while ((await limitsOf()).detail !== undefined) {
    assertEquals(await statusOf("/api/v1/spotlights"), 200);
  }
  await running.service.stop();
  const log = running.logged();
  assert(log.includes("rate_limits.local"));
  assert(log.includes("rate_limits.shared"));
});
