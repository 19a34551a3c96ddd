/**
 * Rebuilds every index of the store from its records: through the running
 * service, or in the store itself when none runs. Prints as JSON what it came
 * to; rows that two records lay claim to are left for a person, exit code 1.
 *
 * @module
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { openKv } from "../kv/open.ts";
import { reindex, type Reindexed } from "../kv/reindex.ts";
import { printJson, runTool, ToolFailure, UsageError } from "./command.ts";
import {
  noteAbsence,
  operatorClient,
  ServiceAbsent,
} from "./operator_client.ts";
import { existingStore } from "./store_location.ts";

if (import.meta.main) await runTool(reindexStore);

async function reindexStore(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("Usage: reindex");
  const config = loadToolConfig();
  const families = await throughService(config) ?? await directly(config);
  await printJson({ families });
  const contested = families.filter((each) => each.contested > 0);
  if (contested.length === 0) return;
  throw new ToolFailure(
    "Cannot tell whose some rows are, they were left as they are: " +
      contested.map(({ family }) => family).join(", "),
  );
}

/** What it came to; null when no service runs. */
async function throughService(config: Config): Promise<Reindexed[] | null> {
  try {
    const client = await operatorClient(config);
    const input = Readable.fromWeb(await client.stream("POST", "reindex"));
    const done: Reindexed[] = [];
    for await (const line of createInterface({ input })) {
      const told: Reindexed = JSON.parse(line);
      if (told.done) done.push(told);
    }
    return done;
  } catch (error) {
    if (!(error instanceof ServiceAbsent)) throw error;
    await noteAbsence(error);
    return null;
  }
}

async function directly(config: Config): Promise<Reindexed[]> {
  const logsChanges = config.backups !== null;
  const kv = await openKv(await existingStore(config), { logsChanges });
  try {
    const done: Reindexed[] = [];
    const clock = { now: () => Date.now() };
    for await (const told of reindex({ kv, clock })) {
      if (told.done) done.push(told);
    }
    return done;
  } finally {
    kv.close();
  }
}
