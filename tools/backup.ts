/**
 * Writes the whole store to standard output as NDJSON: through the running
 * service, or from the store itself when none runs.
 *
 * @module
 */
import type { Config } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { dump } from "../kv/dump.ts";
import { openKv } from "../kv/open.ts";
import { runTool, ToolFailure, UsageError } from "./command.ts";
import { operatorClient, ServiceAbsent } from "./operator_client.ts";
import { existingStore } from "./store_location.ts";

if (import.meta.main) await runTool(backup);

async function backup(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("Usage: backup > FILE");
  const config = loadToolConfig();
  try {
    const client = await operatorClient(config);
    await send(await client.stream("GET", "backup"));
  } catch (error) {
    if (!(error instanceof ServiceAbsent)) throw error;
    await backupDirectly(config);
  }
}

async function backupDirectly(config: Config): Promise<void> {
  const kv = await openKv(await existingStore(config));
  try {
    await send(dump(kv));
  } finally {
    kv.close();
  }
}

async function send(stream: ReadableStream<Uint8Array>): Promise<void> {
  try {
    await stream.pipeTo(Deno.stdout.writable, { preventClose: true });
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(
      "Cannot back up: the stream ended early, what was written is not whole",
      { cause: error },
    );
  }
}
