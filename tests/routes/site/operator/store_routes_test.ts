import { assert, assertEquals } from "@std/assert";
import { runJob } from "../../../../domain/operations/run_job.ts";
import { answerOf, JOB, openOperatorSite } from "./operator_site.ts";

Deno.test("GET jobs answers the last success and whether a job is late", async () => {
  await using site = await openOperatorSite();
  const jobs = async () =>
    (await answerOf(await site.operate("GET", "jobs"))).jobs;
  const job = { name: JOB.name, schedule: JOB.schedule };
  assertEquals(await jobs(), [{ ...job, lastSuccessAt: null, late: true }]);
  await runJob(site.services, JOB);
  const lastSuccessAt = "2026-11-20T12:00:00.000Z";
  assertEquals(await jobs(), [{ ...job, lastSuccessAt, late: false }]);
  site.world.clock.advance(JOB.lateAfterMs + 1);
  assertEquals(await jobs(), [{ ...job, lastSuccessAt, late: true }]);
});

Deno.test("GET backup answers the whole store as NDJSON", async () => {
  await using site = await openOperatorSite();
  await answerOf(await site.operate("POST", "demo/seed", { body: {} }), 201);
  const response = await site.operate("GET", "backup");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/x-ndjson");
  assertEquals(response.headers.get("cache-control"), "no-store");
  const lines = (await response.text()).trimEnd().split("\n");
  const trailer = JSON.parse(lines.at(-1) ?? "");
  assertEquals([trailer.rows, trailer.consistent], [lines.length - 2, true]);
  assertEquals(lines.slice(1, -1), await site.world.rows());
  assert(lines.length > 1_000);
});
