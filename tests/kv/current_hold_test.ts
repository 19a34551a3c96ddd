import { assertEquals } from "@std/assert";
import type { Hold } from "../../domain/hold/hold.ts";
import { currentHold } from "../../kv/current_hold.ts";
import { readManyFrom } from "../../kv/read_many.ts";
import {
  openTestStore,
  testPatience,
  type TestStore,
} from "../support/store.ts";
import { day } from "./records.ts";

const HOLD: Hold = {
  kind: "restored",
  restoredAtMs: 0,
  backupAtMs: null,
  isWhole: true,
  releasedAtMs: null,
  acknowledged: [],
};

const CALENDAR = { launchDay: day("2026-11-20"), settledThroughDay: null };

Deno.test("a store that has a row and no hold is asked once", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => tx.calendar.save(CALENDAR));
  const { read, count } = counting(test);
  for (let n = 0; n < 5; n++) assertEquals(await read(), null);
  assertEquals(count(), 1);
});

Deno.test("a process over an empty store sees a restore that comes later", async () => {
  await using test = await openTestStore();
  assertEquals(await test.store.currentHold(), null);
  await test.another().store.transact((tx) => tx.holds.save(HOLD));
  assertEquals(await test.store.currentHold(), HOLD);
});

Deno.test("a process sees at once that another one released the store", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => {
    tx.calendar.save(CALENDAR);
    tx.holds.save(HOLD);
  });
  const { read, count } = counting(test);
  assertEquals(await read(), HOLD);
  const released = { ...HOLD, releasedAtMs: 1 };
  await test.another().store.transact((tx) => tx.holds.save(released));
  assertEquals([await read(), await read(), count()], [null, null, 2]);
});

/** A process's look at the hold, and how often it has asked the store. */
function counting({ realKv }: TestStore) {
  const readMany = readManyFrom(realKv, testPatience());
  let asked = 0;
  const read = currentHold((...input) => {
    asked += 1;
    return readMany(...input);
  });
  return { read, count: () => asked };
}
