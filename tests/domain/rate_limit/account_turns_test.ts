import { assertEquals, assertRejects } from "@std/assert";
import {
  AccountTurns,
  type TurnLimits,
} from "../../../domain/rate_limit/account_turns.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { ManualTimer } from "../../support/timer.ts";

const LIMITS: TurnLimits = {
  running: 2,
  runningOfOne: 1,
  waiting: 6,
  waitingOfOne: 4,
  maxWaitMs: 2_000,
};

/** Turns of which each piece of work ends when the test says so. */
function openTurns(limits = LIMITS) {
  const timer = new ManualTimer();
  const turns = new AccountTurns(timer.start, limits);
  const running: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (
    accountId: string,
    name: string,
    admitted?: Promise<unknown>,
  ) =>
    turns.run(accountId, () => {
      running.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      ends.set(name, (error) => {
        running.splice(running.indexOf(name), 1);
        if (error === undefined) resolve(name);
        else reject(error);
      });
      return promise;
    }, admitted);
  return {
    timer,
    running,
    run,
    isFree: (accountId: string) => turns.isFree(accountId),
    /** Ends one, and lets what waits for that begin. */
    async end(name: string, error?: Error) {
      ends.get(name)?.(error);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

Deno.test("an account's lists run one after the other, and another account's beside them at once", async () => {
  const { run, running, end } = openTurns();
  const all = ["a1", "a2", "a3"].map((name) => run("a", name));
  assertEquals(running, ["a1"]);
  const other = run("b", "b1");
  assertEquals(running, ["a1", "b1"]);
  await end("a1");
  assertEquals(running, ["b1", "a2"]);
  for (const name of ["b1", "a2", "a3"]) await end(name);
  assertEquals(await Promise.all([...all, other]), ["a1", "a2", "a3", "b1"]);
});

Deno.test("accounts take turns, however much one of them has waiting", async () => {
  const { run, running, end } = openTurns();
  const asked = [
    run("a", "a1"),
    run("b", "b1"),
    run("a", "a2"),
    run("a", "a3"),
    run("c", "c1"),
  ];
  await end("a1");
  assertEquals(running, ["b1", "a2"]);
  await end("b1");
  assertEquals(running, ["a2", "c1"]);
  for (const name of ["a2", "c1", "a3"]) await end(name);
  assertEquals(running, []);
  await Promise.all(asked);
});

Deno.test("what fails gives its turn to the next", async () => {
  const { run, running, end } = openTurns();
  const failing = run("a", "a1");
  const next = run("a", "a2");
  await Promise.all([
    assertRejects(() => failing, Error, "no answer"),
    end("a1", new Error("no answer")),
  ]);
  assertEquals(running, ["a2"]);
  await end("a2");
  assertEquals(await next, "a2");
});

Deno.test("more of an account than may wait are refused at once", async () => {
  const { run, end } = openTurns();
  const kept = ["a1", "a2", "a3", "a4", "a5"].map((name) => run("a", name));
  await assertRejects(() => run("a", "a6"), TooManyWaiting);
  for (let nth = 1; nth <= 5; nth++) await end(`a${nth}`);
  await Promise.all(kept);
});

Deno.test("who can run at once does not wait behind what others have waiting, however much that is", async () => {
  const timer = new ManualTimer();
  const turns = new AccountTurns(timer.start, { ...LIMITS, running: Infinity });
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = ["a", "b"].flatMap((accountId) =>
    Array.from({ length: 4 }, () => turns.run(accountId, () => promise))
  );
  await assertRejects(() => turns.run("a", () => promise), TooManyWaiting);
  assertEquals(await turns.run("c", () => Promise.resolve("c")), "c");
  resolve("slow");
  await Promise.all(slow);
});

Deno.test("an account that may run two at once runs two, whichever of them ends first", async () => {
  const { run, running, end } = openTurns({
    ...LIMITS,
    running: 5,
    runningOfOne: 2,
  });
  const asked = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
  assertEquals(running, ["a1", "a2"]);
  await end("a2");
  assertEquals(running, ["a1", "a3"]);
  await end("a1");
  assertEquals(running, ["a3", "a4"]);
  const later = run("a", "a5");
  assertEquals(running, ["a3", "a4"]);
  for (const name of ["a3", "a4", "a5"]) await end(name);
  await Promise.all([...asked, later]);
});

Deno.test("whose turn does not come in time is refused then, whatever still runs, and what came later runs", async () => {
  const { timer, run, running, end } = openTurns();
  const first = run("a", "a1");
  assertEquals(timer.waiting, []);
  const late = run("a", "a2");
  assertEquals(timer.waiting, [LIMITS.maxWaitMs]);
  timer.fire();
  await assertRejects(() => late, TooManyWaiting);
  const fresh = run("a", "a3");
  await end("a1");
  assertEquals(running, ["a3"]);
  // Whose turn has come waits no more.
  assertEquals(timer.waiting, []);
  await end("a3");
  assertEquals(await Promise.all([first, fresh]), ["a1", "a3"]);
});

Deno.test("who has few waiting is given a place of whoever has most, once all are taken", async () => {
  const { run, end, timer } = openTurns({ ...LIMITS, waiting: 4 });
  const kept = ["a1", "a2", "a3"].map((name) => run("a", name));
  const displaced = ["a4", "a5"].map((name) => run("a", name));
  const refused = Promise.allSettled(displaced);
  kept.push(run("b", "b1"), run("b", "b2"), run("c", "c1"));
  // Two of each of the others wait as well: none of them has fewer.
  await assertRejects(() => run("b", "b3"), TooManyWaiting);
  assertEquals((await refused).map(({ status }) => status), [
    "rejected",
    "rejected",
  ]);
  assertEquals(timer.waiting.length, 4);
  for (const name of ["a1", "b1", "a2", "b2", "c1", "a3"]) await end(name);
  assertEquals(await Promise.all(kept), ["a1", "a2", "a3", "b1", "b2", "c1"]);
});

Deno.test("who has nothing waiting is given a place of whoever has two, and none of whoever has one", async () => {
  const { run, end } = openTurns({ ...LIMITS, waiting: 2 });
  const kept = [run("a", "a1"), run("b", "b1"), run("a", "a2")];
  const displaced = assertRejects(() => run("a", "a3"), TooManyWaiting);
  kept.push(run("c", "c1"));
  await displaced;
  await assertRejects(() => run("d", "d1"), TooManyWaiting);
  for (const name of ["a1", "b1", "a2", "c1"]) await end(name);
  assertEquals(await Promise.all(kept), ["a1", "b1", "a2", "c1"]);
});

Deno.test("who is not let through takes no place of those that are, and is told so first", async () => {
  const limits = { ...LIMITS, waiting: 1, waitingOfOne: 1 };
  const { run, running, end } = openTurns(limits);
  const refused = new RangeError("not let through");
  const admission = Promise.withResolvers<void>();
  const first = run("a", "a1", admission.promise);
  // It began at once, whatever becomes of it.
  assertEquals(running, ["a1"]);
  const late = Array.from(
    { length: 9 },
    (_, nth) =>
      assertRejects(
        () => run("a", `late ${nth}`, admission.promise),
        RangeError,
      ),
  );
  const letThrough = run("a", "a2", Promise.resolve());
  await Promise.resolve();
  const last = assertRejects(
    () => run("a", "a3", Promise.resolve()),
    TooManyWaiting,
  );
  admission.reject(refused);
  await Promise.all([...late, last]);
  await end("a1");
  assertEquals(running, ["a2"]);
  await end("a2");
  assertEquals(await Promise.all([first, letThrough]), ["a1", "a2"]);
});

Deno.test("who was let through meanwhile runs at once where there is room by then", async () => {
  const { run, running, end } = openTurns();
  const admission = Promise.withResolvers<void>();
  const asked = [run("a", "a1"), run("a", "a2", admission.promise)];
  await end("a1");
  assertEquals(running, []);
  admission.resolve();
  await Promise.resolve();
  assertEquals(running, ["a2"]);
  await end("a2");
  assertEquals(await Promise.all(asked), ["a1", "a2"]);
});

Deno.test("a turn is free as long as the account and all others leave room", async () => {
  const { run, end, isFree } = openTurns();
  assertEquals(isFree("a"), true);
  const first = run("a", "a1");
  assertEquals(["a", "b"].map(isFree), [false, true]);
  const second = run("b", "b1");
  assertEquals(["a", "b", "c"].map(isFree), [false, false, false]);
  await end("a1");
  assertEquals(["a", "b", "c"].map(isFree), [true, false, true]);
  await end("b1");
  await Promise.all([first, second]);
});
