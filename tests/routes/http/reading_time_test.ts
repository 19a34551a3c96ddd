import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  ALL_MAX_MS,
  COUNTED_MAX_MS,
  FORGOTTEN_MS_A_SECOND,
  KNOWN_MS,
  OWN_MAX_MS,
  ReadingTime,
  UNCOUNTED_MS,
} from "../../../routes/http/reading_time.ts";

/** The reading time of a service whose clock stands still until it is moved. */
function readingTime() {
  let nowMs = 0;
  return {
    time: new ReadingTime(() => nowMs),
    pass: (ms: number) => void (nowMs += ms),
  };
}

/** What a body takes of which so many ms are counted. */
const counted = (ms: number) => ms + UNCOUNTED_MS;

Deno.test("a network has to wait once all have taken much and it more than a little", () => {
  const { time } = readingTime();
  time.add("slow", counted(ALL_MAX_MS));
  assert(!time.isSpent("slow"));
  time.add("other", counted(OWN_MAX_MS));
  assert(time.isSpent("slow"));
  assert(!time.isSpent("other"));
  time.add("other", counted(0.1));
  assert(time.isSpent("other"));
  assert(!time.isSpent("stranger"));
});

Deno.test("what a body may take is not counted, and takes away from what its network took", () => {
  const { time } = readingTime();
  time.add("quick", UNCOUNTED_MS);
  assert(!time.isCounting);
  time.add("slow", counted(ALL_MAX_MS + OWN_MAX_MS));
  assert(time.isSpent("slow"));
  for (let ms = 0; ms < ALL_MAX_MS; ms += UNCOUNTED_MS) time.add("slow", 0);
  assert(!time.isSpent("slow"));
});

Deno.test("time is forgotten by the second, and whose it was in ten to twenty", () => {
  const { time, pass } = readingTime();
  time.add("slow", counted(ALL_MAX_MS + FORGOTTEN_MS_A_SECOND));
  pass(999);
  assert(time.isSpent("slow"));
  pass(1);
  assert(!time.isSpent("slow"));
  pass(KNOWN_MS - 1_001);
  time.add("other", counted(ALL_MAX_MS + OWN_MAX_MS + 1));
  assert(time.isSpent("slow"));
  pass(1);
  assert(time.isSpent("slow"));
  pass(KNOWN_MS);
  time.add("other", counted(ALL_MAX_MS + OWN_MAX_MS + 1));
  assert(!time.isSpent("slow"));
  assert(time.isSpent("other"));
});

Deno.test("nobody waits for longer than two seconds, however much was counted", () => {
  const { time, pass } = readingTime();
  for (let nth = 0; nth < 9; nth++) time.add("slow", counted(COUNTED_MAX_MS));
  pass(1_999);
  assert(time.isSpent("slow"));
  pass(1);
  assert(!time.isSpent("slow"));
  const quick = Math.ceil((COUNTED_MAX_MS - OWN_MAX_MS) / UNCOUNTED_MS);
  for (let nth = 0; nth < quick; nth++) time.add("slow", 0);
  time.add("other", counted(COUNTED_MAX_MS));
  assert(!time.isSpent("slow"));
});

/** Reads of some networks, each a while after the one before. */
const reads = fc.array(
  fc.record({
    network: fc.constantFrom("a", "b", "c"),
    tookMs: fc.double({ min: 0, max: 80, noNaN: true }),
    laterMs: fc.double({ min: 0, max: 400, noNaN: true }),
  }),
  { minLength: 1, maxLength: 200 },
);

Deno.test("whatever others send, whose bodies are quick never has to wait", () => {
  fc.assert(fc.property(reads, (all) => {
    const { time, pass } = readingTime();
    for (const { network, tookMs, laterMs } of all) {
      pass(laterMs);
      const isQuick = network === "a";
      if (isQuick) assert(!time.isSpent("a"));
      if (!time.isSpent(network)) {
        time.add(network, isQuick ? Math.min(tookMs, UNCOUNTED_MS) : tookMs);
      }
    }
  }));
});

Deno.test("whoever sends what, all together get no more of the thread than is forgotten", () => {
  fc.assert(fc.property(reads, (all) => {
    const { time, pass } = readingTime();
    let sinceMs = 0;
    let countedMs = 0;
    for (const { network, tookMs, laterMs } of all) {
      pass(laterMs);
      sinceMs += laterMs;
      if (time.isSpent(network)) continue;
      time.add(network, tookMs);
      countedMs += Math.max(0, tookMs - UNCOUNTED_MS);
    }
    const most = ALL_MAX_MS + sinceMs / 1_000 * FORGOTTEN_MS_A_SECOND;
    // Each network has a little of its own, and the last body of each may be long.
    const own = 3 * (OWN_MAX_MS + 80) * (1 + Math.ceil(sinceMs / KNOWN_MS));
    assert(countedMs <= most + own, `${countedMs} ms of ${most}`);
  }));
});

Deno.test("networks whose bodies were quick lately are not kept", () => {
  const { time, pass } = readingTime();
  time.add("slow", counted(50));
  assert(time.isCounting);
  pass(50 / FORGOTTEN_MS_A_SECOND * 1_000);
  assert(!time.isCounting);
  assertEquals(time.isSpent("slow"), false);
});
