import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import { createSandboxJob } from "../../../domain/sandbox/create_sandbox_job.ts";
import {
  SANDBOX_JOB_ID,
  SANDBOX_JOB_MS,
  sandboxJobId,
} from "../../../domain/sandbox/job.ts";
import { readSandboxJob } from "../../../domain/sandbox/read_sandbox_job.ts";
import { sandboxSpotlight } from "../../../domain/sandbox/sandbox_spotlight.ts";
import { Refused } from "../../../domain/refusal.ts";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { openTestStore } from "../../support/store.ts";

const KEY = "order-1";
// printf 'sandbox-job|order-1' | sha256sum | cut -c 1-16
const JOB_ID = "sbx_b498997784106420";

Deno.test("sandboxJobId() is the beginning of a SHA-256 of the key", () => {
  assertEquals(sandboxJobId(KEY), JOB_ID);
});

Deno.test("sandboxJobId() has the documented form for every key", () => {
  fc.assert(fc.property(fc.string(), (key) => {
    assertMatch(sandboxJobId(key), SANDBOX_JOB_ID);
  }));
});

Deno.test("createSandboxJob() makes a job that lives 24 hours", async () => {
  await using test = await openTestStore();
  const { job, replayed } = await createSandboxJob(test, KEY);
  const now = test.clock.now();
  assertEquals(replayed, false);
  assertEquals(job, {
    jobId: JOB_ID,
    createdAtMs: now,
    expiresAtMs: now + SANDBOX_JOB_MS,
  });
  assertEquals(await readSandboxJob(test, JOB_ID), job);
});

Deno.test("createSandboxJob() finds the same job again, unchanged", async () => {
  await using test = await openTestStore();
  const first = await createSandboxJob(test, KEY);
  test.clock.advance(60_000);
  const second = await createSandboxJob(test, KEY);
  assertEquals(second, { job: first.job, replayed: true });
  assertEquals(test.kv.commits.length, 1);
});

Deno.test("createSandboxJob() lets one of many parallel repeats write", async () => {
  await using test = await openTestStore();
  const other = { store: test.another().store, clock: test.clock };
  const made = await Promise.all(
    Array.from(
      { length: 32 },
      (_, at) => createSandboxJob(at % 2 === 0 ? test : other, KEY),
    ),
  );
  assertEquals(new Set(made.map(({ job }) => job.jobId)), new Set([JOB_ID]));
  assertEquals(made.filter(({ replayed }) => !replayed).length, 1);
});

Deno.test("createSandboxJob() finds its job after a lost answer", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  await assertRejects(() => createSandboxJob(test, KEY));
  assertEquals((await createSandboxJob(test, KEY)).replayed, true);
});

Deno.test("createSandboxJob() makes the same job anew after a day", async () => {
  await using test = await openTestStore();
  await createSandboxJob(test, KEY);
  test.clock.advance(SANDBOX_JOB_MS);
  await assertRejects(() => readSandboxJob(test, JOB_ID), Refused);
  const { job, replayed } = await createSandboxJob(test, KEY);
  assertEquals([job.jobId, replayed], [JOB_ID, false]);
});

Deno.test("readSandboxJob() refuses an id nobody asked for", async () => {
  await using test = await openTestStore();
  const error = await assertRejects(
    () => readSandboxJob(test, JOB_ID),
    Refused,
  );
  assertEquals(error.refusal, { code: "sandbox_job_not_found", jobId: JOB_ID });
});

Deno.test("readSandboxJob() writes nothing", async () => {
  await using test = await openTestStore();
  await createSandboxJob(test, KEY);
  await readSandboxJob(test, JOB_ID);
  assertEquals(test.kv.commits.length, 1);
});

Deno.test("readSandboxJob() fails when the store does", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "read", fault: { kind: "fail_before" } });
  await assertRejects(() => readSandboxJob(test, JOB_ID), StoreUnavailable);
});

Deno.test("sandboxSpotlight() has six fields and a page on the site", () => {
  assertEquals(Object.entries(sandboxSpotlight("https://s.example")), [
    ["day", "2025-01-01"],
    ["headline", "Fresh bread, baked before you wake"],
    [
      "description",
      "Order until midnight and find warm sourdough at your door by seven. " +
      "This is sample data: the bakery does not exist.",
    ],
    ["advertiser", "Example Bakery"],
    ["canonicalUrl", "https://s.example/spotlights/sandbox"],
    ["contentType", "paid_advertisement"],
  ]);
});
