/**
 * The servers that redirects are measured of, each in a process of its own.
 *
 * @module
 */
import { Connection } from "../../tools/bench/load/connection.ts";
import { installedPeers } from "../../tools/bench/peers.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";
import { SPOTLIGHT, temporaryFolder } from "./read_servers.ts";

/** The path that is asked for. */
export const GO_PATH = `/go/${SPOTLIGHT.day}`;

/** `Deno.serve` and a ready redirect. */
export function startBareRedirect(): Promise<Server> {
  const port = freePort();
  const script = new URL("./peers/bare_redirect.ts", import.meta.url).href;
  const options = { port, location: SPOTLIGHT.targetUrl };
  return Server.start({
    command: Deno.execPath(),
    args: ["run", "-A", script, JSON.stringify(options)],
    port,
    readyPath: GO_PATH,
  });
}

/** Fastify and better-sqlite3 under Node, counting in batches. */
export async function startFastifyClicks(
  limiter: "none" | "sqlite",
  stack: AsyncDisposableStack,
): Promise<Server> {
  const port = freePort();
  const databasePath = `${await temporaryFolder(stack)}/clicks.sqlite3`;
  const { day, targetUrl: location } = SPOTLIGHT;
  const options = { port, databasePath, limiter, day, location };
  return await Server.start({
    command: "node",
    args: ["fastify_clicks.js", JSON.stringify(options)],
    env: { NODE_ENV: "production" },
    cwd: await installedPeers(),
    port,
    readyPath: "/healthz",
  });
}

/**
 * Makes sure that a server leads to the advertiser.
 *
 * @throws when it answers anything else
 */
export async function expectRedirect(
  server: Server,
  host: string,
): Promise<void> {
  using connection = await Connection.open(server.port);
  const request = `GET ${GO_PATH} HTTP/1.1\r\nHost: ${host}\r\n` +
    "User-Agent: curl/8.15.0\r\n\r\n";
  const { bytes, bodyStart } = await connection.ask(
    new TextEncoder().encode(request),
  );
  const head = new TextDecoder().decode(bytes.subarray(0, bodyStart));
  const leads = head.toLowerCase().includes(
    `location: ${SPOTLIGHT.targetUrl.toLowerCase()}\r\n`,
  );
  if (!head.startsWith("HTTP/1.1 302") || !leads) {
    throw new Error(`Cannot measure: a server answers ${head}`);
  }
}
