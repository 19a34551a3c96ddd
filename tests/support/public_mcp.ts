/**
 * The public server beside the public API and `/ask`, over a store of its own.
 *
 * @module
 */
import type { SearchIndex } from "../../domain/retrieval/search_index.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { testLimiter } from "./limiter.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import { askSurface } from "../../routes/site/ask/ask_surface.ts";
import { publicMcpSurface } from "../../routes/site/mcp/public_mcp_surface.ts";
import { publicApi } from "../../routes/site/api/public_api.ts";
import { rehearsalSurface } from "../../routes/site/api/rehearsals.ts";
import { indexOf } from "./ask_site.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { MemoryLog } from "./captured_logs.ts";
import { META, modernHeaders, type Params } from "./mcp_calls.ts";
import { resultOf, type ToolAnswer } from "./mcp_agent.ts";
import { publicRecordsOf, settle, TEST_BASE_URL } from "./public_spotlights.ts";
import { TEST_SETTINGS } from "./site_app.ts";
import { openTestStore, type TestStore } from "./store.ts";

/** How a request is sent. */
export interface PublicAsk {
  /** A client of 2025-11-25 instead of 2026-07-28. */
  old?: boolean;
  from?: string;
  headers?: Record<string, string>;
}

/** The public surfaces of one test. */
export interface PublicMcp extends AsyncDisposable {
  test: TestStore;
  records: PublicRecords;
  log: MemoryLog;
  /** Asks the public API or `/ask`. */
  get(path: string, from?: string): Promise<Response>;
  /** Sends a request of the protocol. */
  rpc(method: string, params?: Params, options?: PublicAsk): Promise<Response>;
  /** Calls a tool that answers, be it by a refusal. */
  call(
    name: string,
    given?: Params,
    options?: PublicAsk,
  ): Promise<Omit<ToolAnswer, "isReplay">>;
}

/** Opens the surfaces on which these Spotlights have settled. */
export async function openPublicMcp(
  spotlights: readonly Spotlight[] = [],
  index: SearchIndex = indexOf(spotlights),
): Promise<PublicMcp> {
  const test = await openTestStore();
  await settle(test.store, ...spotlights);
  const log = new MemoryLog();
  const limiter = testLimiter(test);
  const { store, clock, ids } = test;
  const records = await publicRecordsOf(store, log);
  const baseUrl = TEST_BASE_URL;
  const retrieval = { index, store, records, documents: {}, baseUrl };
  const settings = TEST_SETTINGS;
  const services = { store, clock, ids, settings, log };
  const stopping = new AbortController().signal;
  const parts = { services, limiter, trustedProxyHops: 0, records, retrieval };
  const app = routeTable({ settings, log }, [
    publicApi(parts),
    rehearsalSurface(parts),
    askSurface({ ...parts, settings }),
    publicMcpSurface({ ...parts, stopping }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const send = (path: string, init: RequestInit, from = "192.0.2.1") =>
    askHost(app, `${baseUrl}${path}`, init, {
      remoteAddress: from,
      trace: { requestId: "req_test_0", route: "", grantId: null },
      bodies: AT_ONCE,
      hold() {},
      holdCopy: () => () => {},
    });
  const rpc: PublicMcp["rpc"] = (method, params = {}, options = {}) =>
    send("/mcp", requestOf(method, params, options), options.from);
  return {
    test,
    records,
    log,
    get: (path, from) => send(path, {}, from),
    rpc,
    async call(name, given = {}, options = {}) {
      const params = { name, arguments: given };
      const answer = await rpc("tools/call", params, options);
      const result = await resultOf(answer);
      return {
        status: answer.status,
        isError: result.isError ?? false,
        content: result.structuredContent,
        text: result.content[0].text,
      };
    },
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await test.close();
    },
  };
}

function requestOf(
  method: string,
  params: Params,
  { old = false, headers = {} }: PublicAsk,
): RequestInit {
  return {
    method: "POST",
    headers: {
      host: "spotlight.example",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...old
        ? { "mcp-protocol-version": "2025-11-25" }
        : modernHeaders(method, params) as Record<string, string>,
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: old ? params : { ...params, _meta: META },
    }),
  };
}
