/**
 * Listeners and signals: the part of the service that only Deno can do.
 *
 * @module
 */
import type { Config } from "./config.ts";
import { addressesOf, HOST_KINDS, type HostKind } from "./routes/hosts.ts";
import type { Connection } from "./routes/middleware/host_dispatch.ts";

/** Answers a request of any listener. */
export type Handler = (
  request: Request,
  connection: Connection,
) => Response | Promise<Response>;

/** The open listeners. */
export interface Listeners {
  /** The port each host is listened for on. */
  ports: Readonly<Record<HostKind, number>>;
  /**
   * Stops accepting and waits for the requests in flight, so long at most;
   * connections still open then are cut.
   */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const LOOPBACK_V6 = "::1";
const EVERYWHERE = "0.0.0.0";
/** Outside development, where no `PORT` is set. */
const DEFAULT_PORT = 8000;

/**
 * Opens the listeners: one on every interface when `PORT` is set or outside
 * development, else one on loopback for each of the three addresses. Port 0 is
 * any free one.
 */
export function openListeners(config: Config, handler: Handler): Listeners {
  const cut = new AbortController();
  const servers: Deno.HttpServer<Deno.NetAddr>[] = [];
  const open = (hostname: string, port: number): number => {
    const server = Deno.serve({
      hostname,
      port,
      signal: cut.signal,
      onListen() {},
    }, handler);
    servers.push(server);
    return server.addr.port;
  };
  return {
    ports: openPorts(config, open),
    close: (graceMs) => closeAll(servers, cut, graceMs),
  };
}

function openPorts(
  config: Config,
  open: (hostname: string, port: number) => number,
): Record<HostKind, number> {
  if (config.port !== null || config.settings.environment !== "development") {
    const port = open(EVERYWHERE, config.port ?? DEFAULT_PORT);
    return { site: port, auth: port, docs_mcp: port };
  }
  const addresses = addressesOf(config.settings);
  const ports = HOST_KINDS.map((kind): [HostKind, number] => {
    const { port, protocol } = addresses[kind];
    const wanted = port === "" ? protocol === "https:" ? 443 : 80 : +port;
    return [kind, openLoopback(open, wanted)];
  });
  return Object.fromEntries(ports) as Record<HostKind, number>;
}

/** "localhost" is either of the two; not every machine has the second. */
function openLoopback(
  open: (hostname: string, port: number) => number,
  wanted: number,
): number {
  const port = open(LOOPBACK, wanted);
  try {
    open(LOOPBACK_V6, port);
  } catch {
    // Without IPv6, or with the port taken there, IPv4 alone is enough.
  }
  return port;
}

async function closeAll(
  servers: readonly Deno.HttpServer[],
  cut: AbortController,
  graceMs: number,
): Promise<void> {
  const timer = setTimeout(() => cut.abort(), graceMs);
  try {
    await Promise.all(servers.map((server) => server.shutdown()));
  } finally {
    clearTimeout(timer);
  }
}

/** The addresses with the ports that port 0 turned out to be. */
export function withPorts(
  config: Config,
  ports: Readonly<Record<HostKind, number>>,
): Config {
  const actual = (address: string, port: number) =>
    new URL(address).port === "0"
      ? address.replace(/:0(?=\/|$)/, `:${port}`)
      : address;
  const { settings } = config;
  return {
    ...config,
    settings: {
      ...settings,
      baseUrl: actual(settings.baseUrl, ports.site),
      authUrl: actual(settings.authUrl, ports.auth),
      docsMcpUrl: actual(settings.docsMcpUrl, ports.docs_mcp),
    },
  };
}

/**
 * Stops the process on SIGTERM and SIGINT: in order on the first, at once on
 * the second. Exiting is explicit, since a signal listener keeps a process
 * alive.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) Deno.exit(1);
    stopping = true;
    stop().then(() => Deno.exit(0), () => Deno.exit(1));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, onSignal);
  }
}

/** Standard output as a log's sink. */
export async function standardOutput(bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await Deno.stdout.write(bytes.subarray(done));
  }
}
