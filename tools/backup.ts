/**
 * Writes the whole store as NDJSON to standard output, or to a file of its
 * owner's alone: through the running service, or from the store itself when none
 * runs.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { backupKeys } from "../config/secret_keys.ts";
import { dump } from "../kv/dump.ts";
import { openKv } from "../kv/open.ts";
import {
  NOT_CONSISTENT_EXIT,
  runTool,
  ToolFailure,
  UsageError,
} from "./command.ts";
import {
  noteAbsence,
  operatorClient,
  ServiceAbsent,
} from "./operator_client.ts";
import { writePrivately } from "./private_file.ts";
import { existingStore } from "./store_location.ts";

const USAGE = "Usage: backup [--require-consistent] [--to FILE] > FILE";

/** Backups that are made until one is of one moment. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;
/** A last line is shorter. */
const LAST_LINE_BYTES = 1_024;

if (import.meta.main) await runTool(backup);

async function backup(args: string[]): Promise<void> {
  const { to, isStrict } = read(args);
  const config = loadToolConfig();
  if (to !== null) {
    return await writePrivately(to, (file) => fill(file, config, isStrict));
  }
  if (!isStrict) return await send(config, Deno.stdout.writable);
  // What is on standard output can't be taken back, so it waits in a file.
  const path = await Deno.makeTempFile({ prefix: "spotlight_backup_" });
  try {
    using file = await Deno.open(path, { read: true, write: true });
    await fill(file, config, isStrict);
    const { readable } = await Deno.open(path);
    await pass(readable, Deno.stdout.writable);
  } finally {
    await Deno.remove(path);
  }
}

function read(args: string[]): { to: string | null; isStrict: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        to: { type: "string" },
        "require-consistent": { type: "boolean" },
      },
    });
    const isStrict = values["require-consistent"] === true;
    return { to: values.to ?? null, isStrict };
  } catch {
    throw new UsageError(USAGE);
  }
}

/** Fills a file with a backup, again while it has to be of one moment. */
async function fill(
  file: Deno.FsFile,
  config: Config,
  isStrict: boolean,
): Promise<void> {
  for (let attempt = 1;; attempt++) {
    await file.seek(0, Deno.SeekMode.Start);
    await file.truncate();
    await send(config, sinkOf(file));
    if (!isStrict || await isConsistent(file)) return;
    if (attempt === ATTEMPTS) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new ToolFailure(
    `Cannot back up: the store changed during each of ${ATTEMPTS} attempts, ` +
      "so none is of one moment",
    { exitCode: NOT_CONSISTENT_EXIT },
  );
}

/** Leaves the file open, so that it can be looked at and filled again. */
function sinkOf(file: Deno.FsFile): WritableStream<Uint8Array> {
  return new WritableStream({
    async write(chunk) {
      for (let done = 0; done < chunk.length;) {
        done += await file.write(chunk.subarray(done));
      }
    },
  });
}

async function isConsistent(file: Deno.FsFile): Promise<boolean> {
  const { size } = await file.stat();
  await file.seek(Math.max(0, size - LAST_LINE_BYTES), Deno.SeekMode.Start);
  const bytes = new Uint8Array(LAST_LINE_BYTES);
  const length = await file.read(bytes) ?? 0;
  const text = new TextDecoder().decode(bytes.subarray(0, length));
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return JSON.parse(line).consistent === true;
}

async function send(
  config: Config,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  try {
    const client = await operatorClient(config);
    await pass(await client.stream("GET", "backup"), to);
  } catch (error) {
    if (!(error instanceof ServiceAbsent)) throw error;
    await noteAbsence(error);
    await sendDirectly(config, to);
  }
}

async function sendDirectly(
  config: Config,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  const kv = await openKv(await existingStore(config));
  try {
    await pass(dump(kv, { keys: backupKeys(config) }), to);
  } finally {
    kv.close();
  }
}

async function pass(
  stream: ReadableStream<Uint8Array>,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  try {
    await stream.pipeTo(to, { preventClose: true });
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(
      "Cannot back up: the stream ended early, what was written is not whole",
      { cause: error },
    );
  }
}
