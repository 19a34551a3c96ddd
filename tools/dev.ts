/**
 * The whole service on one machine: all hosts, the processor simulator, the
 * background jobs and, in an empty store, demo data.
 *
 * @module
 */
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/process_config.ts";
import type { Core } from "../app/core.ts";
import { jobs } from "../cron/jobs.ts";
import { demoRoutes } from "./demo/demo_routes.ts";
import { DEVELOPMENT } from "./demo/development.ts";
import {
  DEMO_DAYS_DEFAULT,
  DEMO_SEED_DEFAULT,
  fillStore,
} from "./demo/fill_store.ts";
import { openDemoAccess } from "./demo/open_demo_access.ts";
import type { AtMoment } from "./demo/past_sales.ts";
import { runJob } from "../domain/operations/run_job.ts";
import { Refused } from "../domain/refusal.ts";
import { addressesOf } from "../routes/hosts.ts";
import { stopOnSignal } from "../app/serve.ts";
import { type Service, startService } from "../app/service.ts";
import { print, runTool, ToolFailure, UsageError } from "./command.ts";
import {
  type DevFile,
  devFileOf,
  removeDevFile,
  writeDevFile,
} from "./dev_file.ts";
import { sendEvents, startDevProcessor } from "./dev_processor.ts";

/** Longest the service may take to answer on every host, ms. */
const READY_WITHIN_MS = 10_000;
const READY_PAUSE_MS = 10;

if (import.meta.main) await runTool(dev);

async function dev(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("Usage: dev");
  const given = loadConfig("development");
  const { simulator, url, config, at } = await startDevProcessor(given);
  const dataDir = config.dataDir ?? "";
  await removeDevFile(dataDir);
  const service = await startService(config, {
    crons: true,
    development: {
      ...DEVELOPMENT,
      operatorRoutes: (parts) => demoRoutes(parts, at),
    },
  });
  let stopping = false;
  stopOnSignal(async () => {
    stopping = true;
    await removeDevFile(dataDir);
    await service.stop();
    await simulator.stop();
  });
  try {
    await fillOnce(service.core, at);
    // The demo's past is no news.
    sendEvents(simulator, service.config);
    const file = await makeReady(service, url);
    if (stopping) return;
    await writeDevFile(dataDir, file);
    await print(announcement(file, dataDir, config.stripe.secretKey));
  } catch (error) {
    // Whoever stops it while it fills its store finds the store closed.
    if (!stopping) throw error;
  }
}

/** Catches up with the clock and waits until every host answers. */
async function makeReady(
  { core, config }: Service,
  processorUrl: string,
): Promise<DevFile> {
  await catchUp(core);
  const accesses = await openDemoAccess(core.services);
  await answersEverywhere(config);
  return devFileOf(config.settings, processorUrl, accesses);
}

/** Fills an empty store. */
async function fillOnce({ services }: Core, at: AtMoment): Promise<void> {
  const wanted = { days: DEMO_DAYS_DEFAULT, seed: DEMO_SEED_DEFAULT };
  try {
    await fillStore(services, wanted, at);
  } catch (error) {
    const isFull = error instanceof Refused &&
      error.refusal.code === "store_not_empty";
    if (!isFull) throw error;
  }
}

/** Lets the jobs catch up with the clock. */
async function catchUp({ services, records }: Core): Promise<void> {
  for (const job of jobs) await runJob(services, job);
  await records.refreshNow();
}

async function answersEverywhere({ settings }: Config): Promise<void> {
  const hosts = Object.values(addressesOf(settings)).map(({ origin }) =>
    origin
  );
  await Promise.all(hosts.map(async (origin) => {
    const untilMs = Date.now() + READY_WITHIN_MS;
    while (!await isReady(origin)) {
      if (Date.now() > untilMs) {
        throw new ToolFailure(`Cannot start: ${origin}/readyz is not ready`);
      }
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
  }));
}

/** False where nobody listens: `PORT` moves the hosts, and not their addresses. */
async function isReady(origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  const response = await fetch(`${origin}/readyz`, { signal })
    .catch(() => null);
  if (response === null) return false;
  await response.body?.cancel();
  return response.ok;
}

function announcement(
  file: DevFile,
  dataDir: string,
  processorKey: string,
): string {
  const [first] = file.accounts;
  const who = first === undefined ? "" : `, as ${first.email} for example`;
  const lines = [
    "",
    "Spotlight is ready.",
    `  Website    ${file.base_url}/`,
    `  Sign in    ${file.base_url}/sign-in (the code comes to the outbox${who})`,
    `  Agent API  ${file.auth_url}/v1/agent`,
    `  Docs MCP   ${file.docs_mcp_url}`,
    `  Processor  ${file.processor_url} (simulator)`,
    `  Outbox     ${file.outbox_url}`,
    `  Tokens     ${dataDir}/dev.json`,
    "",
    "Try it:",
    `  curl ${file.base_url}/api/v1/spotlight`,
  ];
  if (first !== undefined) {
    lines.push(
      `  curl -H "Authorization: Bearer ${first.access_token}" \\`,
      `    ${file.auth_url}/v1/agent/me`,
    );
  }
  lines.push(...tokenLines(file, processorKey));
  return `${lines.join("\n")}\n`;
}

/** How a buyer's agent gets a token that pays for a report; the README goes on. */
function tokenLines(file: DevFile, processorKey: string): string[] {
  return [
    "",
    "Grant a payment token of EUR 1 over a test card:",
    `  curl -H "Authorization: Bearer ${processorKey}" \\`,
    '    -H "Stripe-Version: 2026-04-22.preview" \\',
    '    -d payment_method=pm_card_visa -d "usage_limits[currency]=eur" \\',
    '    -d "usage_limits[max_amount]=100" \\',
    `    ${file.processor_url}/v1/test_helpers/shared_payment/granted_tokens`,
  ];
}
