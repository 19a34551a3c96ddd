/**
 * What changes while a turn of continuous backups reads the log, rows among it
 * that are too large for a line or for the log.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../domain/failure.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  logged,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { openTestStore } from "../support/store.ts";

/** As much as an account's row may hold. */
const LARGE = 40_000;
/** Rows of that size that no commit can log. */
const TOO_MANY = 5;

/** Counters are unsigned and go round. */
const ONE_LESS = 2n ** 64n - 1n;

type Random = () => number;

/** The same numbers for a seed each time, from 0 up to 1. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** A large row whose text says which one it is. */
function large(nth: number): string {
  return `${nth} `.padEnd(LARGE, "x");
}

/** Sets large rows in one commit. */
async function putLarge(
  kv: KvLike,
  rows: number,
  nth: number,
): Promise<void> {
  const atomic = kv.atomic();
  for (let row = 0; row < rows; row++) {
    atomic.set(["large", row], large(nth));
  }
  await atomic.commit();
}

/** Has something done before each reading of the store. */
function busyKv(kv: KvLike, meanwhile: () => Promise<void>): KvLike {
  return {
    ...kv,
    async getMany(keys) {
      await meanwhile();
      return await kv.getMany(keys);
    },
    list(selector, options) {
      const entries = kv.list<never>(selector, options);
      let isFirst = true;
      const waiting = {
        get cursor() {
          return entries.cursor;
        },
        async next() {
          if (isFirst) await meanwhile();
          isFirst = false;
          return await entries.next();
        },
        [Symbol.asyncIterator]: () => waiting,
      };
      return waiting as never;
    },
  };
}

for (
  const [what, size] of [["large", LARGE], ["full", 62_000]] as const
) {
  Deno.test(`a turn of continuous backups ends well while ${what} rows are changed at every reading`, () =>
    endsWell(size));
}

async function endsWell(size: number): Promise<void> {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  let nth = 0;
  const change = async () => {
    nth += 1;
    for (let row = 0; row < 4; row++) {
      await put(kv, ["passkeys", row], large(nth).padEnd(size));
    }
  };
  await change();
  const busy = busyKv(from.realKv, change);
  for (let turn = 0; turn < 3; turn++) {
    const run = await writeBackups({ ...seriesOf(from, target), kv: busy });
    assertEquals(run, "written");
  }
  assert(nth >= 6, `${nth} changes meanwhile`);
  await writeBackups(seriesOf(from, target));
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
}

Deno.test("every file of changes ends at one commit, whatever rows of any size are committed while it is made", async () => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = randomFrom(seed);
    await using from = await openTestStore();
    const kv = logged(from);
    const target = memoryTarget();
    const states = new Set<string>();
    let nth = 0;
    let left = 0;
    const change = async () => {
      if (left === 0) return;
      left -= 1;
      nth += 1;
      await changeAny(kv, nth, random);
      states.add(JSON.stringify(await rowsOf(from.realKv)));
    };
    await writeBackups(seriesOf(from, target));
    const busy = busyKv(from.realKv, change);
    for (let turn = 0; turn < 4; turn++) {
      left = 3;
      while (left > 0) await change();
      states.clear();
      states.add(JSON.stringify(await rowsOf(from.realKv)));
      left = 8;
      await writeBackups({ ...seriesOf(from, target), kv: busy });
      await using to = await openTestStore();
      await restored(to, target);
      const then = JSON.stringify(await rowsOf(to.realKv));
      assert(states.has(then), `seed ${seed}, turn ${turn}`);
    }
  }
});

/** Changes one row, or in one commit more than can be logged. */
async function changeAny(
  kv: KvLike,
  nth: number,
  random: Random,
): Promise<void> {
  const row = Math.floor(random() * TOO_MANY);
  const what = random();
  if (what < 0.25) return await putLarge(kv, TOO_MANY, nth);
  if (what < 0.45) return await put(kv, ["large", row], large(nth));
  if (what < 0.55) return await put(kv, ["large", row], undefined);
  if (what < 0.7) return await put(kv, ["small", row], nth);
  const atomic = kv.atomic();
  if (what > 0.95) atomic.delete(["count"]);
  else atomic.sum(["count"], nth % 3 === 0 ? ONE_LESS : BigInt(nth));
  atomic.set(["beside"], nth);
  await atomic.commit();
}

Deno.test("a file of changes goes on to a change of what no commit could log", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await putLarge(kv, TOO_MANY, 1);
  let then: string[] = [];
  const busy = busyKv(from.realKv, async () => {
    if (then.length > 0) return await put(kv, ["large", 0], "later still");
    await put(kv, ["beside"], 1);
    await put(kv, ["large", 0], "later");
    await put(kv, ["large", 1], undefined);
    then = await rowsOf(from.realKv);
  });
  // The log is listed once the turn has begun.
  const unread: KvLike = { ...busy, getMany: from.realKv.getMany };
  await writeBackups({ ...seriesOf(from, target), kv: unread });
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), then);
});

Deno.test("a turn that was overtaken leaves a file that counts for nothing, however far its end has moved", async () => {
  await using from = await openTestStore();
  const kv = logged(from);
  const target = memoryTarget();
  await writeBackups(seriesOf(from, target));
  await putLarge(kv, TOO_MANY, 1);
  // The first reading finds the row of the turn, the second the log; the third
  // is of the rows that the log does not hold.
  let readings = 0;
  const slow = busyKv(from.realKv, async () => {
    readings += 1;
    if (readings !== 3) return;
    from.clock.advance(2 * 60_000);
    await put(kv, ["beside"], 1);
    assertEquals(await writeBackups(seriesOf(from, target)), "written");
    await putLarge(kv, TOO_MANY, 2);
    await put(kv, ["large", 0], "last");
  });
  await assertRejects(
    () => writeBackups({ ...seriesOf(from, target), kv: slow }),
    StoreUnavailable,
  );
  await put(kv, ["beside"], 2);
  assertEquals(await writeBackups(seriesOf(from, target)), "written");
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
});
