/**
 * The service starts over a KV server as `deno task start` starts it.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "../../tools/own_modules.ts";
import { noteSecret } from "../support/captured_logs.ts";
import { runProcess } from "../support/captured_process.ts";
import { PRODUCTION } from "../support/environments.ts";
import { freePort } from "../support/free_port.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import { startByTask } from "../support/start_task.ts";
import { TEST_TLS } from "../support/test_tls.ts";

/** A folder for what a process keeps beside its store, and the test's CA. */
async function withFolder(run: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "spotlight_start_" });
  try {
    await Deno.writeTextFile(`${folder}/ca.pem`, TEST_TLS.ca);
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function production(folder: string, url: string): Record<string, string> {
  return {
    ...PRODUCTION as Record<string, string>,
    // Nobody's platform, so that the store has to be named.
    DENO_DEPLOY: "",
    TRUSTED_PROXY_HOPS: "1",
    PORT: String(freePort()),
    DATA_DIR: `${folder}/data`,
    KV_URL: url,
    DENO_KV_ACCESS_TOKEN: noteSecret(TEST_TOKEN),
    DENO_CERT: `${folder}/ca.pem`,
  };
}

function isEvent(event: string): (line: string) => boolean {
  return (line) => line.includes(`"event":"${event}"`);
}

async function readiness(env: Record<string, string>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${env.PORT}/readyz`);
  await answer.body?.cancel();
  return answer.status;
}

/** It is once the search index is built, a moment after the start. */
async function untilReady(env: Record<string, string>): Promise<void> {
  while (await readiness(env) !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("the start task starts in production over a KV server with TLS", async () => {
  await withFolder(async (folder) => {
    const { cert, key } = TEST_TLS;
    await using server = startKvConnect({ cert, key });
    const env = production(folder, server.url);
    await using process = startByTask(env);
    await process.line(isEvent("started"));
    await untilReady(env);
    assertEquals(server.trace.length > 0, true);
    process.kill("SIGTERM");
    const { code, stderr } = await process.ended;
    assertEquals([code, stderr], [0, ""]);
  });
});

Deno.test("a start during an outage of the store says so once, turns requests away, and goes on", async () => {
  await withFolder(async (folder) => {
    const { cert, key } = TEST_TLS;
    await using server = startKvConnect({ cert, key, outage: "503" });
    const env = production(folder, server.url);
    await using process = startByTask(env);
    const line = await process.line(isEvent("store.awaited"));
    assertStringIncludes(line, "503");
    assertEquals(line.includes(server.url), false);
    assertEquals(await readiness(env), 503);
    server.change({ outage: "none" });
    await process.line(isEvent("started"));
    await untilReady(env);
    process.kill("SIGTERM");
    const { stdout } = await process.ended;
    const events = [...stdout.matchAll(/"event":"(store\.\w+)"/g)];
    assertEquals(events.map(([, name]) => name), [
      "store.awaited",
      "store.reached",
    ]);
  });
});

Deno.test("a start with a wrong access token stops with one sentence", async () => {
  await withFolder(async (folder) => {
    const { cert, key } = TEST_TLS;
    await using server = startKvConnect({ cert, key, tokens: ["another"] });
    await using process = startByTask(production(folder, server.url));
    const { code, stdout, stderr } = await process.ended;
    assertEquals([code, stdout, stderr], [
      1,
      "",
      "Cannot start: the store that KV_URL names cannot be opened: the KV " +
      "server refuses the access token in DENO_KV_ACCESS_TOKEN\n",
    ]);
  });
});

Deno.test("a start on Deno Deploy without a database stops with one sentence", async () => {
  await withFolder(async () => {
    const env = { ...PRODUCTION as Record<string, string>, DATA_DIR: "" };
    // As the platform may have it: a store in memory, and a warning.
    const warned = { DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "warn" };
    const port = { PORT: String(freePort()) };
    await using process = startByTask({ ...env, ...warned, ...port });
    const { code, stdout, stderr } = await process.ended;
    assertEquals([code, stdout, stderr], [
      1,
      "",
      "Cannot start: the store that the platform provides cannot be opened: " +
      "no KV database is attached to this app, attach one in the dashboard of " +
      "Deno Deploy and deploy again\n",
    ]);
  });
});

for (
  const [what, settings, sentence] of [
    [
      "refuses the access token",
      { tokens: ["another"] },
      "Cannot open the store: the KV server refuses the access token in " +
      "DENO_KV_ACCESS_TOKEN",
    ],
    [
      "does not answer",
      { outage: "503" },
      "Cannot reach the KV server that KV_URL names: ",
    ],
  ] as const
) {
  Deno.test(`backup over a KV server that ${what} ends with one sentence`, async () => {
    await using server = startKvConnect(settings);
    const folder = await Deno.makeTempDir({ prefix: "spotlight_backup_" });
    const { code, stdout, stderr } = await runProcess({
      args: ["run", "-A", `${ROOT}tools/backup.ts`],
      env: {
        DATA_DIR: folder,
        BASE_URL: `http://localhost:${freePort()}`,
        KV_URL: server.url,
        DENO_KV_ACCESS_TOKEN: noteSecret(TEST_TOKEN),
      },
    });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, sentence);
    assertEquals(stderr.trimEnd().split("\n").length, 1, stderr);
    await Deno.remove(folder, { recursive: true });
  });
}
