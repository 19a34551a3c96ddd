import type { Config } from "../config.ts";
import { type Simulator, startSimulator } from "../processor/simulator/mod.ts";
import { ToolFailure } from "./command.ts";

/** The simulator, and the configuration with the address it turned out at. */
export interface DevProcessor {
  simulator: Simulator;
  /** Its address by the host name that was configured. */
  url: string;
  config: Config;
}

/**
 * Starts the processor simulator of a development service. It keeps its books
 * in `DATA_DIR`, so that it survives a crash as the real processor would.
 *
 * @throws {ToolFailure} outside development, or with a processor of one's own
 */
export async function startDevProcessor(
  config: Config,
  port?: number,
): Promise<DevProcessor> {
  const { dataDir, settings, stripe } = config;
  if (
    settings.environment !== "development" || dataDir === null ||
    stripe.apiBase === null
  ) {
    throw new ToolFailure(
      "Cannot start the processor simulator: it takes ENVIRONMENT=development " +
        "and a DATA_DIR",
    );
  }
  await Deno.mkdir(dataDir, { recursive: true });
  const address = new URL(stripe.apiBase);
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: port ?? Number(address.port || 80),
    booksPath: `${dataDir}/processor.jsonl`,
    secretKey: stripe.secretKey,
    webhook: null,
    now: () => Date.now(),
    random: Math.random,
  });
  return {
    simulator,
    url: `${address.protocol}//${address.hostname}:${simulator.port}`,
    config: { ...config, stripe: { ...stripe, apiBase: simulator.url } },
  };
}
