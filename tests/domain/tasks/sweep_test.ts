import { assertEquals, assertRejects } from "@std/assert";
import { sweep } from "../../../domain/tasks/sweep.ts";
import { ManualClock } from "../../support/clock.ts";

const ITEMS = ["a", "b", "c", "d", "e"];

Deno.test("sweep() tries every item in its order, whatever becomes of others", async () => {
  const tried: string[] = [];
  const told: string[] = [];
  const failures = await sweep(new ManualClock(), {
    due: () => Promise.resolve(ITEMS),
    attempt: (item) => {
      tried.push(item);
      return item < "c" ? Promise.reject(new Error(item)) : Promise.resolve();
    },
    failed: (item, error) => void told.push(`${item} ${error}`),
  });
  assertEquals(tried, ITEMS);
  assertEquals(told, ["a Error: a", "b Error: b"]);
  assertEquals(failures, 2);
});

Deno.test("sweep() throws the first failure nobody deals with, once all were tried", async () => {
  const tried: string[] = [];
  await assertRejects(
    () =>
      sweep(new ManualClock(), {
        due: () => Promise.resolve(ITEMS),
        attempt: (item) => {
          tried.push(item);
          return item === "b" || item === "d"
            ? Promise.reject(new Error(item))
            : Promise.resolve();
        },
      }),
    Error,
    "b",
  );
  assertEquals(tried, ITEMS);
});

Deno.test("sweep() works on as many items at a time as it has lanes", async () => {
  let underWay = 0;
  let most = 0;
  await sweep(new ManualClock(), {
    due: () => Promise.resolve(ITEMS),
    lanes: 3,
    async attempt() {
      most = Math.max(most, ++underWay);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      underWay -= 1;
    },
  });
  assertEquals(most, 3);
});

Deno.test("sweep() begins nothing once its time is over, nor another round", async () => {
  const clock = new ManualClock();
  const tried: string[] = [];
  await sweep(clock, {
    due: () => Promise.resolve(ITEMS),
    beginWithinMs: 1_000,
    rounds: 9,
    attempt: (item) => {
      tried.push(item);
      clock.advance(501);
      return Promise.resolve();
    },
  });
  assertEquals(tried, ["a", "b"]);
});

Deno.test("sweep() begins nothing after 45 seconds where no time is said", async () => {
  const clock = new ManualClock();
  const tried: string[] = [];
  await sweep(clock, {
    due: () => Promise.resolve(ITEMS),
    attempt: (item) => {
      tried.push(item);
      clock.advance(22_501);
      return Promise.resolve();
    },
  });
  assertEquals(tried, ["a", "b"]);
});

Deno.test("sweep() begins nothing after an attempt that says so", async () => {
  const tried: string[] = [];
  await sweep(new ManualClock(), {
    due: () => Promise.resolve(ITEMS),
    attempt: (item) => {
      tried.push(item);
      return Promise.resolve(item === "c" ? "stop" : undefined);
    },
  });
  assertEquals(tried, ["a", "b", "c"]);
});

Deno.test("sweep() lists round after round until nothing is due", async () => {
  const pages = [["a", "b"], ["c"], [], ["never"]];
  const tried: string[] = [];
  await sweep(new ManualClock(), {
    due: () => Promise.resolve(pages.shift() ?? []),
    rounds: 9,
    attempt: (item) => Promise.resolve(void tried.push(item)),
  });
  assertEquals(tried, ["a", "b", "c"]);
});

Deno.test("sweep() lists no further round while an attempt left its item as due as before", async () => {
  let lists = 0;
  const failures = await sweep(new ManualClock(), {
    due: () => Promise.resolve([`item_${++lists}`]),
    rounds: 9,
    attempt: () => Promise.reject(new Error("unrecorded")),
    failed: () => {},
  });
  assertEquals([lists, failures], [1, 1]);
});

Deno.test("sweep() makes no more rounds than it is told to", async () => {
  let lists = 0;
  await sweep(new ManualClock(), {
    due: () => Promise.resolve([`item_${++lists}`]),
    rounds: 4,
    attempt: () => Promise.resolve(),
  });
  assertEquals(lists, 4);
});
