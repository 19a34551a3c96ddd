/**
 * Brings a backup (NDJSON on standard input) back into an empty store that no
 * service is using. The store is then on hold until an operator releases it;
 * with `--drill` it is one to practise with, which is never released. With
 * `--unverified` a backup is taken that no key of the service proves, with
 * `--continuous` the newest of those that BACKUP_TO names, or the one that
 * `--series` names.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { backupTarget } from "../adapters/backup/backup_target.ts";
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { backupKeys } from "../config/secret_keys.ts";
import { openKv } from "../kv/open.ts";
import {
  restore,
  type RestoreOptions,
  type RestoreSummary,
} from "./restore_backup.ts";
import { restoreNewest } from "./backup_series.ts";
import { spool } from "./spool.ts";
import { Refused } from "../domain/refusal.ts";
import {
  note,
  printJson,
  runTool,
  ToolFailure,
  UsageError,
} from "./command.ts";
import {
  noteAbsence,
  operatorClient,
  ServiceAbsent,
} from "./operator_client.ts";
import { storeLocation } from "./store_location.ts";

/** No backup of this service is that large. */
const BACKUP_MAX_BYTES = 16 * 1024 ** 3;

const USAGE = "Usage: restore [--drill] [--unverified] " +
  "(--continuous [--series NAME] | < FILE)";

if (import.meta.main) await runTool(restoreStore);

async function restoreStore(args: string[]): Promise<void> {
  const { isContinuous, series, ...flags } = read(args);
  if (!isContinuous && Deno.stdin.isTerminal()) {
    throw new UsageError(`${USAGE}, a backup on standard input`);
  }
  const config = loadToolConfig();
  // What one practises with is another store than that of the service.
  if (!flags.isDrill) await refuseWhileServing(config);
  if (isContinuous) {
    const { backups } = config;
    if (backups === null) {
      throw new ToolFailure("Cannot restore: BACKUP_TO is not set");
    }
    const target = backupTarget(backups);
    return await restoreInto(
      config,
      (into) =>
        restoreNewest(target, { ...into, ...flags }, { series, tell: note }),
    );
  }
  await using kept = await spool(Deno.stdin.readable, BACKUP_MAX_BYTES);
  const { open } = kept;
  await restoreInto(config, (into) => restore({ ...into, ...flags, open }));
}

async function restoreInto(
  config: Config,
  run: (
    into: Pick<RestoreOptions, "clock" | "keys" | "kv">,
  ) => Promise<RestoreSummary>,
): Promise<void> {
  const kv = await openKv(storeLocation(config));
  try {
    const clock = { now: () => Date.now() };
    await printJson(await run({ kv, clock, keys: backupKeys(config) }));
  } catch (error) {
    const isFull = error instanceof Refused &&
      error.refusal.code === "store_not_empty";
    if (!isFull) throw error;
    throw new ToolFailure("Cannot restore: the store must be empty");
  } finally {
    kv.close();
  }
}

type Flags = Required<Pick<RestoreOptions, "isDrill" | "takesUnverified">>;

interface Read extends Flags {
  isContinuous: boolean;
  series: string | undefined;
}

function read(args: string[]): Read {
  const flag = { type: "boolean", default: false } as const;
  const series = { type: "string" } as const;
  try {
    const options = { continuous: flag, drill: flag, unverified: flag, series };
    const { values } = parseArgs({ args, options });
    if (values.series !== undefined && !values.continuous) throw new Error();
    return {
      isContinuous: values.continuous,
      series: values.series,
      isDrill: values.drill,
      takesUnverified: values.unverified,
    };
  } catch {
    throw new UsageError(USAGE);
  }
}

async function refuseWhileServing(config: Config): Promise<void> {
  let baseUrl: string;
  try {
    const client = await operatorClient(config);
    await client.find();
    baseUrl = client.baseUrl;
  } catch (error) {
    // Whatever else answers, the store has to be empty.
    if (!(error instanceof ServiceAbsent)) throw error;
    return await noteAbsence(error);
  }
  throw new ToolFailure(
    `Cannot restore while a service answers at ${baseUrl}: stop it first`,
  );
}
