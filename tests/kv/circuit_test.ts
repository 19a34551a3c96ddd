import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type CallKind,
  Circuit,
  CircuitOpen,
  DeadlinePassed,
} from "../../kv/circuit.ts";
import { ManualTimer } from "../support/timer.ts";

const CALL_MS = 2_000;

/** A circuit whose time passes only when a test says so. */
function openCircuit() {
  let nowMs = 0;
  const timer = new ManualTimer();
  const trouble: unknown[] = [];
  const circuit = new Circuit({
    callMs: CALL_MS,
    nowMs: () => nowMs,
    startTimer: timer.start,
    onTrouble: (why) => trouble.push(why),
  });
  return {
    circuit,
    trouble,
    pass(ms: number) {
      nowMs += ms;
      timer.fire();
    },
    /** Begins a call that is answered when the test says so. */
    begin(kind: CallKind, how: "run" | "probe" = "run") {
      const answer = Promise.withResolvers<string>();
      const ended = circuit[how](kind, () => answer.promise);
      ended.catch(() => {});
      return { ...answer, ended };
    },
  };
}

Deno.test("a store that is silent lets go all that wait for it at the first deadline, and nothing more is sent", async () => {
  const { circuit, begin, pass, trouble } = openCircuit();
  const first = begin("read");
  pass(CALL_MS - 1);
  const others = [begin("read"), begin("commit")];
  assertEquals(circuit.isOpen, false);
  pass(1);
  for (const { ended } of [first, ...others]) {
    await assertRejects(() => ended, DeadlinePassed);
  }
  assertEquals(circuit.isOpen, true);
  assertEquals(trouble.length, 1);
  let sent = 0;
  for (const kind of ["read", "commit"] as const) {
    await assertRejects(
      () => circuit.run(kind, () => Promise.resolve(sent++)),
      CircuitOpen,
    );
  }
  assertEquals(sent, 0);
});

Deno.test("one slow call among others that are answered opens no circuit", async () => {
  const { circuit, begin, pass, trouble } = openCircuit();
  const slow = begin("read");
  pass(CALL_MS - 1);
  const other = begin("read");
  other.resolve("here");
  assertEquals(await other.ended, "here");
  pass(1);
  await assertRejects(() => slow.ended, DeadlinePassed);
  assertEquals([circuit.isOpen, trouble], [false, []]);
});

Deno.test("commits that hang open the circuit although reads are answered", async () => {
  const { circuit, begin, pass } = openCircuit();
  const commit = begin("commit");
  pass(CALL_MS - 1);
  const read = begin("read");
  read.resolve("here");
  await read.ended;
  pass(1);
  await assertRejects(() => commit.ended, DeadlinePassed);
  assertEquals(circuit.isOpen, true);
});

for (const answer of ["a late answer", "an error", "a probe's"] as const) {
  Deno.test(`any answer closes the circuit: ${answer}`, async () => {
    const { circuit, begin, pass } = openCircuit();
    const late = begin("commit");
    pass(CALL_MS);
    assert(circuit.isOpen);
    if (answer === "a late answer") late.resolve("here");
    else {
      const probe = begin("commit", "probe");
      if (answer === "an error") {
        probe.reject(new TypeError("disk I/O error"));
        await assertRejects(() => probe.ended, TypeError, "disk");
      } else {
        probe.resolve("here");
        await probe.ended;
      }
    }
    await Promise.resolve();
    assertEquals(circuit.isOpen, false);
    assertEquals(await circuit.run("read", () => Promise.resolve(1)), 1);
  });
}

Deno.test("a probe without an answer leaves the circuit open", async () => {
  const { circuit, begin, pass, trouble } = openCircuit();
  begin("read");
  pass(CALL_MS);
  const probe = begin("commit", "probe");
  pass(CALL_MS);
  await assertRejects(() => probe.ended, DeadlinePassed);
  assertEquals(circuit.isOpen, true);
  assertEquals(trouble.length, 1);
});
