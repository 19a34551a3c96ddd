import { startTimer } from "../../adapters/time/system_time.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import { DOCS_PATHS } from "../../domain/retrieval/docs_pages.ts";
import {
  IndexNotReady,
  type Passage,
  type SearchIndex,
} from "../../domain/retrieval/search_index.ts";
import type { Services, Settings } from "../../domain/ports.ts";
import { rateBuckets, REMOTE_LANES } from "../../kv/rate_buckets.ts";
import type { RouteServices } from "../../routes/context.ts";
import { docsMcpSurface } from "../../routes/docs_mcp/docs_surface.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable, type Surface } from "../../routes/route_table.ts";
import { AT_ONCE } from "./bindings.ts";
import { MemoryLog } from "./captured_logs.ts";
import { NO_PROCESSOR, OUTSIDE } from "./outside.ts";
import { TEST_KEYS } from "./keys.ts";
import { TEST_SETTINGS } from "./site_app.ts";
import { openTestStore, testPatience, type TestStore } from "./store.ts";

/** A tool server behind a port of its own. */
export interface McpSite extends AsyncDisposable {
  /** Where it answers, at `/mcp`. */
  url: string;
  port: number;
  test: TestStore;
  log: MemoryLog;
  /** Ends the streams, as a service that stops does. */
  stopping: AbortController;
}

/** What a surface under test is made of. */
export interface McpSiteParts extends RouteServices {
  stopping: AbortSignal;
  log: MemoryLog;
  settings: Settings;
}

/** Listens with one surface at `http://localhost:{port}`. */
export async function openMcpSite(
  surfaceOf: (parts: McpSiteParts) => Surface,
): Promise<McpSite> {
  const test = await openTestStore();
  const log = new MemoryLog();
  const stopping = new AbortController();
  const limiter = createRateLimiter({
    rows: rateBuckets(test.kv, {
      lanes: REMOTE_LANES,
      patience: testPatience(),
      nowMs: () => test.clock.now(),
    }),
    clock: test.clock,
    startTimer,
    hashId: (text) => text,
  });
  const settings = { ...TEST_SETTINGS, ...LOOPBACK };
  const services: Services = {
    ...OUTSIDE,
    store: test.store,
    clock: test.clock,
    ids: test.ids,
    keys: TEST_KEYS,
    processor: NO_PROCESSOR,
    settings,
    log,
  };
  const app = routeTable({ settings, log }, [
    surfaceOf({
      services,
      limiter,
      trustedProxyHops: 0,
      stopping: stopping.signal,
      log,
      settings,
    }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, { remoteAddr }) =>
      app.fetch(request, {
        remoteAddress: remoteAddr.hostname,
        trace: { requestId: "req_test_0", route: "", grantId: null },
        bodies: AT_ONCE,
        hold() {},
        holdCopy: () => () => {},
      }),
  );
  const { port } = server.addr;
  return {
    url: `http://localhost:${port}/mcp`,
    port,
    test,
    log,
    stopping,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server.shutdown();
      await limiter.close();
      await test.close();
    },
  };
}

/** The port is only known once it is listened on, and no check is of it. */
const LOOPBACK = {
  baseUrl: "http://localhost",
  authUrl: "http://localhost",
  docsMcpUrl: "http://localhost/mcp",
};

/** Pages as short as they can be. */
export const DOCS: Readonly<Record<string, string>> = Object.fromEntries(
  DOCS_PATHS.map((
    path,
  ) => [path, `# Page ${path}\n\n## Bids\n\nOf ${path}.\n`]),
);

/** The one passage of a page. */
const PASSAGES: readonly Passage[] = DOCS_PATHS.map((path) => ({
  id: `${path.slice(1)}#bids`,
  url: `http://localhost${path.slice(0, -3)}#bids`,
  title: `Page ${path}`,
  chapter: null,
  heading: "Bids",
  text: `Of ${path}.`,
  path,
  number: 0,
}));

/** Finds every passage in the order of the pages, or has no index yet. */
export function docsIndex(isReady = true): SearchIndex {
  const ready = () => {
    if (!isReady) throw new IndexNotReady();
  };
  return {
    isReady,
    async findSpotlights() {
      await ready();
      return [];
    },
    async findPassages(_, limit) {
      await ready();
      return PASSAGES.slice(0, limit)
        .map((passage, at) => ({ passage, score: 1 - at / 10 }));
    },
  };
}

/** The documentation server. */
export function openDocsSite(index = docsIndex()): Promise<McpSite> {
  const retrieval = { index, documents: DOCS };
  return openMcpSite((parts) => docsMcpSurface({ ...parts, retrieval }));
}
