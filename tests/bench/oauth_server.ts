/**
 * The whole service in a process of its own, for benchmarks of its
 * authorization server: over a store in memory or in a file, with a grant for
 * each connection that will ask. `GET /check` answers a good bearer token.
 *
 * Its only argument is JSON, {@linkcode OauthServerOptions}.
 *
 * @module
 */
import { parseConfig } from "../../config.ts";
import { createGrant } from "../../domain/oauth/create_grant.ts";
import type { Services } from "../../domain/ports.ts";
import { openKv } from "../../kv/open.ts";
import { requireBearer } from "../../routes/middleware/bearer.ts";
import { type Gate, route } from "../../routes/route_table.ts";
import { stopOnSignal } from "../../serve.ts";
import { startService } from "../../service.ts";
import { readyAccount } from "../support/bidding_world.ts";

/** What the process is started with. */
export interface OauthServerOptions {
  port: number;
  /** A file, or `:memory:`. */
  storePath: string;
  /** Where it writes the tokens of its grants, {@linkcode BenchTokens}. */
  tokensPath: string;
  grants: number;
}

/** A grant's first tokens. */
export type BenchTokens = { accessToken: string; refreshToken: string }[];

/** The client of all grants. */
export const BENCH_CLIENT_ID = "client_demo";

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main(options: OauthServerOptions): Promise<void> {
  const { port, storePath, tokensPath, grants } = options;
  const config = parseConfig({
    ENVIRONMENT: "development",
    DATA_DIR: "unused",
    BASE_URL: "http://localhost:0",
    AUTH_URL: `http://localhost:${port}`,
    DOCS_MCP_URL: "http://localhost:0/mcp",
    SECRETS: crypto.randomUUID() + crypto.randomUUID(),
    STRIPE_API_BASE: "http://localhost:9",
    TRUSTED_PROXY_HOPS: "1",
  });
  let bearer: Gate | null = null;
  const service = await startService(config, {
    kv: await openKv(storePath),
    sink: () => Promise.resolve(),
    routes: () => ({
      auth: [route("GET", "/check", async (context) => {
        bearer ??= requireBearer({
          services: service.core.services,
          limiter: service.core.limiter,
          trustedProxyHops: 1,
        });
        return await bearer(context) ?? new Response("{}");
      })],
    }),
  });
  stopOnSignal(service.stop);
  const tokens = await grant(service.core.services, grants);
  await Deno.writeTextFile(tokensPath, JSON.stringify(tokens));
}

async function grant(services: Services, count: number): Promise<BenchTokens> {
  await services.store.transact((tx) => tx.accounts.save(readyAccount("ada")));
  const tokens: BenchTokens = [];
  for (let n = 0; n < count; n++) {
    const { accessToken, refreshToken } = await createGrant(services, {
      accountId: "acc_ada",
      clientId: BENCH_CLIENT_ID,
      scopes: ["account:read"],
      mandate: null,
    });
    tokens.push({ accessToken, refreshToken });
  }
  return tokens;
}
