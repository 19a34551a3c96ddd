import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { seen } from "../support/captured_logs.ts";
import type { FaultRule } from "../support/faults.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { runService } from "../support/running_service.ts";

/** A service over a store some of whose calls fail while `line.isCut`. */
async function openService(
  kinds: readonly FaultRule["on"][],
  error?: Error,
) {
  const line = { isCut: false };
  const kv = new FaultyKv(await openKv(":memory:"));
  for (const on of kinds) {
    const fault = { kind: "fail_before", ...error && { error } } as const;
    kv.inject({ on, fault, key: () => line.isCut, times: Infinity });
  }
  const running = await runService({ kv });
  const { baseUrl, authUrl } = running.config.settings;
  const ask = (path: string, init?: RequestInit) =>
    seen.fetch(`${baseUrl}${path}`, init);
  return {
    line,
    running,
    ask,
    async statusOf(path: string, init?: RequestInit) {
      const answer = await ask(path, init);
      await answer.body?.cancel();
      return answer.status;
    },
    async register() {
      const answer = await seen.fetch(`${authUrl}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"] }),
      });
      await answer.body?.cancel();
      return answer.status;
    },
    /** Asks until the store is up or down, which the next probe tells. */
    async untilUp(isUp: boolean) {
      for (;;) {
        const answer = await ask("/readyz");
        const { checks } = await answer.json();
        if ((checks.limits.detail === undefined) === isUp) return checks;
      }
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** What the log says of the store, in its order. */
function toldOf(log: string): string[] {
  return [...log.matchAll(/"event":"(store\.\w+)"/g)].map(([, name]) =>
    name ?? ""
  );
}

Deno.test("public reads go on from memory while the store does not answer, /readyz and the log say so, and nothing else does", async () => {
  await using rig = await openService(["read", "commit"]);
  const { line, running, ask, statusOf } = rig;
  assertEquals((await rig.untilUp(true)).limits, { ok: true });

  line.isCut = true;
  for (let n = 0; n < 3; n++) {
    const answer = await ask("/api/v1/spotlights");
    assertEquals(answer.status, 200);
    // Two tokens a second come back meanwhile.
    const left = /^"agent";r=(\d+)$/.exec(
      answer.headers.get("ratelimit") ?? "",
    );
    assert(Number(left?.[1]) >= 119 - n && Number(left?.[1]) <= 119, left?.[0]);
    await answer.body?.cancel();
  }
  const checks = await rig.untilUp(false);
  assert(checks.limits.detail.includes("each process counts them by itself"));

  const job = await statusOf("/api/v1/sandbox/jobs", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  assert(job >= 400, `a job of the sandbox: ${job}`);
  assertEquals(await rig.register(), 503);

  line.isCut = false;
  assertEquals((await rig.untilUp(true)).limits, { ok: true });
  assertEquals(await rig.register(), 201);
  await running.service.stop();
  assertEquals(toldOf(running.logged()), ["store.awaited", "store.reached"]);
});

for (
  const words of [
    "attempt to write a readonly database",
    "database or disk is full",
  ]
) {
  Deno.test(`a disk of which SQLite says "${words}" is told once in these words, and what only reads goes on`, async () => {
    await using rig = await openService(["commit"], new TypeError(words));
    const { line, running, statusOf } = rig;
    line.isCut = true;
    assertEquals(await rig.register(), 503);
    const { store, limits, jobs } = await rig.untilUp(false);
    assertEquals(store, {
      ok: false,
      detail: `The store takes no writes: ${words}`,
    });
    assertEquals([limits.ok, jobs.detail?.includes("answer")], [true, false]);
    assertEquals(await statusOf("/api/v1/spotlights"), 200);
    assertEquals(await statusOf("/"), 200);
    line.isCut = false;
    await rig.untilUp(true);
    assertEquals(await rig.register(), 201);
    await running.service.stop();
    const log = running.logged();
    assertEquals(toldOf(log), ["store.awaited", "store.reached"]);
    assert(log.includes(`"event":"store.awaited","why":"${words}"`), log);
  });
}

Deno.test("a start whose first calls of the store have no answer waits for one, and does not end", async () => {
  const kv = new FaultyKv(await openKv(":memory:"), [
    { on: "read", fault: { kind: "fail_before" } },
    { on: "read", nth: 3, fault: { kind: "fail_before" } },
  ]);
  await using running = await runService({ kv });
  assert(kv.readCount > 3, `${kv.readCount} reads`);
  await running.service.stop();
  assert(running.logged().includes('"event":"started"'), running.logged());
});
