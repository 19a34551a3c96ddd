import { assertEquals } from "@std/assert";
import { waitAtMost } from "../../../domain/operations/wait_at_most.ts";
import { createWorkPump } from "../../../domain/operations/work_pump.ts";
import { ManualTimer } from "../../support/timer.ts";

/** Work that ends when it is told to. */
function heldWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (item: string) => ends.get(item)?.(),
    work(item: string): Promise<void> {
      begun.push(item);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(item, resolve);
      return promise;
    },
  };
}

/** Lets everything that is ready go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

Deno.test("a pump works on as many items at a time as it has lanes, in their order", async () => {
  const { begun, end, work } = heldWork();
  const pump = createWorkPump({ lanes: 2, waitingMax: 10 }, work);
  pump.offer(["a", "b", "c", "d"]);
  assertEquals(begun, ["a", "b"]);
  end("b");
  await settle();
  assertEquals(begun, ["a", "b", "c"]);
  ["a", "c"].forEach(end);
  await settle();
  end("d");
  await pump.close();
  assertEquals(begun, ["a", "b", "c", "d"]);
});

Deno.test("a pump leaves to the sweep what it can't keep in mind", async () => {
  const { begun, end, work } = heldWork();
  const pump = createWorkPump({ lanes: 1, waitingMax: 2 }, work);
  pump.offer(["a"]);
  pump.offer(["b", "c", "d"]);
  for (const item of ["a", "b", "c"]) {
    end(item);
    await settle();
  }
  await pump.close();
  assertEquals(begun, ["a", "b", "c"]);
});

Deno.test("a pump that is closed waits for what it has begun and begins nothing more", async () => {
  const { begun, end, work } = heldWork();
  const pump = createWorkPump({ lanes: 1, waitingMax: 10 }, work);
  pump.offer(["a", "b"]);
  let closed = false;
  const closing = pump.close().then(() => closed = true);
  pump.offer(["c"]);
  await settle();
  assertEquals(closed, false);
  end("a");
  await closing;
  assertEquals(begun, ["a"]);
});

Deno.test("waitAtMost() waits for work, and no longer than it is told to", async () => {
  const timer = new ManualTimer();
  await waitAtMost(Promise.resolve(), 5_000, timer.start);
  assertEquals(timer.waiting, []);
  const waiting = waitAtMost(new Promise(() => {}), 5_000, timer.start);
  assertEquals(timer.waiting, [5_000]);
  timer.fire();
  await waiting;
});
