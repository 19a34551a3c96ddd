import { assert, assertEquals } from "@std/assert";
import { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import type { PublicSnapshot } from "../../../domain/spotlights/public_snapshot.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  removed,
  settle,
  spotlight,
  TEST_BASE_URL,
} from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const FIRST = spotlight("2026-11-17");
const SECOND = spotlight("2026-11-18");

Deno.test("PublicRecords tells of what is public whenever it changes", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const told: PublicSnapshot[] = [];
  const records = new PublicRecords({
    store: test.store,
    log: new MemoryLog(),
    baseUrl: TEST_BASE_URL,
    onChange: (snapshot) => told.push(snapshot),
  });
  const lastDays = () => told.at(-1)?.records.map(({ day }) => day);

  await records.refresh();
  assertEquals(lastDays(), [FIRST.day]);
  const first = told.length;
  await records.refresh();
  assertEquals(told.length, first, "nothing has changed");

  await settle(test.another().store, SECOND);
  await records.refresh();
  assertEquals(lastDays(), [FIRST.day, SECOND.day]);
  records.apply(removed(FIRST));
  assertEquals(lastDays(), [SECOND.day]);
  assert(told.at(-1) === records.snapshot, "what is told is what is shown");
});
