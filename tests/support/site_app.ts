import type { Settings } from "../../domain/ports.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { testLimiter } from "./limiter.ts";
import { indexOf } from "./ask_site.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { testCookie } from "./cookies.ts";
import { TEST_KEYS } from "./keys.ts";
import {
  type HostApp,
  routeTable,
  type Surface,
} from "../../routes/route_table.ts";
import type { AdvertiserParts } from "../../routes/site/advertiser_parts.ts";
import {
  problemDocsUrl,
  type ProblemSlug,
} from "../../routes/errors/problem_types.ts";
import { accountSurface } from "../../routes/site/account/account_surface.tsx";
import { emailSurface } from "../../routes/site/settings/email_surface.tsx";
import { erasureLinkSurface } from "../../routes/site/privacy/erasure_link_surface.tsx";
import { privacySurface } from "../../routes/site/privacy/privacy_surface.tsx";
import { settingsSurface } from "../../routes/site/settings/settings_surface.tsx";
import { WEBHOOK_HANDLERS } from "../../domain/webhooks/handlers.ts";
import { ManualTimer } from "./timer.ts";
import { metricsRoutes } from "../../routes/site/api/metrics.ts";
import { siteSurfaces } from "../../routes/site/site_surfaces.ts";
import { drawPng } from "../../adapters/images/draw_png.ts";
import { simpleWebauthn } from "../../adapters/webauthn/simple_webauthn.ts";
import { MemoryLog } from "./captured_logs.ts";
import { NO_PROCESSOR, OUTSIDE } from "./outside.ts";
import { settle, TEST_BASE_URL } from "./public_spotlights.ts";
import { TEST_SELLER } from "./seller.ts";
import {
  openTestStore,
  type TestStore,
  type TestStoreOptions,
} from "./store.ts";

/** The site in-process, from Request to Response, over a store of its own. */
export interface SiteApp extends AsyncDisposable {
  test: TestStore;
  records: PublicRecords;
  limiter: RateLimiter;
  log: MemoryLog;
  /** Asks for a path; `from` is the client's address. */
  ask(
    path: string,
    init?: RequestInit & { from?: string },
  ): Promise<Response>;
}

/** Addresses of the hosts, as tests have them. */
export const TEST_SETTINGS = {
  environment: "development",
  baseUrl: TEST_BASE_URL,
  authUrl: "https://api.spotlight.example",
  docsMcpUrl: "https://docs.spotlight.example/mcp",
  auctionHours: { opensAtMinute: 0, closesAtMinute: 1435 },
  operatorEmails: ["operator@example.com"],
  alertWebhookUrl: null,
  refundFourEyesCents: 50_000,
  seller: TEST_SELLER,
} as const;

/** What a test may choose. */
export interface SiteOptions extends TestStoreOptions {
  /** True: the records have not been read, as just after the start. */
  unread?: boolean;
  /** Proxies of our own before the site; none when left out. */
  trustedProxyHops?: number;
  /** Development when left out. */
  environment?: Settings["environment"];
}

/** Opens a site on which the given Spotlights have settled. */
export async function openSite(
  spotlights: readonly Spotlight[] = [],
  options: SiteOptions = {},
): Promise<SiteApp> {
  const test = await openTestStore(options);
  await settle(test.store, ...spotlights);
  const log = new MemoryLog();
  const records = new PublicRecords({
    store: test.store,
    log,
    baseUrl: TEST_BASE_URL,
  });
  if (!options.unread) await records.refresh();
  const limiter = testLimiter(test);
  const { store, clock, ids } = test;
  const { environment = TEST_SETTINGS.environment } = options;
  const settings: Settings = { ...TEST_SETTINGS, environment };
  const services = {
    store,
    clock,
    ids,
    keys: TEST_KEYS,
    settings,
    log,
    webauthn: simpleWebauthn(TEST_BASE_URL),
    ...OUTSIDE,
    processor: NO_PROCESSOR,
  };
  const routing = {
    services,
    limiter,
    trustedProxyHops: options.trustedProxyHops ?? 0,
    sessionCookie: testCookie("svc_sess"),
  };
  const app = routeTable(
    { settings, log },
    [
      ...ownPages({ ...routing, records, jobs: [] }),
      ...siteSurfaces({
        clientFiles: [],
        ...routing,
        signInCookie: testCookie("svc_sign_in"),
        deviceCookie: testCookie("svc_device"),
        records,
        drawPng,
        operations: metricsRoutes({
          ...routing,
          records,
          profileId: "profile_test_simulator",
        }),
        retrieval: { index: indexOf([]) },
        documents: { "/developers.md": "# At {base_url} and {auth_url}\n" },
      }),
    ],
  );
  return {
    test,
    records,
    limiter,
    log,
    ask: (path, init) => askOf(app, path, init),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await test.close();
    },
  };
}

/** The pages about an account itself. */
function ownPages(
  routing: Omit<AdvertiserParts, "hostedPages" | "eventWork">,
): Surface[] {
  const parts = {
    ...routing,
    hostedPages: [],
    eventWork: {
      services: routing.services,
      handlers: WEBHOOK_HANDLERS,
      startTimer: new ManualTimer().start,
    },
  };
  return [
    accountSurface(parts),
    settingsSurface(parts),
    emailSurface(parts),
    privacySurface(parts),
    erasureLinkSurface(parts),
  ];
}

async function askOf(
  app: HostApp,
  path: string,
  init: RequestInit & { from?: string } = {},
): Promise<Response> {
  const { from = "192.0.2.1", ...rest } = init;
  return await askHost(app, `${TEST_BASE_URL}${path}`, rest, {
    remoteAddress: from,
    trace: { requestId: "req_test_0", route: "", grantId: null },
    bodies: AT_ONCE,
    hold() {},
    holdCopy: () => () => {},
  });
}

/** The parts of a public problem that differ. */
export interface ExpectedProblem {
  slug: ProblemSlug;
  title: string;
  status: number;
  detail: string;
}

/** The whole body of a public problem, to be compared. */
export function problemBody(expected: ExpectedProblem): unknown {
  const { slug, title, status, detail } = expected;
  return {
    type: `${TEST_BASE_URL}/problems/${slug}`,
    title,
    status,
    detail,
    docs: problemDocsUrl({ baseUrl: TEST_BASE_URL }, slug),
  };
}

/** A 400 of the public API with this detail. */
export function invalidInput(detail: string): unknown {
  const status = 400;
  return problemBody({
    slug: "invalid-input",
    title: "Invalid input",
    status,
    detail,
  });
}
