/**
 * The real denokv, where it is installed: it answers as the KV Connect server of
 * the tests does, and the service runs over it.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { guardedCommit } from "../../kv/commit.ts";
import { DEFAULT_PATIENCE } from "../../kv/guard.ts";
import type { KvAtomic } from "../../kv/kv_like.ts";
import { StoreRefused } from "../../kv/open_remote.ts";
import { createStore } from "../../kv/store.ts";
import { denokvPath } from "../../tools/denokv.ts";
import { jobRun } from "../kv/records.ts";
import { CapturedProcess } from "../support/captured_process.ts";
import { freePort } from "../support/free_port.ts";
import { openRemoteKv, openWhenUp } from "../support/kv_connect/client.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import { ManualClock } from "../support/clock.ts";
import { startByTask } from "../support/start_task.ts";

/** denokv over a file of its own, which may be ended and started again. */
class Denokv implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "denokv_" });
  readonly port = freePort();
  #process: CapturedProcess | null = null;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it; whoever opens the store waits until it answers. */
  async start(token = TEST_TOKEN): Promise<this> {
    const command = await denokvPath();
    assert(command !== null, "deno task denokv:install installs denokv");
    const at = ["--addr", `127.0.0.1:${this.port}`, "--access-token", token];
    this.#process = new CapturedProcess({
      command,
      args: ["--sqlite-path", `${this.folder}/kv.sqlite`, "serve", ...at],
    });
    return this;
  }

  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** What a server says to mistakes, without its address. */
async function refusals(url: string): Promise<string[]> {
  using kv = await openRemoteKv(url);
  await kv.set(["text"], "one");
  const checks = Array.from({ length: 11 }, (_, at) => ({
    key: ["row", at],
    versionstamp: null,
  }));
  const asked = [
    kv.atomic().check(...checks).set(["row"], 1).commit(),
    kv.atomic().sum(["text"], 1n).commit(),
    kv.atomic().min(["text"], 1n).commit(),
    kv.atomic().check({ key: ["text"], versionstamp: null }).commit(),
  ];
  const answers = await Promise.allSettled(asked);
  return answers.map((answer) =>
    answer.status === "fulfilled"
      ? JSON.stringify(answer.value)
      : String(answer.reason).replace(/'http\S+'/, "")
  );
}

Deno.test("denokv refuses mistakes as the KV Connect server of the tests does", async () => {
  await using denokv = await new Denokv().start();
  await using server = startKvConnect();
  (await openWhenUp(denokv.url)).close();
  assertEquals(await refusals(denokv.url), await refusals(server.url));
});

Deno.test("denokv refuses another access token, which is told from an outage", async () => {
  await using denokv = await new Denokv().start("another-token-of-some-length");
  await assertRejects(() => openWhenUp(denokv.url), StoreRefused);
});

Deno.test("two handles on one denokv lose no update, and it keeps them over kill -9", async () => {
  await using denokv = await new Denokv().start();
  const kvs = [await openWhenUp(denokv.url), await openWhenUp(denokv.url)];
  const clock = new ManualClock();
  await Promise.all(kvs.map(async (kv) => {
    const store = createStore({ kv, clock });
    for (let n = 0; n < 25; n++) {
      await store.transact(async (tx) => {
        const run = await tx.jobRuns.find("a");
        tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
      });
    }
  }));
  await denokv.kill();
  await denokv.start();
  const store = createStore({ kv: await openWhenUp(denokv.url), clock });
  assertEquals((await store.jobRuns.find("a"))?.lastSuccessMs, 50);
  kvs.forEach((kv) => kv.close());
});

Deno.test("denokv takes a commit of 800 KiB and keeps each value", async () => {
  await using denokv = await new Denokv().start();
  const kv = await openWhenUp(denokv.url);
  const value = new Uint8Array(65_000).fill(7);
  const fill = (atomic: KvAtomic) => {
    for (let at = 0; at < 12; at++) atomic.set(["row", at], value);
  };
  assert(await guardedCommit(kv, fill, { patience: DEFAULT_PATIENCE }));
  assertEquals((await kv.get(["row", 11])).value, value);
  kv.close();
});

Deno.test("the start task starts over denokv", async () => {
  await using denokv = await new Denokv().start();
  const PORT = String(freePort());
  await using process = startByTask({
    ENVIRONMENT: "development",
    DATA_DIR: `${denokv.folder}/data`,
    PORT,
    KV_URL: denokv.url,
    DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  });
  await process.line((line) => line.includes('"event":"started"'));
  const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`);
  await answer.body?.cancel();
  assertEquals(answer.status, 200);
  process.kill("SIGTERM");
  assertEquals((await process.ended).code, 0);
});
