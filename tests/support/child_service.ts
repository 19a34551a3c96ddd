/**
 * A service of its own process for tests: `startService` on free ports with a
 * clock that may run ahead or behind, and the jobs every so often.
 *
 * Reads one JSON argument and prints its addresses, as one JSON line, once it
 * answers; its log goes to standard output too, as that of every service.
 *
 * @module
 */
import { parseConfig } from "../../config/config.ts";
import { jobs } from "../../cron/jobs.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import { startService } from "../../app/service.ts";
import { DEVELOPMENT } from "../../tools/demo/development.ts";
import { stopOnSignal } from "../../app/serve.ts";

/** What the process is started with. */
export interface ChildOptions {
  /** The environment, as `config.ts` reads it. */
  env: Record<string, string>;
  /** How far the process's clock is ahead of the machine's, ms. */
  clockAheadMs: number;
  /** Pause between two runs of the jobs, ms; null: they never run. */
  jobsEveryMs: number | null;
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const options: ChildOptions = JSON.parse(Deno.args[0] ?? "{}");
  const service = await startService(parseConfig(options.env), {
    clock: { now: () => Date.now() + options.clockAheadMs },
    development: DEVELOPMENT,
  });
  stopOnSignal(service.stop);
  const { baseUrl, authUrl } = service.config.settings;
  const line = JSON.stringify({ baseUrl, authUrl });
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
  const { jobsEveryMs } = options;
  if (jobsEveryMs === null) return;
  for (;;) {
    for (const job of jobs) {
      await runJob(service.core.services, job).catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, jobsEveryMs));
  }
}
