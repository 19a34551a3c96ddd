import { assertEquals, assertRejects } from "@std/assert";
import {
  type Job,
  JobsUnderWay,
  runJob,
} from "../../../domain/operations/run_job.ts";
import type { Services } from "../../../domain/ports.ts";
import { openAuctionWorld } from "../../support/auction_world.ts";
import { keyOf } from "../../support/faults.ts";

function job(name: string, run: Job["run"] = () => Promise.resolve()): Job {
  const schedule = "* * * * *";
  return { name, schedule, lateAfterMs: 60_000, onHold: "runs", run };
}

async function successOf({ store }: Services, name: string) {
  return (await store.jobRuns.find(name))?.lastSuccessMs ?? null;
}

Deno.test("jobs that run side by side are recorded in one commit, the failed one left out", async () => {
  await using world = await openAuctionWorld();
  const { services, testStore: { kv } } = world;
  const together = new JobsUnderWay();
  const nowMs = world.clock.now();
  const before = kv.commits.length;
  const failing = job("failing", () => Promise.reject(new Error("no")));
  await Promise.allSettled(
    [job("a"), failing, job("b")].map((each) =>
      runJob(services, each, together)
    ),
  );
  const written = kv.commits.slice(before).filter(({ writes }) =>
    writes.some(({ key }) => key[1] !== "failing")
  );
  assertEquals(written.length, 1);
  assertEquals(await successOf(services, "a"), nowMs);
  assertEquals(await successOf(services, "b"), nowMs);
  assertEquals(await successOf(services, "failing"), 0);
});

Deno.test("a job that does not end keeps what others did from being recorded for a minute at most", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  const together = new JobsUnderWay();
  const ended = Promise.withResolvers<void>();
  const endless = runJob(
    services,
    job("endless", () => ended.promise),
    together,
  );
  const firstMs = clock.now();
  await runJob(services, job("a"), together);
  clock.advance(59_999);
  await runJob(services, job("b"), together);
  assertEquals(await successOf(services, "a"), null);
  clock.advance(1);
  await runJob(services, job("b"), together);
  assertEquals(await successOf(services, "a"), firstMs);
  assertEquals(await successOf(services, "b"), clock.now());
  ended.resolve();
  await endless;
});

Deno.test("successes that the store did not take are recorded with the next one", async () => {
  await using world = await openAuctionWorld();
  const { services, testStore: { kv } } = world;
  const together = new JobsUnderWay();
  const firstMs = world.clock.now();
  kv.inject({
    on: "commit",
    key: keyOf("job_runs"),
    times: 2,
    fault: { kind: "fail_before" },
  });
  await assertRejects(() => runJob(services, job("a"), together));
  assertEquals(await successOf(services, "a"), null);
  world.clock.advance(1);
  await runJob(services, job("b"), together);
  assertEquals(await successOf(services, "a"), firstMs);
  assertEquals(await successOf(services, "b"), world.clock.now());
});
