/**
 * The process: configuration from the environment, one service, an orderly end
 * on a signal.
 *
 * @module
 */
import { ConfigError } from "./config/config.ts";
import { loadConfig } from "./config/process_config.ts";
import { stopOnFault, stopOnSignal } from "./app/serve.ts";
import { startService } from "./app/service.ts";

if (import.meta.main) await main();

async function main(): Promise<void> {
  try {
    const service = await startService(loadConfig(), { crons: true });
    stopOnSignal(service.stop);
    stopOnFault(service);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // The log is not open yet, and the reader is whoever typed the command.
    await Deno.stderr.write(new TextEncoder().encode(`${error.message}\n`));
    Deno.exit(1);
  }
}
