/**
 * What is otherwise on Deno Deploy: nobody can run it here, so each difference is
 * held by itself.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { logSink } from "../../app/serve.ts";
import { stopGraceMs } from "../../app/service.ts";
import { parseConfig } from "../../config/config.ts";
import { JOBS } from "../../cron/jobs.ts";
import { PRODUCTION } from "../support/environments.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const ON_DEPLOY = parseConfig(PRODUCTION);

Deno.test("on Deno Deploy each line of the log is an entry of the console", async () => {
  const seen: unknown[] = [];
  const console = globalThis.console;
  globalThis.console = Object.assign(Object.create(console), {
    log: (line: unknown) => void seen.push(line),
  });
  try {
    const bytes = new TextEncoder().encode('{"event":"a"}\n{"event":"b"}\n');
    await logSink(ON_DEPLOY)(bytes);
  } finally {
    globalThis.console = console;
  }
  assertEquals(seen, ['{"event":"a"}', '{"event":"b"}']);
});

Deno.test("on Deno Deploy a stop ends before it is killed after five seconds", () => {
  assertEquals(stopGraceMs(ON_DEPLOY) < 5_000, true);
});

Deno.test("docs/deploy.md is true to deno.json and to the jobs", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/deploy.md`);
  const [, shown = ""] = page.split("```json\n");
  const { deploy } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  assertEquals(JSON.parse(`{${shown.split("```")[0]}}`), { deploy });
  const counts = [...page.matchAll(/(\d+) jobs/g)].map(([, count]) => count);
  const jobs = String(Object.keys(JOBS).length);
  assertEquals(counts, counts.map(() => jobs));
  assertEquals(counts.length > 0, true);
});
