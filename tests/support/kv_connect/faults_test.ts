import { assertEquals, assertRejects } from "@std/assert";
import { connectKv, untilOutcome } from "./client.ts";
import { startKvConnect, TEST_TOKEN } from "./server.ts";
import { Faults } from "./faults.ts";
import type { Outage } from "./settings.ts";

Deno.test("the client sends a sum again whose answer was lost, and it counts twice", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  server.change({ shareResetAfter: 1, faultsLeft: 1 });
  assertEquals((await kv.atomic().sum(["count"], 1n).commit()).ok, true);
  const { value } = await kv.get<Deno.KvU64>(["count"]);
  assertEquals(value?.value, 2n);
  const outcomes = server.trace.map(({ outcome }) => outcome);
  assertEquals(outcomes, ["reset_after", "ok", "ok"]);
});

Deno.test("a checked commit whose answer was lost applied and answers that it did not", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  server.change({ shareResetAfter: 1, faultsLeft: 1 });
  const committed = await kv.atomic()
    .check({ key: ["row"], versionstamp: null }).set(["row"], "mine").commit();
  assertEquals(committed, { ok: false });
  assertEquals((await kv.get(["row"])).value, "mine");
});

Deno.test("a commit whose connection is cut before it applies is applied once", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  server.change({ shareResetBefore: 1, faultsLeft: 1 });
  await kv.atomic().sum(["count"], 1n).commit();
  const { value } = await kv.get<Deno.KvU64>(["count"]);
  assertEquals(value?.value, 1n);
});

Deno.test("a commit whose answer breaks off applied and fails, and is not sent again", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  server.change({ shareBrokenBody: 1, faultsLeft: 1 });
  await assertRejects(() => kv.set(["row"], 1), Error);
  assertEquals((await kv.get(["row"])).value, 1);
  assertEquals(server.trace[0]?.outcome, "broken_body");
});

Deno.test("faults befall calls on their family only, and so many as are ordered", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  server.change({ share503: 1, faultsLeft: 1, faultFamily: "bids" });
  await kv.set(["accounts", 1], 1);
  await kv.set(["bids", 1], 1);
  await kv.get(["bids", 1]);
  const seen = server.trace.map(({ keys, outcome }) => `${keys[0]} ${outcome}`);
  assertEquals(seen, [
    "=accounts/1 ok",
    "=bids/1 503",
    "=bids/1 ok",
    "bids/1 ok",
  ]);
});

for (const outage of ["503", "reset", "hang"] as const satisfies Outage[]) {
  Deno.test(`a call waits for the end of an outage by ${outage}`, async () => {
    await using connected = await connectKv();
    const { kv, server } = connected;
    await kv.set(["row"], 1);
    server.change({ outage });
    const read = kv.get(["row"]);
    await untilOutcome(server, outage === "reset" ? "reset_before" : outage);
    server.change({ outage: "none" });
    assertEquals((await read).value, 1);
  });
}

Deno.test("cutting ends calls under way, which the client then sends again", async () => {
  await using connected = await connectKv();
  const { kv, server } = connected;
  await kv.set(["row"], 1);
  server.change({ outage: "hang" });
  const read = kv.get(["row"]);
  await untilOutcome(server, "hang");
  server.cut();
  server.change({ outage: "none" });
  assertEquals((await read).value, 1);
  assertEquals(
    server.trace.filter(({ method }) => method === "snapshot_read").length,
    2,
  );
});

Deno.test("a call takes the time that the settings say, by half before it applies", async () => {
  await using connected = await connectKv({ writeMs: 20, readMs: 10 });
  const { kv, server } = connected;
  await kv.set(["row"], 1);
  await kv.get(["row"]);
  const [write, read] = server.trace.map(({ fromMs, toMs }) => toMs - fromMs);
  // Timers may be early by less than 1 ms.
  assertEquals([(write ?? 0) > 18, (read ?? 0) > 8], [true, true]);
});

Deno.test("times vary by the jitter, and a slow call takes its own", () => {
  const numbers = [0, 1, 0.5];
  const faults = new Faults({ jitter: 0.5 }, () => numbers.shift() ?? 0);
  assertEquals([1, 2, 3].map(() => faults.timeOf(100)), [50, 150, 100]);
  faults.change({ shareSlow: 1, slowMs: 4_000 });
  assertEquals(faults.timeOf(100), 4_000);
});

Deno.test("a token that the server does not know opens nothing", async () => {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  await using server = startKvConnect({ tokens: ["another"] });
  const error = await assertRejects(() => Deno.openKv(server.url), TypeError);
  assertEquals(/401 .*Invalid access token\./.test(error.message), true);
});
