import { assertEquals } from "@std/assert";
import { type Cron, JOBS, registerJobs } from "../../cron/jobs.ts";
import { nextRunMs } from "../../domain/operations/next_run.ts";
import type { Services } from "../../domain/ports.ts";
import { openAuctionWorld } from "../support/auction_world.ts";
import { closeDay } from "../support/settlement_outcome.ts";
import { ManualTimer } from "../support/timer.ts";
import { until } from "../support/until.ts";

/** Stands in for cron, which ticks on the minute only. */
class TestCron {
  readonly #handlers: (() => Promise<void>)[] = [];
  readonly #ticks: Promise<unknown>[] = [];

  /** As the real one, it ends once aborted and no handler is running. */
  readonly register: Cron = (_name, _schedule, { signal }, handler) => {
    this.#handlers.push(handler);
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => {
        Promise.allSettled(this.#ticks).then(() => resolve());
      })
    );
  };

  /** Runs every handler, as on the minute. */
  tick(): Promise<PromiseSettledResult<void>[]> {
    const ticks = Promise.allSettled(this.#handlers.map((run) => run()));
    this.#ticks.push(ticks);
    return ticks;
  }
}

Deno.test("registerJobs() runs each job as soon as the services have come", async () => {
  await using world = await openAuctionWorld();
  const cron = new TestCron();
  const ready = Promise.withResolvers<Services>();
  const jobs = registerJobs(ready.promise, cron.register);
  ready.resolve(world.services);
  await cron.tick();
  await jobs.stop();
  const run = await world.services.store.jobRuns.find("advance auctions");
  assertEquals(run?.lastSuccessMs, world.clock.now());
});

Deno.test("registerJobs() tries a run that failed again after a while, which cron hears nothing of", async () => {
  await using world = await openAuctionWorld();
  const broken = world.another((real) => real, [
    { on: "read", fault: { kind: "fail_before" }, times: 100_000 },
  ]);
  const cron = new TestCron();
  const timer = new ManualTimer();
  const ready = Promise.resolve(broken.services);
  const jobs = registerJobs(ready, cron.register, timer.start);
  const waited = new Set<number>();
  let ended: PromiseSettledResult<void>[] | null = null;
  cron.tick().then((results) => ended = results);
  await until(() => {
    timer.waiting.forEach((ms) => waited.add(ms));
    timer.fire();
    return ended !== null;
  });
  await jobs.stop();
  const results: PromiseSettledResult<void>[] = ended ?? [];
  assertEquals(results.filter(({ status }) => status === "rejected"), []);
  assertEquals([...waited], [1_000, 5_000, 20_000]);
  assertEquals(world.log.events.includes("job.failed"), true);
});

Deno.test("registerJobs() stops although a run that failed waits to be tried again", async () => {
  await using world = await openAuctionWorld();
  const broken = world.another((real) => real, [
    { on: "read", fault: { kind: "fail_before" }, times: 100_000 },
  ]);
  const cron = new TestCron();
  const timer = new ManualTimer();
  const ready = Promise.resolve(broken.services);
  const jobs = registerJobs(ready, cron.register, timer.start);
  const ticks = cron.tick();
  await until(() => timer.waiting.includes(1_000));
  await jobs.stop();
  await ticks;
  assertEquals(timer.waiting, []);
});

Deno.test("registerJobs() runs nothing once it was stopped", async () => {
  await using world = await openAuctionWorld();
  const cron = new TestCron();
  const ready = Promise.withResolvers<Services>();
  const jobs = registerJobs(ready.promise, cron.register);
  await jobs.stop();
  ready.resolve(world.services);
  await cron.tick();
  assertEquals(
    await world.services.store.jobRuns.find("advance auctions"),
    null,
  );
});

Deno.test("registerJobs() stops although it ticked before a start that failed", async () => {
  const cron = new TestCron();
  const never = Promise.withResolvers<Services>();
  const jobs = registerJobs(never.promise, cron.register);
  cron.tick();
  await jobs.stop();
});

Deno.test("registerJobs() stops although a run under way does not end", async () => {
  await using world = await openAuctionWorld();
  await world.bid(await world.advertiser("ada"), 500);
  await closeDay(world.services);
  const asked = Promise.withResolvers<void>();
  const silent = world.another((real) => ({
    ...real,
    createInvoice() {
      asked.resolve();
      return new Promise(() => {});
    },
  }));
  const cron = new TestCron();
  const jobs = registerJobs(Promise.resolve(silent.services), cron.register);
  cron.tick();
  await asked.promise;
  await jobs.stop(1);
});

Deno.test("a comparison of the books that failed at half past two is tried again within the hour", () => {
  const { schedule } = JOBS.reconcile;
  const at = (time: string) => Date.parse(`2026-11-20T${time}:00.000Z`);
  assertEquals(nextRunMs(schedule, at("02:30")), at("03:30"));
  assertEquals(nextRunMs(schedule, at("10:31")), at("11:30"));
  assertEquals(nextRunMs(schedule, at("00:00")), at("02:30"));
});
