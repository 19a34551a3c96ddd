/**
 * Fills an empty store with demo data: through the running service, or in the
 * store itself when none runs. In development only.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { openCore } from "../app/core.ts";
import {
  DEMO_DAYS_DEFAULT,
  DEMO_DAYS_MAX,
  DEMO_SEED_DEFAULT,
  fillStore,
} from "./demo/fill_store.ts";
import { Refused } from "../domain/refusal.ts";
import {
  printJson,
  runTool,
  ToolFailure,
  UsageError,
  wholeNumber,
} from "./command.ts";
import { startDevProcessor } from "./dev_processor.ts";
import { operatorClient, ServiceAbsent } from "./operator_client.ts";

const USAGE = "Usage: seed [--days N] [--seed N]";
const SEED_MAX = 999_999_999;

interface Wanted {
  days: number;
  seed: number;
}

if (import.meta.main) await runTool(seed);

async function seed(args: string[]): Promise<void> {
  const wanted = readWanted(args);
  const config = loadToolConfig();
  try {
    const client = await operatorClient(config);
    await printJson(await client.post("demo/seed", wanted));
  } catch (error) {
    if (!(error instanceof ServiceAbsent)) throw error;
    await printJson(await seedDirectly(config, wanted));
  }
}

function readWanted(args: string[]): Wanted {
  const { days, seed } = readFlags(args);
  return {
    days: days === undefined
      ? DEMO_DAYS_DEFAULT
      : wholeNumber("--days", days, 1, DEMO_DAYS_MAX),
    seed: seed === undefined
      ? DEMO_SEED_DEFAULT
      : wholeNumber("--seed", seed, 0, SEED_MAX),
  };
}

function readFlags(
  args: string[],
): { days?: string | undefined; seed?: string | undefined } {
  try {
    const options = {
      days: { type: "string" },
      seed: { type: "string" },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

async function seedDirectly(given: Config, wanted: Wanted): Promise<unknown> {
  const { simulator, config, at } = await startDevProcessor(given, 0);
  const log = { info() {}, error() {}, lastErrorMs: () => null };
  const clock = { now: () => Date.now() };
  try {
    const core = await openCore({
      config,
      clock,
      log,
      stopping: new AbortController().signal,
    });
    try {
      const { firstDay, settledDays, advertisers } = await fillStore(
        core.services,
        wanted,
        at,
      );
      return { first_day: firstDay, settled_days: settledDays, advertisers };
    } finally {
      await core.close();
    }
  } catch (error) {
    const isFull = error instanceof Refused &&
      error.refusal.code === "store_not_empty";
    if (!isFull) throw error;
    throw new ToolFailure(
      "Cannot fill the store with demo data: it must be empty",
    );
  } finally {
    await simulator.stop();
  }
}
