import { DatabaseSync } from "node:sqlite";
import { assertEquals, assertRejects } from "@std/assert";
import { openStore } from "../../app/open_store.ts";
import { type Config, ConfigError, parseConfig } from "../../config/config.ts";
import { MemoryLog } from "../support/captured_logs.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import type { Outage } from "../support/kv_connect/settings.ts";

function configOf(url: string, env: Record<string, string> = {}): Config {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  return parseConfig({
    ENVIRONMENT: "development",
    KV_URL: url,
    DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
    ...env,
  });
}

for (const outage of ["503", "reset"] as const satisfies readonly Outage[]) {
  Deno.test(`openStore() waits for a KV server in an outage by ${outage}, and says so once`, async () => {
    await using server = startKvConnect({ outage });
    const log = new MemoryLog();
    let pauses = 0;
    let told = 0;
    const changes: (string | null)[] = [];
    const kv = await openStore({
      config: configOf(server.url, { MAIL_URL: "smtp://localhost:1" }),
      log,
      onStoreAwaited: () => void told++,
      alarm: { changed: (why) => void changes.push(why), close() {} },
      pause() {
        if (++pauses === 3) server.change({ outage: "none" });
        return Promise.resolve();
      },
    });
    kv.close();
    assertEquals([pauses, told], [3, 1]);
    assertEquals(log.events, ["store.awaited", "store.reached"]);
    // By which operators are told, after a minute of it.
    assertEquals(changes.map((why) => why === null), [false, true]);
  });
}

Deno.test("openStore() tells nobody of a store that may be a drill, as its mails go nowhere", async () => {
  await using server = startKvConnect({ outage: "503" });
  const changes: (string | null)[] = [];
  const kv = await openStore({
    config: configOf(server.url, { MAIL_URL: "outbox:" }),
    log: new MemoryLog(),
    alarm: { changed: (why) => void changes.push(why), close() {} },
    pause() {
      server.change({ outage: "none" });
      return Promise.resolve();
    },
  });
  kv.close();
  assertEquals(changes, []);
});

Deno.test("openStore() waits for a KV server that nobody has started yet", async () => {
  const gone = startKvConnect();
  await gone.stop();
  const port = Number(new URL(gone.url).port);
  const servers: AsyncDisposable[] = [];
  const log = new MemoryLog();
  const kv = await openStore({
    config: configOf(gone.url),
    log,
    pause() {
      if (servers.length === 0) servers.push(startKvConnect({ port }));
      return Promise.resolve();
    },
  });
  kv.close();
  assertEquals(log.events, ["store.awaited", "store.reached"]);
  for (const server of servers) await server[Symbol.asyncDispose]();
});

Deno.test("openStore() says nothing of a KV server that answers", async () => {
  await using server = startKvConnect();
  const log = new MemoryLog();
  (await openStore({ config: configOf(server.url), log })).close();
  assertEquals(log.events, []);
});

Deno.test("openStore() does not wait for what is no KV server", async () => {
  const web = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("A page", { status: 404 }),
  );
  const config = configOf(`http://127.0.0.1:${web.addr.port}`);
  const error = await assertRejects(
    () => openStore({ config, log: new MemoryLog() }),
    ConfigError,
  );
  assertEquals(
    error.message,
    "Cannot start: the store that KV_URL names cannot be opened: a KV server " +
      "would not answer 404",
  );
  await web.shutdown();
});

Deno.test("openStore() waits for a file that another process has locked", async () => {
  const folder = await Deno.makeTempDir();
  const other = new DatabaseSync(`${folder}/spotlight.sqlite3`);
  other.exec("begin exclusive");
  const log = new MemoryLog();
  const config = parseConfig({
    ENVIRONMENT: "development",
    DATA_DIR: folder,
  });
  const pause = () => {
    other.exec("rollback");
    return Promise.resolve();
  };
  (await openStore({ config, log, pause })).close();
  other.close();
  assertEquals(log.events, ["store.awaited", "store.reached"]);
  await Deno.remove(folder, { recursive: true });
});
