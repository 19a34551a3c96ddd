/**
 * Rewrites the file of the store without what was deleted from it: SQLite leaves
 * that in free pages and in the log beside the file until something else needs
 * the room. The service may run meanwhile; its writes wait. Prints as JSON how
 * large the file was and is.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { loadToolConfig } from "../config/process_config.ts";
import { printJson, runTool, ToolFailure, UsageError } from "./command.ts";
import { existingStore } from "./store_location.ts";

/** How long is waited for others that write. */
const BUSY_MS = 10_000;

if (import.meta.main) await runTool(compactStore);

async function compactStore(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("Usage: compact");
  const config = loadToolConfig();
  const { store } = config;
  if (store.kind !== "file") {
    throw new ToolFailure(
      "Cannot compact the store: it is no file of this machine, whoever keeps " +
        "it says what becomes of deleted rows",
    );
  }
  await existingStore(config);
  const before = await Deno.stat(store.path);
  rewrite(store.path);
  const after = await Deno.stat(store.path);
  await printJson({ bytes_before: before.size, bytes_after: after.size });
}

/** Rewrites the file, then takes over what the log beside it has, and empties that. */
function rewrite(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec("VACUUM");
    const { busy } =
      database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() ??
        {};
    if (busy !== 0) throw stillRead();
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolFailure(`Cannot compact the store: ${why}`);
  } finally {
    database.close();
  }
}

function stillRead(): ToolFailure {
  return new ToolFailure(
    "Cannot empty the log beside the store: others read it all the time, run " +
      "this again, or stop the service first",
  );
}
