import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreUnavailable } from "../../domain/failure.ts";
import { keys } from "../../kv/keys.ts";
import { openKv } from "../../kv/open.ts";
import { openRemote, StoreRefused } from "../../kv/open_remote.ts";
import { createStore } from "../../kv/store.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import type { Outage } from "../support/kv_connect/settings.ts";

Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

Deno.test("openKv() opens sixteen connections to a KV server that answers, and reads once over each to know", async () => {
  await using server = startKvConnect();
  const kv = await openKv(server.url);
  const methods = server.trace.map(({ method }) => method);
  assertEquals(methods, Array(16).fill("snapshot_read"));
  kv.close();
});

for (const outage of ["503", "reset", "hang"] as const satisfies Outage[]) {
  Deno.test(`openKv() tells an outage by ${outage} from a refusal, and names no address`, async () => {
    await using server = startKvConnect({ outage });
    const error = await assertRejects(
      () => openRemote(server.url, 50),
      StoreUnavailable,
    );
    const begin = "Cannot reach the KV server that KV_URL names: ";
    assertStringIncludes(error.message, begin);
    assertEquals(error.message.includes(server.url), false);
    assertEquals(error.message.length > begin.length, true);
  });
}

Deno.test("openKv() takes a server that greets and answers no read for one in an outage", async () => {
  const [faultFamily = ""] = keys.calendar();
  await using server = startKvConnect({ share503: 1, faultFamily });
  await assertRejects(() => openRemote(server.url, 200), StoreUnavailable);
  assertEquals(server.trace[0]?.outcome, "503");
});

Deno.test("openKv() refuses a server that greets with anything else", async () => {
  const web = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("A page"),
  );
  const url = `http://127.0.0.1:${web.addr.port}`;
  const error = await assertRejects(() => openKv(url), StoreRefused);
  assertEquals(error.message.includes(url), false);
  await web.shutdown();
});

Deno.test("openKv() refuses an access token that the server does not take", async () => {
  await using server = startKvConnect({ tokens: ["another"] });
  const error = await assertRejects(() => openKv(server.url), StoreRefused);
  assertStringIncludes(error.message, "DENO_KV_ACCESS_TOKEN");
});

Deno.test("openKv() tells a file from a store over a network, whether its changes are logged or not", async () => {
  await using server = startKvConnect();
  for (const logsChanges of [false, true]) {
    const file = await openKv(":memory:", { logsChanges });
    const remote = await openKv(server.url, { logsChanges });
    const [one, other] = [file, remote].map((kv) =>
      createStore({ kv, clock: { now: () => 0 } })
    );
    assertEquals([one?.isEmbedded, other?.isEmbedded], [true, false]);
    file.close();
    remote.close();
  }
});
