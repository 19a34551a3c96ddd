import { assertEquals } from "@std/assert";
import { VisitorMemory } from "../../../domain/clicks/visitor_memory.ts";

Deno.test("a remembered visitor repeats until its time is over, to the millisecond", () => {
  const memory = new VisitorMemory();
  memory.remember({ hash: "a", untilMs: 100 });
  assertEquals(memory.isRepeat("a", 99), true);
  assertEquals(memory.isRepeat("a", 100), false);
  assertEquals(memory.isRepeat("b", 1), false);
});

Deno.test("the longest known visitor is forgotten when there are too many", () => {
  const memory = new VisitorMemory(2);
  for (const hash of ["a", "b", "a", "c"]) {
    memory.remember({ hash, untilMs: 100 });
  }
  assertEquals(
    ["a", "b", "c"].map((hash) => memory.isRepeat(hash, 1)),
    [true, false, true],
  );
});

Deno.test("forget() lets go of those that count anew", () => {
  const memory = new VisitorMemory(2);
  memory.remember({ hash: "a", untilMs: 100 });
  memory.remember({ hash: "b", untilMs: 200 });
  memory.forget(100);
  memory.remember({ hash: "c", untilMs: 300 });
  assertEquals(memory.isRepeat("b", 150), true, "there was room for it");
});
