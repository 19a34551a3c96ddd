/**
 * The whole service in a process of its own, over a file or a remote store, for
 * benchmarks of the network. `GET /advertisers` makes advertisers with an agent each,
 * who may bid for the coming day.
 *
 * Its only argument is JSON, {@linkcode NetworkServerOptions}.
 *
 * @module
 */
import { parseConfig } from "../../config/config.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import { route } from "../../routes/route_table.ts";
import { stopOnSignal } from "../../app/serve.ts";
import { startService } from "../../app/service.ts";
import { createAgent } from "../support/bidding_world.ts";

/** What the process is started with. */
export interface NetworkServerOptions {
  /** Of `BASE_URL`; that of `AUTH_URL` is beside it. */
  port: number;
  authPort: number;
  /** What all processes over one store share. */
  secrets: string;
  /** Where the store is: `DATA_DIR` or `KV_URL`. */
  store: Record<string, string>;
}

/** An agent that may bid. */
export interface BenchAgent {
  accessToken: string;
  refreshToken: string;
  adId: string;
  day: Day;
}

/** More of them would wait for a busy machine longer than a call may take. */
const AGENTS_AT_ONCE = 8;
const CLIENT_ID = "https://agent.example/client.json";
/** The client of all agents. */
export const NETWORK_CLIENT_ID = CLIENT_ID;

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main(options: NetworkServerOptions): Promise<void> {
  const { port, authPort, secrets, store } = options;
  const config = parseConfig({
    ENVIRONMENT: "development",
    BASE_URL: `http://localhost:${port}`,
    AUTH_URL: `http://localhost:${authPort}`,
    DOCS_MCP_URL: "http://localhost:0/mcp",
    SECRETS: secrets,
    STRIPE_API_BASE: "http://localhost:9",
    TRUSTED_PROXY_HOPS: "1",
    ...store,
  });
  const day = addDays(dayOf(Date.now()), 1);
  const service = await startService(config, {
    sink: () => Promise.resolve(),
    crons: false,
    routes: () => ({
      auth: [
        route("GET", "/advertisers", async (context) => {
          const { services } = service.core;
          await openAuction(services, { day });
          const count = Number(context.req.query("count"));
          const made: BenchAgent[] = [];
          while (made.length < count) {
            const some = Array.from(
              { length: AGENTS_AT_ONCE },
              () => createAgent(services, crypto.randomUUID()),
            );
            for (const agent of await Promise.all(some)) {
              const { accessToken, refreshToken, adId } = agent;
              made.push({ accessToken, refreshToken, adId, day });
            }
          }
          return Response.json(made);
        }),
      ],
    }),
  });
  stopOnSignal(service.stop);
}
