import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { invariant } from "../../../domain/invariant.ts";
import {
  type Deadline,
  Deadlines,
  sharedDeadlines,
} from "../../../domain/operations/shared_deadlines.ts";

const LENGTHS = [5, 20] as const;

/** A clock whose timers run when it is moved on, the earliest first. */
function manualClock() {
  let nowMs = 0;
  const timers = new Map<number, { atMs: number; run: () => void }>();
  let made = 0;
  const parts = {
    nowMs: () => nowMs,
    startTimer(run: () => void, ms: number): () => void {
      const id = made++;
      timers.set(id, { atMs: nowMs + ms, run });
      return () => void timers.delete(id);
    },
  };
  const kept = new Map<number, Deadlines>(
    LENGTHS.map((ms) => [ms, new Deadlines(ms, parts, true)]),
  );
  return {
    timers,
    deadline: sharedDeadlines(parts),
    /** Those of a length whose timer runs on while nothing waits. */
    keptOf(ms: number): Deadlines {
      const all = kept.get(ms);
      invariant(all, "there is one of each length");
      return all;
    },
    made: () => made,
    moveOn(ms: number): void {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers].filter(([, { atMs }]) => atMs <= untilMs)
          .sort(([, a], [, b]) => a.atMs - b.atMs);
        if (next === undefined) break;
        const [id, { atMs, run }] = next;
        timers.delete(id);
        nowMs = atMs;
        run();
      }
      nowMs = untilMs;
    },
    now: () => nowMs,
  };
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("begin"),
    length: fc.constantFrom(...LENGTHS),
  }),
  fc.record({ kind: fc.constant("call off"), nth: fc.nat(30) }),
  fc.record({
    kind: fc.constant("move on"),
    ms: fc.integer({ min: 1, max: 9 }),
  }),
);

Deno.test("deadlines that are not called off run once, at their own time, and the others never", () => {
  const steps = fc.array(step, { maxLength: 80 });
  fc.assert(fc.property(steps, fc.boolean(), (steps, keepsTimer) => {
    const clock = manualClock();
    const begin: Deadline = keepsTimer
      ? (ms, run) => clock.keptOf(ms).begin(run)
      : clock.deadline;
    const ran: [n: number, atMs: number][] = [];
    const expected = new Map<number, number>();
    const callOff: (() => void)[] = [];
    const done = new Set<number>();
    for (const taken of steps) {
      if ("length" in taken) {
        const n = callOff.length;
        expected.set(n, clock.now() + taken.length);
        callOff.push(begin(taken.length, () => {
          ran.push([n, clock.now()]);
          done.add(n);
        }));
      } else if ("nth" in taken) {
        callOff[taken.nth]?.();
        if (!done.has(taken.nth)) expected.delete(taken.nth);
      } else clock.moveOn(taken.ms);
    }
    clock.moveOn(100);
    assertEquals(ran.toSorted(([a], [b]) => a - b), [...expected]);
    assertEquals(clock.timers.size, 0);
  }));
});

Deno.test("a timer that is kept serves what begins and ends one after the other, and stops when it is told to", () => {
  const clock = manualClock();
  const all = clock.keptOf(5);
  const ran: number[] = [];
  for (let n = 0; n < 10; n++) {
    all.begin(() => ran.push(n))();
    clock.moveOn(1);
  }
  assertEquals(clock.made(), 2);
  const callOff = all.begin(() => ran.push(10));
  all.keepNoTimer();
  assertEquals(clock.timers.size, 1);
  callOff();
  assertEquals(clock.timers.size, 0);
  all.begin(() => ran.push(11));
  all.endAll();
  assertEquals(clock.timers.size, 0);
  assertEquals(ran, [11]);
});

Deno.test("a deadline that passes may call off others and begin new ones", () => {
  const clock = manualClock();
  const ran: string[] = [];
  const begin = (name: string, also = () => {}): ReturnType<Deadline> =>
    clock.deadline(10, () => {
      ran.push(name);
      also();
    });
  begin("first", () => {
    callOff();
    begin("anew");
  });
  const callOff = begin("second");
  clock.moveOn(5);
  begin("third");
  clock.moveOn(5);
  assertEquals(ran, ["first"]);
  clock.moveOn(5);
  assertEquals(ran, ["first", "third"]);
  clock.moveOn(5);
  assertEquals(ran, ["first", "third", "anew"]);
  assertEquals(clock.timers.size, 0);
});

Deno.test("calling a deadline off again, or once it has passed, does nothing", () => {
  const clock = manualClock();
  const ran: number[] = [];
  const callOff = [1, 2, 3].map((n) => clock.deadline(10, () => ran.push(n)));
  callOff[1]?.();
  callOff[1]?.();
  clock.moveOn(10);
  callOff.forEach((each) => each());
  clock.deadline(10, () => ran.push(4));
  callOff.forEach((each) => each());
  clock.moveOn(10);
  assertEquals(ran, [1, 3, 4]);
});
