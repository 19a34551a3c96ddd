import { assert, assertEquals, assertRejects } from "@std/assert";
import { isLate } from "../../../domain/operations/job_run.ts";
import { type Job, runJob } from "../../../domain/operations/run_job.ts";
import { lateJobs } from "../../../domain/operations/list_job_runs.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";

const HOUR_MS = 3_600_000;

function job(run: () => Promise<void>): Job {
  return {
    name: "job",
    schedule: "* * * * *",
    lateAfterMs: HOUR_MS,
    onHold: "waits",
    run,
  };
}

const WORKS = job(() => Promise.resolve());
const FAILS = job(() => Promise.reject(new Error("not now")));

Deno.test("a job that was never tried is late", async () => {
  await using world = await openAuctionWorld();
  assertEquals(await lateJobs(world.services, [WORKS]), ["job"]);
});

Deno.test("a job whose first tries fail is late once its time is over", async () => {
  await using world = await openAuctionWorld();
  await assertRejects(() => runJob(world.services, FAILS), Error, "not now");
  assertEquals(await lateJobs(world.services, [FAILS]), []);
  world.clock.advance(HOUR_MS);
  await assertRejects(() => runJob(world.services, FAILS), Error, "not now");
  assertEquals(await lateJobs(world.services, [FAILS]), []);
  world.clock.advance(1);
  assertEquals(await lateJobs(world.services, [FAILS]), ["job"]);
});

Deno.test("a success makes a job's first failures forgotten", async () => {
  await using world = await openAuctionWorld();
  await assertRejects(() => runJob(world.services, FAILS), Error, "not now");
  world.clock.advance(2 * HOUR_MS);
  await runJob(world.services, WORKS);
  assertEquals(await lateJobs(world.services, [WORKS]), []);
  world.clock.advance(HOUR_MS + 1);
  assertEquals(await lateJobs(world.services, [WORKS]), ["job"]);
});

Deno.test("isLate() counts from the last success", () => {
  const run = { name: "job", lastSuccessMs: 1_000 };
  assert(!isLate(run, 500, 1_500));
  assert(isLate(run, 500, 1_501));
});
