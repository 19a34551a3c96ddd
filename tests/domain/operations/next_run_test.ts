import { assert, assertEquals, assertThrows } from "@std/assert";
import { jobs } from "../../../cron/jobs.ts";
import { nextRunMs } from "../../../domain/operations/next_run.ts";

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);

Deno.test("nextRunMs() tells the next turn behind a moment", () => {
  const cases: [string, string, number][] = [
    ["* * * * *", "08:00:00", at("08:01:00")],
    ["* * * * *", "08:00:59.999", at("08:01:00")],
    ["*/5 * * * *", "08:00:00", at("08:05:00")],
    ["*/5 * * * *", "08:58:30", at("09:00:00")],
    ["3-59/5 * * * *", "08:00:00", at("08:03:00")],
    ["3-59/5 * * * *", "08:58:00", at("09:03:00")],
    ["13-59/30 * * * *", "08:13:00", at("08:43:00")],
    ["23 * * * *", "08:23:00", at("09:23:00")],
    ["30 2 * * *", "02:29:59", at("02:30:00")],
    ["30 2 * * *", "02:30:00", at("02:30:00") + 86_400_000],
    ["30 2 * * *", "23:59:59", at("02:30:00") + 86_400_000],
  ];
  for (const [schedule, now, wanted] of cases) {
    assertEquals(nextRunMs(schedule, at(now)), wanted, `${schedule} at ${now}`);
  }
});

Deno.test("nextRunMs() knows the schedule of every job", () => {
  const nowMs = at("08:00:00");
  for (const { schedule } of jobs) {
    const next = nextRunMs(schedule, nowMs);
    assert(next > nowMs && next <= nowMs + 86_400_000, schedule);
  }
  for (const schedule of ["* * 1 * *", "x * * * *", "1,2 * * * *", ""]) {
    assertThrows(() => nextRunMs(schedule, nowMs));
  }
});
