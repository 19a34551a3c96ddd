/** What a process asks of the store while nobody asks anything of it. */
import { assert, assertEquals } from "@std/assert";
import { type Cron, registerJobs } from "../../cron/jobs.ts";
import { openKv } from "../../kv/open.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  WATCHED_POLL_MS,
  watchSpotlightsVersion,
} from "../../kv/watch_version.ts";
import { ManualClock } from "../support/clock.ts";
import { runService } from "../support/running_service.ts";
import { ManualTimer } from "../support/timer.ts";

const MINUTE_MS = 60_000;
/** A removed Spotlight is gone everywhere by then. */
const REMOVED_WITHIN_MS = 5_000;

/** A store that counts its calls; lists here are of one page. */
class CountingKv implements KvLike {
  calls = 0;
  /** Those that the watch of the version makes, and nothing else. */
  looks = 0;
  readonly #kv: KvLike;

  constructor(kv: KvLike) {
    this.#kv = kv;
  }

  readonly get: KvLike["get"] = (key, options) => {
    this.looks += 1;
    return this.#kv.get(key, options);
  };

  readonly getMany: KvLike["getMany"] = (keys) => {
    this.calls += 1;
    return this.#kv.getMany(keys);
  };

  readonly list: KvLike["list"] = (selector, options) => {
    this.calls += 1;
    return this.#kv.list(selector, options);
  };

  readonly atomic: KvLike["atomic"] = () => {
    const atomic = this.#kv.atomic();
    return {
      check: (...checks) => atomic.check(...checks),
      set: (key, value, options) => atomic.set(key, value, options),
      delete: (key) => atomic.delete(key),
      sum: (key, count) => atomic.sum(key, count),
      commit: () => {
        this.calls += 1;
        return atomic.commit();
      },
    };
  };

  readonly watch: KvLike["watch"] = (keys) => this.#kv.watch(keys);

  close(): void {
    this.#kv.close();
  }
}

/** Runs jobs at the minutes that their schedules name. */
class MinuteCron {
  readonly #jobs: { schedule: string; run: () => Promise<void> }[] = [];

  readonly register: Cron = (_name, schedule, { signal }, run) => {
    this.#jobs.push({ schedule, run });
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve())
    );
  };

  /** Runs side by side what is due at that moment. */
  async tick(nowMs: number): Promise<void> {
    const now = new Date(nowMs);
    const due = this.#jobs.filter(({ schedule }) => isDue(schedule, now));
    await Promise.all(due.map(({ run }) => run()));
  }
}

/** Of the forms that our schedules have: `*`, `7`, `1-59/5`, `2-23`. */
function isDue(schedule: string, now: Date): boolean {
  const [minutes = "", hours = ""] = schedule.split(" ");
  return covers(minutes, now.getUTCMinutes()) &&
    covers(hours, now.getUTCHours());
}

function covers(field: string, value: number): boolean {
  if (field === "*") return true;
  const [, first, last, step = "1"] =
    /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(field) ?? [];
  assert(first !== undefined, field);
  const from = first === "*" ? 0 : Number(first);
  const until = first === "*" ? 59 : Number(last ?? first);
  return value >= from && value <= until && (value - from) % Number(step) === 0;
}

/** Looks at the version in a minute in which no change comes. */
async function looksInAMinute(): Promise<number> {
  const kv = new CountingKv(await openKv(":memory:"));
  const timer = new ManualTimer();
  const watch = watchSpotlightsVersion(kv, () => {}, {
    pollMs: WATCHED_POLL_MS,
    timer: timer.start,
  });
  const until = async (met: () => boolean) => {
    while (!met()) await kv.getMany([["a turn of the event loop"]]);
  };
  await until(() => timer.waiting.length === 1);
  kv.looks = 0;
  for (let ms = 0; ms < MINUTE_MS; ms += WATCHED_POLL_MS) {
    assertEquals(timer.waiting, [WATCHED_POLL_MS]);
    const { looks } = kv;
    timer.fire();
    await until(() => kv.looks > looks && timer.waiting.length === 1);
  }
  await watch.stop();
  kv.close();
  return kv.looks;
}

Deno.test("an idle process over a network makes 26 calls a minute at most, and sees a removal in time", async () => {
  assert(WATCHED_POLL_MS < REMOVED_WITHIN_MS);
  const kv = new CountingKv(await openKv(":memory:"));
  const clock = new ManualClock("2026-11-20T12:00:00.000Z");
  await using running = await runService({ kv, clock });
  const cron = new MinuteCron();
  const { services } = running.service.core;
  const jobs = registerJobs(Promise.resolve(services), cron.register);
  const hour = async () => {
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(MINUTE_MS);
      await cron.tick(clock.now());
    }
  };
  // What is done once is done in the first.
  await hour();
  kv.calls = 0;
  await hour();
  const each = kv.calls / 60 + await looksInAMinute();
  await jobs.stop();
  assert(each <= 26, `${each} calls a minute`);
});
