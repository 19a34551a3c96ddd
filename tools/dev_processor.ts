import type { Config } from "../config/config.ts";
import { type Simulator, startSimulator } from "../simulators/stripe/mod.ts";
import { ToolFailure } from "./command.ts";
import type { AtMoment } from "./demo/past_sales.ts";

/** The simulator, and the configuration with the address it turned out at. */
export interface DevProcessor {
  simulator: Simulator;
  /** Its address by the host name that was configured. */
  url: string;
  config: Config;
  /** Tells it another time while something runs, one thing at a time. */
  at: AtMoment;
}

/**
 * Starts the processor simulator of a development service. It keeps its books
 * in `DATA_DIR`, so that it survives a crash as the real processor would, and
 * the folder to itself: two would write over each other's books.
 *
 * @throws {ToolFailure} outside development, with a processor of one's own, or
 * where the port or the folder is taken
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
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  await keepFolder(dataDir);
  const address = new URL(stripe.apiBase);
  let toldMs: number | null = null;
  const wantedPort = port ?? Number(address.port || 80);
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: wantedPort,
    booksPath: `${dataDir}/processor.jsonl`,
    secretKey: stripe.secretKey,
    webhook: null,
    now: () => toldMs ?? Date.now(),
    random: Math.random,
    seller: { ...settings.seller, address: [settings.seller.address] },
  }).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new ToolFailure(
      `Cannot start: port ${wantedPort} is taken, perhaps by a service that ` +
        "runs already",
    );
  });
  return {
    simulator,
    url: `${address.protocol}//${address.hostname}:${simulator.port}`,
    config: { ...config, stripe: { ...stripe, apiBase: simulator.url } },
    async at(atMs, run) {
      toldMs = atMs;
      try {
        return await run();
      } finally {
        toldMs = null;
      }
    },
  };
}

/** Has the simulator tell a service that runs now what happens. */
export function sendEvents(
  { control }: Simulator,
  { settings, stripe }: Config,
): void {
  const [secret = ""] = stripe.webhookSecrets;
  const url = `${settings.authUrl}/webhooks/stripe`;
  control.webhooks.setTarget({ url, secret });
}

/** Locks the folder until this process ends, however it ends. */
async function keepFolder(dataDir: string): Promise<void> {
  const options = { create: true, write: true, mode: 0o600 };
  const file = await Deno.open(`${dataDir}/dev.lock`, options);
  if (await file.tryLock(true)) return;
  file.close();
  throw new ToolFailure(
    `Cannot start: another development service keeps its data in ${dataDir}`,
  );
}
