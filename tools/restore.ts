/**
 * Brings a backup (NDJSON on standard input) back into an empty store that no
 * service is using. The store is then on hold until an operator releases it;
 * with `--drill` it is one to practise with, which is never released. With
 * `--unverified` a backup is taken that no key of the service proves.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { backupKeys } from "../config/secret_keys.ts";
import { openKv } from "../kv/open.ts";
import { restore } from "./restore_backup.ts";
import { spool } from "./spool.ts";
import { Refused } from "../domain/refusal.ts";
import { printJson, runTool, ToolFailure, UsageError } from "./command.ts";
import { operatorClient, ServiceAbsent } from "./operator_client.ts";
import { storeLocation } from "./store_location.ts";

/** No backup of this service is that large. */
const BACKUP_MAX_BYTES = 16 * 1024 ** 3;

const USAGE = "Usage: restore [--drill] [--unverified] < FILE";

if (import.meta.main) await runTool(restoreStore);

async function restoreStore(args: string[]): Promise<void> {
  const flags = read(args);
  if (Deno.stdin.isTerminal()) {
    throw new UsageError(`${USAGE}, a backup on standard input`);
  }
  const config = loadToolConfig();
  await refuseWhileServing(config);
  await using kept = await spool(Deno.stdin.readable, BACKUP_MAX_BYTES);
  const kv = await openKv(storeLocation(config));
  try {
    const clock = { now: () => Date.now() };
    const keys = backupKeys(config);
    const { open } = kept;
    await printJson(await restore({ kv, clock, open, keys, ...flags }));
  } catch (error) {
    const isFull = error instanceof Refused &&
      error.refusal.code === "store_not_empty";
    if (!isFull) throw error;
    throw new ToolFailure("Cannot restore: the store must be empty");
  } finally {
    kv.close();
  }
}

function read(args: string[]): { isDrill: boolean; takesUnverified: boolean } {
  const flag = { type: "boolean", default: false } as const;
  try {
    const options = { drill: flag, unverified: flag };
    const { values } = parseArgs({ args, options });
    return { isDrill: values.drill, takesUnverified: values.unverified };
  } catch {
    throw new UsageError(USAGE);
  }
}

async function refuseWhileServing(config: Config): Promise<void> {
  const baseUrl = await presentService(config);
  if (baseUrl === null) return;
  throw new ToolFailure(
    `Cannot restore while a service answers at ${baseUrl}: stop it first`,
  );
}

async function presentService(config: Config): Promise<string | null> {
  try {
    const client = await operatorClient(config);
    return await client.isPresent() ? client.baseUrl : null;
  } catch (error) {
    if (error instanceof ServiceAbsent) return null;
    throw error;
  }
}
