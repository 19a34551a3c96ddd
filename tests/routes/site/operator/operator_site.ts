import { startTimer } from "../../../../adapters/time/system_time.ts";
import { indexOf } from "../../../support/ask_site.ts";
import { drawPng } from "../../../../adapters/images/draw_png.ts";
import { assertEquals } from "@std/assert";
import type { Job } from "../../../../domain/operations/run_job.ts";
import type { Services } from "../../../../domain/ports.ts";
import { createRateLimiter } from "../../../../domain/rate_limit/create_rate_limiter.ts";
import { PublicRecords } from "../../../../domain/spotlights/public_records.ts";
import { WEBHOOK_HANDLERS } from "../../../../domain/webhooks/handlers.ts";
import { simpleWebauthn } from "../../../../adapters/webauthn/simple_webauthn.ts";
import { developmentOf } from "../../../../app/development.ts";
import { DEVELOPMENT } from "../../../../tools/demo/development.ts";
import { testCookie } from "../../../support/cookies.ts";
import { dump } from "../../../../kv/dump.ts";
import { reindex } from "../../../../kv/reindex.ts";
import type { KvLike } from "../../../../kv/kv_like.ts";
import { rateBuckets, REMOTE_LANES } from "../../../../kv/rate_buckets.ts";
import {
  type HostApp,
  type Route,
  routeTable,
} from "../../../../routes/route_table.ts";
import { operatorApi } from "../../../../routes/site/operator/operator_api.ts";
import { siteSurfaces } from "../../../../routes/site/site_surfaces.ts";
import { ask, bindings } from "../../../support/bindings.ts";
import { testPatience } from "../../../support/store.ts";
import { ManualTimer } from "../../../support/timer.ts";
import {
  type DemoWorld,
  openDemoWorld,
} from "../../../tools/demo/demo_world.ts";

/** The operator's key in tests. */
export const KEY = "operator-key-of-at-least-thirty-two-bytes";

/** The one that takes over from it. */
export const OTHER_KEY = "another-key-of-at-least-thirty-two-bytes";

/** A job that is late after an hour. */
export const JOB: Job = {
  name: "sweep",
  schedule: "*/5 * * * *",
  lateAfterMs: 3_600_000,
  onHold: "waits",
  run: () => Promise.resolve(),
};

/** The site with its operator API, asked without a network. */
export interface OperatorSite extends AsyncDisposable {
  world: DemoWorld;
  services: Services;
  records: PublicRecords;
  /** Every operation of the operator API. */
  routes: readonly Route[];
  /** Asks with the operator's key; `key` null sends none. */
  operate(
    method: string,
    path: string,
    options?: {
      body?: unknown;
      key?: string | null;
      from?: string;
      headers?: Record<string, string>;
    },
  ): Promise<Response>;
  /** Asks for a public path. */
  read(path: string): Promise<Response>;
}

/** Opens a site over an empty store. */
export async function openOperatorSite(
  environment: Services["settings"]["environment"] = "development",
  changes: Partial<Services> = {},
): Promise<OperatorSite> {
  const world = await openDemoWorld();
  const services = {
    ...world.services,
    ...changes,
    settings: { ...world.services.settings, environment },
  };
  const { app, records, routes, close } = await openHost(
    services,
    world.testStore.realKv,
  );
  return {
    world,
    services,
    records,
    routes,
    operate: (
      method,
      path,
      { body, key = KEY, from = "127.0.0.1", ...options } = {},
    ) =>
      ask(app, `/operator/v1/${path}`, {
        method,
        headers: {
          host: "localhost:8000",
          ...key === null ? {} : { authorization: `Bearer ${key}` },
          ...body === undefined ? {} : { "content-type": "application/json" },
          ...options.headers,
        },
        ...body !== undefined && { body: JSON.stringify(body) },
      }, bindings(from)),
    read: (path) => ask(app, path),
    async [Symbol.asyncDispose]() {
      await close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The host of the site over given services. */
export async function openHost(
  services: Services,
  kv: KvLike,
): Promise<
  Pick<OperatorSite, "records" | "routes"> & {
    app: HostApp;
    close: () => Promise<void>;
  }
> {
  const { clock, settings, store, log } = services;
  const records = new PublicRecords({ store, log, baseUrl: settings.baseUrl });
  await records.refresh();
  const limiter = createRateLimiter({
    rows: rateBuckets(kv, {
      lanes: REMOTE_LANES,
      patience: testPatience(),
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  const routing = { services, limiter, trustedProxyHops: 0, records };
  const api = operatorApi({
    ...routing,
    operatorKeys: [KEY, OTHER_KEY],
    eventWork: {
      services,
      handlers: WEBHOOK_HANDLERS,
      startTimer: new ManualTimer().start,
    },
    jobs: [JOB],
    dump: () => dump(kv, { keys: null }),
    version: "1.2.3",
    schema: () => Promise.resolve({ store: 4, service: 5 }),
    reindex: () => reindex({ kv, clock }),
  }, developmentOf(settings, DEVELOPMENT)?.operatorRoutes);
  const app = routeTable({ settings, log }, [
    api,
    ...siteSurfaces({
      clientFiles: [],
      ...routing,
      services: { ...services, webauthn: simpleWebauthn(settings.baseUrl) },
      sessionCookie: testCookie("svc_sess"),
      signInCookie: testCookie("svc_sign_in"),
      deviceCookie: testCookie("svc_device"),
      documents: {},
      drawPng,
      retrieval: { index: indexOf([]) },
    }),
  ]);
  return {
    app,
    records,
    routes: api.routes,
    close: () => limiter.close(),
  };
}

/** The body of a success. */
export async function answerOf(
  response: Response,
  status = 200,
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  assertEquals(response.status, status, await response.clone().text());
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  return await response.json();
}

/** Holds an answer to be this EngineProblem. */
export async function assertProblem(
  response: Response,
  status: number,
  code: string,
  detail: string,
): Promise<void> {
  const type = response.headers.get("content-type");
  assertEquals([response.status, type], [status, "application/problem+json"]);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const body = await response.json();
  assertEquals([body.status, body.code, body.detail], [status, code, detail]);
}
