import { assertEquals } from "@std/assert";
import { waitAtMost } from "../../../domain/operations/wait_at_most.ts";
import { createIdPump, createPump } from "../../../domain/tasks/pump.ts";
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

/** A pump of items that are each done alone. */
function pumpOf(
  limits: { lanes: number; waitingMax: number },
  work: (item: string) => Promise<void>,
  failed: (item: string, error: unknown) => void = (_, error) => {
    throw error;
  },
) {
  return createIdPump(limits, work, failed);
}

/** Lets everything that is ready go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

Deno.test("a pump works on as many items at a time as it has lanes, in their order", async () => {
  const { begun, end, work } = heldWork();
  const pump = pumpOf({ lanes: 2, waitingMax: 10 }, work);
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

Deno.test("a pump of ids keeps a thousand of them in mind where nothing else is said", async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const pump = createIdPump({ lanes: 1 }, (id) => {
    begun.push(id);
    return id === "first" ? first.promise : Promise.resolve();
  }, (_, error) => {
    throw error;
  });
  pump.offer(["first", ...Array.from({ length: 1_001 }, (_, n) => `${n}`)]);
  first.resolve();
  for (let turn = 0; turn < 500; turn++) await settle();
  await pump.close();
  assertEquals([begun.length, begun.at(-1)], [1_000, "998"]);
});

Deno.test("a pump leaves to the sweep what it can't keep in mind", async () => {
  const { begun, end, work } = heldWork();
  const pump = pumpOf({ lanes: 1, waitingMax: 2 }, work);
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
  const pump = pumpOf({ lanes: 1, waitingMax: 10 }, work);
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

Deno.test("a pump tells of work that throws and goes on with the next", async () => {
  const begun: string[] = [];
  const told: string[] = [];
  const pump = pumpOf(
    { lanes: 1, waitingMax: 10 },
    (item) => {
      begun.push(item);
      return item === "a" ? Promise.reject(new Error("no")) : Promise.resolve();
    },
    (item, error) => told.push(`${item}: ${error}`),
  );
  pump.offer(["a", "b"]);
  await settle();
  await pump.close();
  assertEquals(begun, ["a", "b"]);
  assertEquals(told, ["a: Error: no"]);
});

Deno.test("a pump does items of one name together, and never twice at a time", async () => {
  const begun: string[][] = [];
  const ends: (() => void)[] = [];
  const pump = createPump<string>(
    {
      lanes: 2,
      waitingMax: 10,
      togetherMax: 2,
      nameOf: (item) => item.slice(0, 1),
    },
    (items) => {
      begun.push([...items]);
      return new Promise((resolve) => ends.push(resolve));
    },
    () => {},
  );
  pump.offer(["a1"]);
  pump.offer(["a2", "b1", "a3", "a4"]);
  assertEquals(begun, [["a1"], ["b1"]]);
  ends[0]?.();
  await settle();
  assertEquals(begun, [["a1"], ["b1"], ["a2", "a3"]]);
  ends[2]?.();
  await settle();
  assertEquals(begun.at(-1), ["a4"]);
  ends.forEach((end) => end());
  await settle();
  await pump.close();
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
