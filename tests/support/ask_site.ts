import type { PublishedDocuments } from "../../domain/retrieval/docs_pages.ts";
import type {
  Passage,
  SearchIndex,
} from "../../domain/retrieval/search_index.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { testLimiter } from "./limiter.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import { askSurface } from "../../routes/site/ask/ask_surface.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { MemoryLog } from "./captured_logs.ts";
import { publicRecordsOf, settle, TEST_BASE_URL } from "./public_spotlights.ts";
import { openTestStore, type TestStore } from "./store.ts";

/** Where a test asks from, and how. */
export type AskInit = RequestInit & { from?: string };

/** `/ask` alone, over a store of its own and an index that a test chooses. */
export interface AskSite extends AsyncDisposable {
  test: TestStore;
  log: MemoryLog;
  /** Asks for a path. */
  ask(path: string, init?: AskInit): Promise<Response>;
  /** Sends a body to `/ask`, as JSON unless it is a text already. */
  post(body: unknown, init?: AskInit): Promise<Response>;
}

/** A passage of the documentation, as the index gives it. */
export const PASSAGE: Passage = {
  id: "developers.md#rate-limits",
  url: `${TEST_BASE_URL}/developers#rate-limits`,
  title: "Spotlight for developers",
  chapter: null,
  heading: "Rate limits",
  text: "Every request costs a token.",
  path: "/developers.md",
  number: 3,
};

/** An index that finds every Spotlight, newest first, whatever is asked. */
export function indexOf(spotlights: readonly Spotlight[]): SearchIndex {
  const hits = spotlights.map(({ day }) => ({ day, score: 1 })).reverse();
  return {
    isReady: true,
    findSpotlights: (_, limit) => Promise.resolve(hits.slice(0, limit)),
    findPassages: () => Promise.resolve([{ passage: PASSAGE, score: 1 }]),
  };
}

/** Opens `/ask` on which these Spotlights have settled. */
export async function openAskSite(
  spotlights: readonly Spotlight[] = [],
  index: SearchIndex = indexOf(spotlights),
): Promise<AskSite> {
  const test = await openTestStore();
  await settle(test.store, ...spotlights);
  const log = new MemoryLog();
  const records = await publicRecordsOf(test.store, log);
  const limiter = testLimiter(test);
  const settings = { baseUrl: TEST_BASE_URL, authUrl: "https://auth.example" };
  const documents: PublishedDocuments = {};
  const retrieval = {
    index,
    store: test.store,
    records,
    documents,
    baseUrl: TEST_BASE_URL,
  };
  const app = routeTable({ settings, log }, [
    askSurface({ settings, limiter, trustedProxyHops: 0, retrieval }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const ask = (path: string, { from = "192.0.2.1", ...init }: AskInit = {}) =>
    askHost(app, `${TEST_BASE_URL}${path}`, init, {
      remoteAddress: from,
      trace: { requestId: "req_test_0", route: "", grantId: null },
      bodies: AT_ONCE,
      hold() {},
      holdCopy: () => () => {},
    });
  return {
    test,
    log,
    ask,
    post: (body, init) =>
      ask("/ask", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...init,
      }),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await test.close();
    },
  };
}
