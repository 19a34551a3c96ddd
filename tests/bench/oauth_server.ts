/**
 * The whole service in a process of its own, for benchmarks of its
 * authorization server: over a store in memory or in a file. `GET /check` answers a
 * good bearer token; `GET /lines` and `GET /codes` make grants with their first
 * tokens, and codes to be exchanged.
 *
 * Its only argument is JSON, {@linkcode OauthServerOptions}.
 *
 * @module
 */
import { sha256Hex } from "../../domain/sha256.ts";
import { createHash } from "node:crypto";
import { parseConfig } from "../../config/config.ts";
import {
  AUTHORIZATION_CODE_MS,
  type AuthorizationCode,
  CODE_KEPT_MS,
} from "../../domain/oauth/authorization_request.ts";
import { unmetClient } from "../../tools/demo/unmet_client.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Grant } from "../../domain/oauth/grant.ts";
import { RESOURCES } from "../../domain/oauth/resource.ts";
import { AUTHORIZATION_CODE_PREFIX } from "../../domain/oauth/tokens.ts";
import type { Services } from "../../domain/ports.ts";
import { openKv } from "../../kv/open.ts";
import { requireBearer } from "../../routes/middleware/bearer.ts";
import {
  type Gate,
  route,
  type RouteContext,
} from "../../routes/route_table.ts";
import { stopOnSignal } from "../../app/serve.ts";
import { startService } from "../../app/service.ts";
import { readyAccount } from "../support/bidding_world.ts";

/** What the process is started with. */
export interface OauthServerOptions {
  port: number;
  /** A file, or `:memory:`. */
  storePath: string;
}

/** A grant's first tokens. */
export interface BenchTokens {
  accessToken: string;
  refreshToken: string;
}

/** Codes that wait to be exchanged, and what all of them are exchanged with. */
export interface BenchCodes {
  codes: string[];
  verifier: string;
  redirectUri: string;
}

/** The client of all grants. */
export const BENCH_CLIENT_ID = "client_demo";

const REDIRECT_URI = "http://127.0.0.1/callback";
/** Grants and codes that one commit takes. */
const CODES_A_COMMIT = 100;

/** The grants of codes that were made for a run, which others do without. */
const made: [grant: Grant, code: AuthorizationCode][] = [];

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main({ port, storePath }: OauthServerOptions): Promise<void> {
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
  const count = (context: RouteContext) => Number(context.req.query("count"));
  const service = await startService(config, {
    kv: await openKv(storePath),
    sink: () => Promise.resolve(),
    routes: () => ({
      auth: [
        // What asks with a token is no visit.
        {
          ...route("GET", "/check", async (context) => {
            bearer ??= requireBearer({
              services: service.core.services,
              limiter: service.core.limiter,
              trustedProxyHops: 1,
            });
            return await bearer(context) ?? new Response("{}");
          }),
          isFixed: true,
        },
        route(
          "GET",
          "/lines",
          async (context) =>
            Response.json(
              await newLines(service.core.services, count(context)),
            ),
        ),
        route(
          "GET",
          "/codes",
          async (context) =>
            Response.json(
              await newCodes(service.core.services, count(context)),
            ),
        ),
      ],
    }),
  });
  stopOnSignal(service.stop);
  const { store } = service.core.services;
  await store.transact((tx) => tx.accounts.save(readyAccount("ada")));
}

async function newLines(
  services: Services,
  count: number,
): Promise<BenchTokens[]> {
  await forgetMade(services);
  const tokens: BenchTokens[] = [];
  const { ids, store } = services;
  for (let n = 0; n < count; n++) {
    // A client has one connection in an account.
    const account = readyAccount(ids.next("bench"));
    await store.transact((tx) => tx.accounts.save(account));
    const { accessToken, refreshToken } = await createGrant(services, {
      accountId: account.id,
      clientId: BENCH_CLIENT_ID,
      scopes: ["account:read"],
      mandate: null,
    });
    tokens.push({ accessToken, refreshToken });
  }
  return tokens;
}

async function forgetMade({ store }: Services): Promise<void> {
  while (made.length > 0) {
    const some = made.splice(-CODES_A_COMMIT);
    await store.transact((tx) => {
      for (const [grant, code] of some) {
        tx.grants.remove(grant);
        tx.authorizationCodes.remove(code);
      }
    });
  }
}

/** As a user's approval leaves them. */
async function newCodes(
  services: Services,
  count: number,
): Promise<BenchCodes> {
  await forgetMade(services);
  const { clock, ids, store } = services;
  const verifier = ids.secret();
  const codeChallenge = createHash("sha256").update(verifier)
    .digest("base64url");
  const codes: string[] = [];
  while (codes.length < count) {
    const nowMs = clock.now();
    const some = Array.from({ length: CODES_A_COMMIT }, () => {
      const text = `${AUTHORIZATION_CODE_PREFIX}${ids.secret()}`;
      const grant = approvedGrant(ids.next("grant"), nowMs);
      const code = {
        hash: sha256Hex(text),
        grantId: grant.id,
        clientId: BENCH_CLIENT_ID,
        redirectUri: REDIRECT_URI,
        codeChallenge,
        createdAtMs: nowMs,
        goodUntilMs: nowMs + AUTHORIZATION_CODE_MS,
        expiresAtMs: nowMs + CODE_KEPT_MS,
      };
      return { text, grant, code };
    });
    await store.transact((tx) => {
      for (const { grant, code } of some) {
        tx.grants.save(grant);
        tx.authorizationCodes.save(code);
      }
    });
    codes.push(...some.map(({ text }) => text));
    for (const { grant, code } of some) made.push([grant, code]);
  }
  return { codes, verifier, redirectUri: REDIRECT_URI };
}

function approvedGrant(id: string, nowMs: number): Grant {
  return {
    id,
    accountId: "acc_ada",
    clientId: BENCH_CLIENT_ID,
    client: unmetClient("Bench"),
    scopes: ["account:read"],
    resources: RESOURCES,
    mandate: null,
    lines: [{ id, resources: RESOURCES, begunAtMs: nowMs, refresh: null }],
    refresh: null,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}
