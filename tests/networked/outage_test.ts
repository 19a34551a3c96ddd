/**
 * Outages of a KV server, as the client of the platform meets them.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { nextTurn } from "../../adapters/time/system_time.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { CircuitOpen } from "../../kv/circuit.ts";
import { openKv } from "../../kv/open.ts";
import { StoreProbe } from "../../kv/store_probe.ts";
import { createStore } from "../../kv/store.ts";
import { day, jobRun } from "../kv/records.ts";
import { ManualClock } from "../support/clock.ts";
import {
  type KvConnect,
  startKvConnect,
  TEST_TOKEN,
} from "../support/kv_connect/server.ts";

Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

const today = day("2026-11-20");

/** A server that can be away in several ways. */
class Away implements AsyncDisposable {
  readonly #folder = Deno.makeTempDirSync({ prefix: "spotlight_outage_" });
  readonly #file = `${this.#folder}/kv.sqlite3`;
  #server: KvConnect = startKvConnect({ file: this.#file });
  readonly url: string = this.#server.url;

  async leave(how: Outage): Promise<void> {
    if (how === "refused") return await this.#server.stop();
    this.#server.change({ outage: how === "cut" ? "reset" : how });
    if (how === "cut") this.#server.cut();
  }

  return(how: Outage): void {
    if (how !== "refused") return this.#server.change({ outage: "none" });
    const port = Number(new URL(this.url).port);
    this.#server = startKvConnect({ port, file: this.#file });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

type Outage = "hang" | "503" | "cut" | "refused";

for (const how of ["hang", "503", "cut", "refused"] as const) {
  Deno.test(`in an outage (${how}) calls fail at once after the first time-outs, and go on once the server is back`, async () => {
    await using server = new Away();
    const kv = await openKv(server.url);
    const told: (string | null)[] = [];
    const probe = new StoreProbe({ kv, onChange: (why) => told.push(why) });
    const { patience } = probe;
    const store = createStore({ kv, clock: new ManualClock(), patience });
    const bump = () =>
      store.transact(async (tx) => {
        const run = await tx.jobRuns.find("a");
        tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
        tx.bidCounts.add(1, today);
      });
    await probe.look();
    await bump();
    await server.leave(how);
    const commits = store.transact((tx) => tx.bidCounts.add(1, today));
    const firsts = await Promise.allSettled([bump(), bump(), commits]);
    for (const first of firsts) {
      assert(first.status === "rejected");
      assert(first.reason instanceof TemporaryFailure, String(first.reason));
    }
    assertEquals(told, ["no answer in time"]);
    for (let n = 0; n < 50; n++) await assertRejects(bump, CircuitOpen);
    server.return(how);
    while (probe.why !== null) await nextTurn();
    // What had no answer is settled: the row and the count of one commit agree.
    const before = await countOf(store);
    await bump();
    const [run, count] = await countOf(store);
    assertEquals([run, count], [before[0] + 1, before[1] + 1]);
    assert(count - run <= 1, `${run} and ${count}`);
    assertEquals(told, ["no answer in time", null]);
    await probe.stop();
    kv.close();
  });
}

async function countOf(
  store: ReturnType<typeof createStore>,
): Promise<[number, number]> {
  const [run, count] = await store.getMany([
    store.jobRuns.ref("a"),
    store.bidCounts.ref(today),
  ]);
  return [run?.lastSuccessMs ?? 0, count ?? 0];
}
