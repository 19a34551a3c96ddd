import { assertEquals, assertRejects } from "@std/assert";
import { DAY_MS } from "../../domain/day.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { keys } from "../../kv/keys.ts";
import {
  logged,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const HOUR_MS = 3_600_000;
/** Within what a log is kept, and far beyond it. */
const WRONG_BY = [14, 24, 120, 9_600, -14, -120].map((n) => n * HOUR_MS);

for (const wrongMs of WRONG_BY) {
  const what = `${Math.abs(wrongMs) / HOUR_MS} hours ${
    wrongMs < 0 ? "behind" : "ahead"
  }`;
  Deno.test(`a turn by a clock that is ${what} costs continuous backups a full one at most`, async () => {
    await using from = await openTestStore();
    const kv = logged(from);
    const target = memoryTarget();
    await put(kv, ["a"], 0);
    await writeBackups(seriesOf(from, target));
    await put(kv, ["a"], 1);
    from.clock.advance(wrongMs);
    await writeBackups(seriesOf(from, target));
    from.clock.advance(60_000 - wrongMs);
    await put(kv, ["a"], 2);
    const runs: string[] = [];
    for (let minute = 0; minute < 3; minute++) {
      runs.push(await writeBackups(seriesOf(from, target)));
      await put(kv, ["b"], minute);
      from.clock.advance(60_000);
    }
    // That of a clock a little behind is gone on with.
    const first = wrongMs === -14 * HOUR_MS ? "written" : "begun";
    assertEquals(runs, [first, "written", "written"]);
    await writeBackups(seriesOf(from, target));
    await using to = await openTestStore();
    const { until } = await restored(to, target);
    assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
    assertEquals(until, new Date(from.clock.now()).toISOString());
  });
}

Deno.test("a turn that died under a clock a day ahead keeps nobody from theirs", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await put(logged(from), ["a"], 0);
  await writeBackups(seriesOf(from, target));
  await changeRow(from, (row) => ({
    ...row,
    leaseUntilMs: from.clock.now() + DAY_MS + 90_000,
  }));
  assertEquals(await writeBackups(seriesOf(from, target)), "unchanged");
});

Deno.test("waiting for another process's turn is a success only where that goes on", async () => {
  await using from = await openTestStore();
  const options = {
    ...seriesOf(from, memoryTarget()),
    waited: { version: null },
  };
  await writeBackups(options);
  const hold = () =>
    changeRow(from, (row) => ({
      ...row,
      leaseUntilMs: from.clock.now() + 90_000,
    }));
  await hold();
  assertEquals(await writeBackups(options), "elsewhere");
  await hold();
  assertEquals(await writeBackups(options), "elsewhere");
  await assertRejects(() => writeBackups(options), StoreUnavailable);
  from.clock.advance(90_000);
  assertEquals(await writeBackups(options), "unchanged");
});

Deno.test("a restored store's series is newer than the one it is from, and both than one of an earlier version", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await put(logged(from), ["a"], "of an earlier version");
  await writeBackups(seriesOf(from, target));
  // It named series by their beginning alone, here by a clock far ahead.
  const [name = ""] = target.objects.keys();
  const [id = ""] = name.split("/");
  for (const [path, bytes] of [...target.objects]) {
    target.objects.delete(path);
    target.objects.set(path.replace(id, "2090-01-01T00-00-00.000Z"), bytes);
  }
  await using second = await openTestStore();
  await restored(second, target);
  await put(logged(second), ["a"], "restored");
  second.clock.advance(-HOUR_MS);
  assertEquals(await writeBackups(seriesOf(second, target)), "begun");
  await using third = await openTestStore();
  await restored(third, target);
  assertEquals(await rowsOf(third.realKv), await rowsOf(second.realKv));
  await put(logged(third), ["a"], "again");
  await writeBackups(seriesOf(third, target));
  await using last = await openTestStore();
  await restored(last, target);
  assertEquals(await rowsOf(last.realKv), await rowsOf(third.realKv));
});

Deno.test("a series of an earlier version, which has no number, is not gone on with", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await changeRow(from, (row) => ({ ...row, id: "2026-11-23T04-12-03.206Z" }));
  assertEquals(await writeBackups(seriesOf(from, target)), "begun");
});

async function changeRow(
  { realKv }: TestStore,
  change: (row: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const key = keys.backupSeries();
  const { value } = await realKv.get<Record<string, unknown>>(key);
  await put(realKv, key, change(value ?? {}));
}
