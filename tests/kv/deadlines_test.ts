import { assertEquals } from "@std/assert";
import { deadline } from "../../kv/deadlines.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("deadline() runs what was not called off, in order, and nothing else", async () => {
  const ran: number[] = [];
  const callOff = [1, 2, 3, 4].map((n) => deadline(20, () => ran.push(n)));
  callOff[1]?.();
  await wait(60);
  callOff[2]?.();
  assertEquals(ran, [1, 3, 4]);
});

Deno.test("deadline() gives each its own time, whatever came before", async () => {
  const startMs = performance.now();
  const tookMs: number[] = [];
  const note = () => tookMs.push(performance.now() - startMs);
  deadline(50, note);
  await wait(25);
  deadline(50, note);
  const late = deadline(50, () => tookMs.push(Infinity));
  deadline(10, note);
  late();
  await wait(80);
  const [short = 0, first = 0, second = 0] = tookMs;
  assertEquals(tookMs.length, 3);
  assertEquals([short >= 34, first >= 49, second >= 74], [true, true, true]);
});

Deno.test("deadline() leaves no timer behind once all are called off", () => {
  const callOff = [1, 2, 3].map(() => deadline(60_000, () => {}));
  callOff.forEach((each) => each());
});
