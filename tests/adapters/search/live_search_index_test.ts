import { assert, assertEquals, assertRejects } from "@std/assert";
import { passagesOf } from "../../../domain/retrieval/passages.ts";
import { IndexNotReady } from "../../../domain/retrieval/search_index.ts";
import {
  type PublicSnapshot,
  snapshotOf,
  withSpotlights,
} from "../../../domain/spotlights/public_snapshot.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import {
  CHANGES_MAX,
  LiveSearchIndex,
} from "../../../adapters/search/live_search_index.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  removed,
  settledDays,
  spotlight,
  TEST_BASE_URL,
} from "../../support/public_spotlights.ts";
import { SMALL_PAGES } from "./support/search_world.ts";

const LAMP = spotlight("2026-11-18", { headline: "A lamp" });

/** An index whose pauses a test ends, and counts. */
class PausedIndex {
  readonly log = new MemoryLog();
  readonly index: LiveSearchIndex;
  pauses = 0;
  #waiting: (() => void)[] = [];
  isPaused = false;

  constructor() {
    this.index = new LiveSearchIndex({
      passages: passagesOf(SMALL_PAGES, TEST_BASE_URL),
      answerTo: () => null,
      log: this.log,
      pause: () => {
        this.pauses++;
        if (!this.isPaused) return Promise.resolve();
        return new Promise((resolve) => this.#waiting.push(resolve));
      },
    });
  }

  goOn(): void {
    this.isPaused = false;
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  async show(snapshot: PublicSnapshot): Promise<void> {
    this.index.show(snapshot);
    await this.index.settled();
  }

  /** The days that are found, oldest first. */
  async days(query: string): Promise<string[]> {
    const hits = await this.index.findSpotlights(query, 100);
    return hits.map(({ day }) => day).toSorted();
  }
}

function snapshot(...spotlights: readonly Spotlight[]): PublicSnapshot {
  return snapshotOf(spotlights, TEST_BASE_URL);
}

function change(
  before: PublicSnapshot,
  ...changed: readonly Spotlight[]
): PublicSnapshot {
  return withSpotlights(before, changed, TEST_BASE_URL);
}

Deno.test("LiveSearchIndex is not ready until everything is indexed once", async () => {
  const paused = new PausedIndex();
  const { index } = paused;
  paused.isPaused = true;
  index.show(snapshot(LAMP));
  assertEquals(index.isReady, false);
  await assertRejects(() => index.findSpotlights("lamp", 5), IndexNotReady);
  await assertRejects(() => index.findPassages("scope", 5), IndexNotReady);
  paused.goOn();
  await index.settled();
  assertEquals(index.isReady, true);
  assertEquals(await paused.days("lamp"), [LAMP.day]);
  assertEquals((await index.findPassages("scope", 5)).length, 1);
});

Deno.test("LiveSearchIndex is ready with nothing settled yet", async () => {
  const paused = new PausedIndex();
  await paused.show(snapshot());
  assertEquals(paused.index.isReady, true);
  assertEquals(await paused.days("lamp"), []);
});

Deno.test("LiveSearchIndex follows days that settle, change and are removed", async () => {
  const paused = new PausedIndex();
  const first = snapshot(LAMP);
  await paused.show(first);
  const built = paused.pauses;

  const settled = spotlight("2026-11-19", { headline: "Another lamp" });
  const second = change(first, settled);
  await paused.show(second);
  assertEquals(await paused.days("lamp"), [LAMP.day, settled.day]);

  const third = change(second, { ...LAMP, headline: "A bicycle" });
  await paused.show(third);
  assertEquals(await paused.days("lamp"), [settled.day]);

  await paused.show(change(third, removed(settled)));
  assertEquals(await paused.days("lamp"), []);
  assertEquals(await paused.days("bicycle"), [LAMP.day]);
  assertEquals(paused.pauses, built, "few changes need no new index");
});

Deno.test("LiveSearchIndex answers from the old index while a new one is built", async () => {
  const paused = new PausedIndex();
  await paused.show(snapshot(LAMP));
  const built = paused.pauses;
  const many = settledDays(CHANGES_MAX + 1)
    .map((one) => ({ ...one, headline: "A bicycle" }));
  paused.isPaused = true;
  paused.index.show(snapshot(...many));
  assertEquals(paused.pauses, built + 1);
  assertEquals(await paused.days("lamp"), [LAMP.day]);
  assertEquals(await paused.days("bicycle"), []);
  paused.goOn();
  await paused.index.settled();
  assertEquals(await paused.days("lamp"), []);
  assertEquals((await paused.days("bicycle")).length, CHANGES_MAX + 1);
});

Deno.test("LiveSearchIndex comes to the newest of what it was shown meanwhile", async () => {
  const paused = new PausedIndex();
  paused.isPaused = true;
  const first = snapshot(LAMP);
  paused.index.show(first);
  const second = change(first, { ...LAMP, headline: "A bicycle" });
  paused.index.show(second);
  paused.index.show(change(second, { ...LAMP, headline: "A tram" }));
  paused.goOn();
  await paused.index.settled();
  assertEquals(await paused.days("tram"), [LAMP.day]);
  assertEquals(await paused.days("lamp bicycle"), []);
});

Deno.test("LiveSearchIndex stops in the middle when it is closed", async () => {
  const paused = new PausedIndex();
  paused.isPaused = true;
  paused.index.show(snapshot(LAMP));
  const closed = paused.index.close();
  paused.goOn();
  await closed;
  assertEquals(paused.index.isReady, false);
  assertEquals(paused.log.lines, []);
});

Deno.test("LiveSearchIndex tells of what it could not index, and builds anew at the next change", async () => {
  const paused = new PausedIndex();
  const first = snapshot(LAMP);
  await paused.show(first);
  const broken = { ...first.records[0], headline: 5 } as never;
  const spoiled = { ...first, records: [broken], byDay: new Map() };
  await paused.show(spoiled);
  assertEquals(paused.log.lines.length, 1);
  assert(JSON.stringify(paused.log.lines).includes("search_index_not_updated"));

  const settled = spotlight("2026-11-19", { headline: "Another lamp" });
  await paused.show(change(first, settled));
  assertEquals(await paused.days("lamp"), [LAMP.day, settled.day]);
});

Deno.test("LiveSearchIndex answers a query that it remembers anew after every change", async () => {
  const world = new PausedIndex();
  const { index } = world;
  const found = async () =>
    (await index.findSpotlights("lamp", 5)).map(({ day }) => String(day));
  const lamps = (count: number) =>
    settledDays(count).map((one) => ({ ...one, headline: "A lamp" }));
  for (const count of [1, 2, 2 + CHANGES_MAX + 1, 3]) {
    const all = lamps(count);
    await world.show(snapshotOf(all, TEST_BASE_URL));
    const newest = all.toReversed().slice(0, 5).map(({ day }) => String(day));
    assertEquals(await found(), newest);
    // The second time it is what was remembered.
    assertEquals(await found(), newest);
  }
});
