/**
 * The servers that reads are measured of, each in a process of its own.
 *
 * @module
 */
import { parseDay } from "../../domain/day.ts";
import { invariant } from "../../domain/invariant.ts";
import { type Spotlight, toRecord } from "../../domain/spotlights/spotlight.ts";
import { openKv } from "../../kv/open.ts";
import { createStore } from "../../kv/store.ts";
import { Connection } from "../../tools/bench/load/connection.ts";
import { settle } from "../support/public_spotlights.ts";
import { installedPeers } from "../../tools/bench/peers.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";

const DAY = parseDay("2026-01-05");
invariant(DAY !== null, "the day is one of the calendar");
const BASE_URL = "https://spotlight.dev";

/** The host and path that are asked for. */
export const HOST = "spotlight.dev";
/** The name that its documentation server answers under. */
export const DOCS_HOST = "docs.spotlight.dev";
/** The host and path that are asked for. */
export const PATH = `/api/v1/spotlights/${DAY}`;

/** The one settled day. */
export const SPOTLIGHT: Spotlight = {
  day: DAY,
  headline: "Spare parts for machines of any age",
  description: "Bearings, belts and seals for machines whose makers are long " +
    "gone. Drawn from the old part, turned in a week, sent anywhere.",
  advertiser: "Acme Spare Parts GmbH",
  targetUrl: "https://acme.example/parts",
  contentType: "paid_advertisement",
  accountId: null,
  adId: null,
  settledAtMs: Date.parse(`${DAY}T23:56:00Z`),
  removedAtMs: null,
  removalReason: null,
};

const RECORD = toRecord(SPOTLIGHT, BASE_URL);

/** `Deno.serve` and a ready answer. */
export function startBare(): Promise<Server> {
  const port = freePort();
  const script = new URL("./peers/bare_server.ts", import.meta.url).href;
  return Server.start({
    command: Deno.execPath(),
    args: ["run", "-A", script, JSON.stringify({ port, record: RECORD })],
    port,
    readyPath: PATH,
  });
}

/** Fastify, better-sqlite3 and rate-limiter-flexible under Node. */
export async function startFastify(
  limiter: "memory" | "sqlite" | "sqlite_blocking",
  stack: AsyncDisposableStack,
): Promise<Server> {
  const port = freePort();
  const databasePath = `${await temporaryFolder(stack)}/peer.sqlite3`;
  const options = { port, databasePath, limiter, record: RECORD };
  return await Server.start({
    command: "node",
    args: ["fastify_server.js", JSON.stringify(options)],
    env: { NODE_ENV: "production" },
    cwd: await installedPeers(),
    port,
    readyPath: "/healthz",
  });
}

/**
 * This service as in production, behind one proxy, over a file.
 *
 * @param spotlights what has settled; the one day when left out
 */
export async function startService(
  stack: AsyncDisposableStack,
  spotlights: readonly Spotlight[] = [SPOTLIGHT],
): Promise<Server> {
  const folder = await temporaryFolder(stack);
  await settleIn(`${folder}/spotlight.sqlite3`, spotlights);
  const port = freePort();
  const main = new URL("../../main.ts", import.meta.url).href;
  return await Server.start({
    command: Deno.execPath(),
    args: ["run", "-A", main],
    env: environment(folder, port),
    port,
    // Not /readyz: without a processor some background jobs stay late.
    readyPath: PATH,
  });
}

/**
 * Makes sure that a server answers with the record.
 *
 * @throws when it answers anything else
 */
export async function expectRecord(server: Server): Promise<void> {
  using connection = await Connection.open(server.port);
  const request = `GET ${PATH} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
  const { bytes, bodyStart, end } = await connection.ask(
    new TextEncoder().encode(request),
  );
  const body = new TextDecoder().decode(bytes.subarray(bodyStart, end));
  if (body !== JSON.stringify({ data: RECORD })) {
    throw new Error(`Cannot measure: a server answers ${body}`);
  }
}

/** Nothing of this is asked for by a read. */
function environment(dataDir: string, port: number): Record<string, string> {
  return {
    ENVIRONMENT: "production",
    PORT: String(port),
    DATA_DIR: dataDir,
    BASE_URL,
    AUTH_URL: "https://auth.spotlight.dev",
    DOCS_MCP_URL: `https://${DOCS_HOST}/mcp`,
    TRUSTED_PROXY_HOPS: "1",
    SECRETS: crypto.randomUUID() + crypto.randomUUID(),
    STRIPE_SECRET_KEY: "sk_live_bench",
    STRIPE_WEBHOOK_SECRET: `whsec_${crypto.randomUUID()}`,
    STRIPE_PUBLISHABLE_KEY: "pk_live_bench",
    STRIPE_PROFILE_ID: "profile_bench",
    MAIL_URL: "smtp://127.0.0.1:1",
    OPERATOR_EMAILS: "operator@spotlight.dev",
    SELLER_NAME: "Spotlight SIA",
    SELLER_ADDRESS: "Brivibas iela 1, LV-1010 Riga",
    SELLER_COUNTRY: "LV",
    SELLER_VAT_ID: "LV40003000000",
    SELLER_EMAIL: "billing@spotlight.dev",
  };
}

async function settleIn(
  path: string,
  spotlights: readonly Spotlight[],
): Promise<void> {
  const kv = await openKv(path);
  try {
    const store = createStore({ kv, clock: { now: () => Date.now() } });
    await settle(store, ...spotlights);
  } finally {
    kv.close();
  }
}

/** A folder of its own that is gone at the end. */
export async function temporaryFolder(
  stack: AsyncDisposableStack,
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "spotlight-bench-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  return folder;
}
