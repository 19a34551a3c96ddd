import { startTimer } from "../../adapters/time/system_time.ts";
import type { ClickCounterOptions } from "../../domain/clicks/click_counter.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { rateBuckets, REMOTE_LANES } from "../../kv/rate_buckets.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { type HostApp, routeTable } from "../../routes/route_table.ts";
import { type GoParts, goSurface } from "../../routes/site/go.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { BROWSER, startCounter, type TestCounter } from "./click_world.ts";
import { publicRecordsOf, settle, TEST_BASE_URL } from "./public_spotlights.ts";
import { openTestStore, testPatience, type TestStore } from "./store.ts";
import type { TestStoreOptions } from "./store.ts";

/** The part of the site that leads to advertisers, over a store in memory. */
export interface GoSite extends AsyncDisposable {
  test: TestStore;
  records: PublicRecords;
  limiter: RateLimiter;
  clicks: TestCounter;
  /** Asks as a browser at 10.0.0.1, unless `init` says otherwise. */
  go(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Waits for the buckets and books what was counted. */
  book(): Promise<void>;
}

/** What a test may choose. */
export type GoSiteOptions =
  & TestStoreOptions
  & Partial<ClickCounterOptions>
  & Pick<GoParts, "unawaitedMax">;

/** Opens it with these Spotlights settled. */
export async function openGoSite(
  spotlights: readonly Spotlight[],
  options: GoSiteOptions = {},
): Promise<GoSite> {
  const test = await openTestStore(options);
  await settle(test.store, ...spotlights);
  const records = await publicRecordsOf(test.store);
  const limiter = createRateLimiter({
    rows: rateBuckets(test.kv, {
      lanes: REMOTE_LANES,
      patience: testPatience(options.patience),
      nowMs: () => test.clock.now(),
    }),
    clock: test.clock,
    startTimer,
    hashId: (text) => text,
  });
  const clicks = startCounter(test, options);
  const settings = { baseUrl: TEST_BASE_URL, authUrl: "https://auth.example" };
  const app = routeTable({ settings, log: clicks.log }, [
    goSurface({
      clock: test.clock,
      limiter,
      trustedProxyHops: 0,
      records,
      clicks: clicks.counter,
      ...options.unawaitedMax !== undefined &&
        { unawaitedMax: options.unawaitedMax },
    }),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  return {
    test,
    records,
    limiter,
    clicks,
    go: (path, init) => ask(app, path, init),
    book: () => clicks.book(),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await clicks.counter.close();
      await test.close();
    },
  };
}

function ask(
  app: HostApp,
  path: string,
  { from = "10.0.0.1", ...init }: RequestInit & { from?: string } = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("user-agent")) headers.set("user-agent", BROWSER);
  return askHost(app, `${TEST_BASE_URL}${path}`, { ...init, headers }, {
    remoteAddress: from,
    trace: { requestId: "req_test_0", route: "", grantId: null },
    bodies: AT_ONCE,
    hold() {},
    holdCopy: () => () => {},
  });
}
