import { assert, assertEquals, assertRejects } from "@std/assert";
import { nextTurn } from "../../adapters/time/system_time.ts";
import { OutcomeUnknown } from "../../domain/failure.ts";
import { CircuitOpen } from "../../kv/circuit.ts";
import { guardedCommit } from "../../kv/commit.ts";
import { guardedRead } from "../../kv/guard.ts";
import { keys } from "../../kv/keys.ts";
import { openKv } from "../../kv/open.ts";
import { PROBE_DOWN_MS, PROBE_MS, StoreProbe } from "../../kv/store_probe.ts";
import { runProcess } from "../support/captured_process.ts";
import type { Fault } from "../support/faults.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { ManualTimer } from "../support/timer.ts";

const CALL_MS = 2_000;

/** What SQLite says through the client of the platform. */
const READ_ONLY = new TypeError("attempt to write a readonly database");

/** A probe of a store with faults, whose time passes when a test says so. */
async function openProbe() {
  const real = await openKv(":memory:");
  const kv = new FaultyKv(real);
  const timer = new ManualTimer();
  const told: (string | null)[] = [];
  let nowMs = 0;
  const probe = new StoreProbe({
    kv,
    onChange: (why) => told.push(why),
    callMs: CALL_MS,
    nowMs: () => nowMs,
    startTimer: timer.start,
  });
  return {
    kv,
    probe,
    told,
    timer,
    pass(ms: number) {
      nowMs += ms;
      timer.fire();
    },
    async [Symbol.asyncDispose]() {
      await probe.stop();
      real.close();
    },
  };
}

function breakCommits(kv: FaultyKv, fault: Fault, times = Infinity): void {
  kv.inject({ on: "commit", fault, times });
}

Deno.test("a store that takes writes has one row written to it every ten seconds, and nothing is told", async () => {
  await using rig = await openProbe();
  const { kv, probe, timer, told } = rig;
  await probe.look();
  assertEquals(timer.waiting, [PROBE_MS]);
  timer.fire();
  await probe.look();
  assertEquals(kv.commits.length, 2);
  assertEquals(
    kv.commits.map(({ writes }) => writes.map(({ key }) => key)),
    [[keys.storeProbe()], [keys.storeProbe()]],
  );
  assertEquals([probe.why, told], [null, []]);
});

Deno.test("a disk that takes no writes is told once in the store's words, and once when it does again", async () => {
  await using rig = await openProbe();
  const { kv, probe, timer, told } = rig;
  breakCommits(kv, { kind: "fail_before", error: READ_ONLY }, 3);
  for (let n = 0; n < 3; n++) {
    await probe.look();
    assertEquals(probe.why, READ_ONLY.message);
    assertEquals(timer.waiting, [PROBE_DOWN_MS]);
    // Whoever answers with an error keeps nobody waiting: reads go on.
    const read = () => kv.get(keys.calendar());
    assertEquals((await guardedRead(read, probe.patience)).value, null);
  }
  await probe.look();
  assertEquals(told, [READ_ONLY.message, null]);
  assertEquals(timer.waiting, [PROBE_MS]);
});

Deno.test("a commit that fails has the store probed soon, and one that loses its race, or a lock, does not", async () => {
  await using rig = await openProbe();
  const { kv, probe, timer } = rig;
  await probe.look();
  const commit = () =>
    guardedCommit(kv, (atomic) => atomic.set(["any"], 1), {
      patience: probe.patience,
    });
  for (const kind of ["conflict", "locked"] as const) {
    breakCommits(kv, { kind }, 1);
    await commit();
    assertEquals(timer.waiting, [PROBE_MS]);
  }
  breakCommits(kv, { kind: "fail_before", error: READ_ONLY }, 2);
  for (let n = 0; n < 2; n++) {
    await assertRejects(commit, OutcomeUnknown);
    assertEquals(timer.waiting, [PROBE_DOWN_MS]);
  }
});

Deno.test("a silent store is probed by one write at a time and few in all, and calls are sent again with its first answer", async () => {
  await using rig = await openProbe();
  const { kv, probe, told } = rig;
  const line = Promise.withResolvers<void>();
  const hold = { kind: "hold", until: line.promise } as const;
  for (const on of ["read", "commit"] as const) {
    kv.inject({ on, fault: hold, times: 100 });
  }
  const read = () => guardedRead(() => kv.get(["any"]), probe.patience);
  const waits = read();
  waits.catch(() => {});
  rig.pass(CALL_MS);
  await assertRejects(() => waits);
  assertEquals(told, ["no answer in time"]);
  for (let n = 0; n < 30; n++) {
    const probing = probe.look();
    await assertRejects(read, CircuitOpen);
    rig.pass(CALL_MS);
    await probing;
    rig.pass(PROBE_DOWN_MS);
  }
  assertEquals([kv.readCount, kv.commits.length], [1, 8]);
  line.resolve();
  while (probe.why !== null) {
    await nextTurn();
    await probe.look();
  }
  assertEquals((await read()).value, null);
  assertEquals(told, ["no answer in time", null]);
});

Deno.test("what is told of a store names no address and is short", async () => {
  await using rig = await openProbe();
  const { kv, probe } = rig;
  const url = "https://kv.example.org/secret/v2/atomic_write";
  const error = new Error(
    `KV Connect failed to call '${url}'${".".repeat(999)}`,
  );
  breakCommits(kv, { kind: "fail_before", error }, 1);
  await probe.look();
  assert(probe.why?.startsWith("KV Connect failed to call 'KV_URL'"));
  assertEquals(probe.why?.length, 200);
});

Deno.test("a full disk is seen and told in SQLite's words, and reads go on", async () => {
  const folder = await Deno.makeTempDir({ prefix: "spotlight_full_" });
  const child = new URL("../support/fills_disk.ts", import.meta.url).pathname;
  // No file may grow beyond so many blocks, which ends nobody but fails writes.
  const limited = `trap '' XFSZ; ulimit -f 400; exec "$@"`;
  const { code, stdout } = await runProcess({
    command: "bash",
    args: ["-c", limited, "bash", Deno.execPath(), "run", "-A", "--no-check"]
      .concat(child, `${folder}/kv.sqlite3`),
  });
  await Deno.remove(folder, { recursive: true });
  assertEquals([code, stdout], [0, '["disk I/O error"]\nread: first\n']);
});
