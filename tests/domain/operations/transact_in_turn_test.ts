import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import {
  type InTurn,
  transactInTurn,
} from "../../../domain/operations/transact_in_turn.ts";
import type { Services } from "../../../domain/ports.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { jobRun } from "../../kv/records.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const atOnce: InTurn = (work) => work();
const never: InTurn = () => Promise.reject(new TooManyWaiting());

/** Runs a transaction that loses so many races; tells what happened in order. */
async function run(
  test: TestStore,
  times: number,
  again: (done: string[]) => InTurn,
  first: (done: string[]) => InTurn = () => atOnce,
): Promise<string[]> {
  test.kv.inject({ on: "commit", times, fault: { kind: "conflict" } });
  const done: string[] = [];
  const services = { store: test.store } as Services;
  const turns = { first: first(done), again: again(done) };
  const { store } = transactInTurn(services, turns);
  await store.transact((tx) => {
    done.push("tried");
    tx.jobRuns.save(jobRun("a", 1));
  }).catch((error) => done.push(error.name));
  return done;
}

Deno.test("a transaction that has lost a race waits for its turn, and has it until its end", async () => {
  await using test = await openTestStore();
  const turn = (done: string[]): InTurn => async (work) => {
    done.push("turn");
    const worked = await work();
    done.push("over");
    return worked;
  };
  const done = await run(test, 2, turn);
  await Promise.resolve();
  assertEquals(done, ["tried", "turn", "tried", "tried", "over"]);
});

Deno.test("a transaction that loses no race waits for no turn", async () => {
  await using test = await openTestStore();
  assertEquals(await run(test, 0, () => never), ["tried"]);
});

Deno.test("a transaction whose turn does not come is not tried again", async () => {
  await using test = await openTestStore();
  const done: string[] = [];
  test.kv.inject({ on: "commit", times: 1, fault: { kind: "conflict" } });
  const services = { store: test.store } as Services;
  const turns = { first: atOnce, again: never };
  const { store } = transactInTurn(services, turns);
  const doomed = store.transact((tx) => {
    done.push("tried");
    tx.jobRuns.save(jobRun("a", 1));
  });
  await assertRejects(() => doomed, TooManyWaiting);
  assertEquals(done, ["tried"]);
  assertEquals(await test.store.jobRuns.find("a"), null);
});

Deno.test("a transaction reads in turn for the first time, and is out of it before it is tried again", async () => {
  await using test = await openTestStore();
  const turn = (name: string) => (done: string[]): InTurn => async (work) => {
    done.push(name);
    const worked = await work();
    done.push(`${name} over`);
    return worked;
  };
  const done = await run(test, 1, turn("again"), turn("first"));
  await Promise.resolve();
  assertEquals(done, [
    "first",
    "tried",
    "first over",
    "again",
    "tried",
    "again over",
  ]);
});

Deno.test("a transaction whose turn to read does not come is not tried", async () => {
  await using test = await openTestStore();
  assertEquals(await run(test, 0, () => atOnce, () => never), [
    "StoreUnavailable",
  ]);
});

Deno.test("a transaction that the store does not even begin gives its turn to read back", async () => {
  let isOver = false;
  const first: InTurn = async (work) => {
    const worked = await work();
    isOver = true;
    return worked;
  };
  const transact = () => Promise.reject(new StoreUnavailable("no answer"));
  const services = { store: { transact } } as unknown as Services;
  const { store } = transactInTurn(services, { first, again: never });
  await assertRejects(
    () => store.transact(() => undefined),
    StoreUnavailable,
  );
  await Promise.resolve();
  assertEquals(isOver, true);
});
