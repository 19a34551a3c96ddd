/**
 * The composition: everything the service is made of, joined once. `main.ts`
 * starts it for a process; tests start it on free ports with parts of their
 * own.
 *
 * @module
 */
import { startTimer, systemClock } from "../adapters/time/system_time.ts";
import { type Core, type CoreOptions, openCore } from "./core.ts";
import { type Development, developmentOf } from "./development.ts";
import { untilAnswered } from "./open_store.ts";
import { jobs as allJobs } from "../cron/jobs.ts";
import { type Config, deriveKey, type StripeConfig } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import type { Merchant } from "../domain/checkout/merchant.ts";
import { tellHold } from "../domain/hold/tell_hold.ts";
import type { Clock, Ids, Log, Services } from "../domain/ports.ts";
import { keyedHash } from "../adapters/crypto/keyed_hash.ts";
import { WEBHOOK_HANDLERS } from "../domain/webhooks/handlers.ts";
import type { KvLike } from "../kv/kv_like.ts";
import { tellStart } from "./doctor.ts";
import { hostedPageOrigins } from "../adapters/stripe/hosted_pages.ts";
import { createWebhookVerifier } from "../adapters/stripe/webhook_verifier.ts";
import { agentSurface } from "../routes/auth/agent/agent_routes.ts";
import { advertiserMcpSurface } from "../routes/auth/mcp/advertiser_mcp_surface.ts";
import { oauthSurfaces } from "../routes/auth/oauth/oauth_surfaces.ts";
import { websitePaths } from "../routes/auth/website_paths.ts";
import { webhookSurface } from "../routes/auth/webhooks/webhook_surface.ts";
import { docsMcpSurface } from "../routes/docs_mcp/docs_surface.ts";
import {
  authDiscoverySurfaces,
  cardSurface,
} from "../routes/discovery/discovery_surfaces.ts";
import { renderPublic } from "../routes/errors/public_surface.ts";
import type { RouteServices } from "../routes/context.ts";
import { eventLog } from "../routes/event_log.ts";
import { faultFields } from "../routes/fault.ts";
import { type Health, health } from "../routes/health.ts";
import type { HostKind } from "../routes/hosts.ts";
import {
  type BodyWaitParts,
  type BodyWaits,
  bodyWaits,
} from "../routes/http/body_waits.ts";
import {
  type LineWriter,
  lineWriter,
  type Sink,
} from "../routes/line_writer.ts";
import {
  hostDispatch,
  requestIds,
} from "../routes/middleware/host_dispatch.ts";
import { UnsentAnswers } from "../routes/middleware/unsent_answers.ts";
import { startJobs, telemetryOf } from "./telemetry.ts";
import { requestLog } from "../routes/request_log.ts";
import type { Route, RoutedHost, Surface } from "../routes/route_table.ts";
import { routedHosts } from "../routes/routed_hosts.ts";
import { askSurface } from "../routes/site/ask/ask_surface.ts";
import { checkoutSurface } from "../routes/site/checkout/checkout_surface.ts";
import { devPages } from "../routes/site/dev_pages.ts";
import { publicMcpSurface } from "../routes/site/mcp/public_mcp_surface.ts";
import { metricsRoutes } from "../routes/site/api/metrics.ts";
import { operatorApi } from "../routes/site/operator/operator_api.ts";
import type { AdvertiserParts } from "../routes/site/advertiser_parts.ts";
import { advertiserSurfaces } from "../routes/site/advertiser_surfaces.ts";
import { goSurface } from "../routes/site/go.ts";
import { assetRoutes } from "../routes/site/pages/asset_routes.ts";
import {
  countVisits,
  type RateLimits,
} from "../routes/middleware/rate_limit.ts";
import { notFoundPage } from "../routes/site/pages/page_routes.tsx";
import { siteSurfaces } from "../routes/site/site_surfaces.ts";
import { readClientFiles } from "./client_files.ts";
import { documentFactsOf, readDocuments } from "./documents.ts";
import { siteCookies } from "./site_cookies.ts";
import { drawPng } from "../adapters/images/draw_png.ts";
import { simpleWebauthn } from "../adapters/webauthn/simple_webauthn.ts";
import {
  Front,
  type Handler,
  logSink,
  openListeners,
  withPorts,
} from "./serve.ts";

/**
 * How long requests in flight may take when the service stops, ms. Deno Deploy
 * kills what has not ended after 5 s.
 */
export function stopGraceMs({ store }: Config): number {
  return store.kind === "managed" ? 4_000 : 10_000;
}

/** Parts a test brings instead of the real ones. */
export interface ServiceOverrides {
  clock?: Clock;
  ids?: Ids;
  /** Where the log goes. */
  sink?: Sink;
  graceMs?: number;
  /** The time that bodies are waited for by. */
  bodyTime?: Required<BodyWaitParts>["time"];
  /** A store of the test's own. */
  kv?: KvLike;
  /** Whether the background jobs run by themselves. */
  crons?: boolean;
  /** What `deno task dev` adds. */
  development?: Development;
  /** Further routes of the hosts. */
  routes?: (parts: Parts) => Partial<Record<HostKind, readonly Route[]>>;
}

/** A running service. */
export interface Service {
  /** With the ports that are really listened on. */
  config: Config;
  log: Log;
  /** What the surfaces stand on, for tools and tests in this process. */
  core: Core;
  /** Every operation of each host, for tests that ask all of them. */
  routes: Readonly<Record<HostKind, readonly Route[]>>;
  /** Stops in order; a repeated call waits for the same stop. */
  stop(): Promise<void>;
}

/** What the parts are made with. */
export interface Parts {
  config: Config;
  clock: Clock;
  log: Log;
  /** Aborted when the service stops: open streams end on it. */
  stopping: AbortSignal;
  /** How long bodies are waited for. */
  bodies: BodyWaits;
}

/** What the parts, once joined, give the service. */
interface Composition {
  core: Core;
  hosts: Readonly<Record<HostKind, RoutedHost>>;
  health: Health;
  /** Flushes and closes the parts, once nothing is in flight. */
  close(): Promise<void>;
}

/** Starts the service and answers once it can be asked. */
export async function startService(
  config: Config,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const clock = overrides.clock ?? systemClock;
  const writer = lineWriter(overrides.sink ?? logSink(config));
  const log = telemetryOf(config).log(eventLog(writer, clock));
  const stopping = new AbortController();
  const services = Promise.withResolvers<Services>();
  const jobs = overrides.crons ? startJobs(config, services.promise) : null;
  const front = new Front(notStarted);
  const listeners = openListeners(config, front, log);
  const listening = withPorts(config, listeners.ports);
  const parts = {
    config: listening,
    clock,
    log,
    stopping: stopping.signal,
    bodies: bodyWaits({
      stopping: stopping.signal,
      ...overrides.bodyTime && { time: overrides.bodyTime },
    }),
  };
  // Nobody is to wait for as long as an outage lasts.
  const onStoreAwaited = () =>
    front.answerBy({ handle: notStarted, turnAway: notStarted });
  const composition = await compose(
    parts,
    { ...overrides, onStoreAwaited },
  ).catch(async (error) => {
    await jobs?.stop();
    await listeners.close(0);
    throw error;
  });
  services.resolve(composition.core.services);
  front.answerBy({
    handle: dispatchOf(parts, writer, composition, composition.health),
    // Whoever asks whether it lives is to go elsewhere, as is everybody else.
    turnAway: dispatchOf(parts, writer, composition, () => null),
  });
  const told = tellStart(parts);
  await untilAnswered(() => tellHold(composition.core.services));

  async function stopOnce(): Promise<void> {
    log.info("stopping");
    stopping.abort();
    await listeners.close(overrides.graceMs ?? stopGraceMs(config));
    try {
      await told;
      await jobs?.stop();
      await composition.close();
    } catch (fault) {
      log.error("stop_failed", faultFields("", fault));
    }
    log.info("stopped");
    await writer.flush();
  }
  let stopped: Promise<void> | null = null;
  return {
    config: listening,
    log,
    core: composition.core,
    routes: {
      site: composition.hosts.site.routes,
      auth: composition.hosts.auth.routes,
      docs_mcp: composition.hosts.docs_mcp.routes,
    },
    stop: () => stopped ??= stopOnce(),
  };
}

/** The parts could not be joined. */
function notStarted(): Response {
  return new Response(null, { status: 503, headers: { "retry-after": "1" } });
}

async function compose(
  parts: Parts,
  overrides: ServiceOverrides & Pick<CoreOptions, "onStoreAwaited">,
): Promise<Composition> {
  const { config, clock, log } = parts;
  const core = await openCore({
    config,
    clock,
    log,
    stopping: parts.stopping,
    development: developmentOf(config.settings, overrides.development),
    ...(overrides.onStoreAwaited
      ? { onStoreAwaited: overrides.onStoreAwaited }
      : {}),
    ...(overrides.ids ? { ids: overrides.ids } : {}),
    ...(overrides.kv ? { kv: overrides.kv } : {}),
  });
  return {
    core,
    hosts: await hostsOf(parts, core, overrides),
    health: health({
      serving: () => parts.stopping.aborted ? "The service is stopping" : null,
      ...core.checks,
    }, VERSION),
    close: () => core.close(),
  };
}

async function hostsOf(
  parts: Parts,
  core: Core,
  overrides: ServiceOverrides,
): Promise<Record<HostKind, RoutedHost>> {
  const { config, clock, log, stopping } = parts;
  const { settings } = config;
  const { records } = core;
  const further = overrides.routes?.(parts) ?? {};
  const routing = routingOf(config, core);
  // What pages look like, on each host: no host's page may load another's.
  const files = assetRoutes();
  const website = await websiteOf(parts, core, further.site);
  const development = developmentOf(settings, overrides.development);
  return routedHosts({ settings, log, stopping }, {
    site: [
      operatorApi({
        ...routing,
        operatorKeys: config.operatorKeys,
        records,
        dump: core.dump,
        version: VERSION,
        schema: core.schema,
        reindex: core.reindex,
      }, development?.operatorRoutes),
      ...website,
      askSurface({ ...routing, settings, retrieval: core.retrieval }),
      publicMcpSurface({
        ...routing,
        records,
        retrieval: core.retrieval,
        stopping,
      }),
      checkoutSurface({ ...routing, merchant: merchantOf(config.stripe) }),
      goSurface({ ...routing, clock, clicks: core.clicks, records }),
    ],
    auth: [
      agentSurface(routing),
      advertiserMcpSurface({ ...routing, stopping }),
      ...oauthSurfaces({ ...routing, startTimer }),
      webhooksOf(parts, core),
      ...authDiscoverySurfaces({ settings, clock }),
      fallbackSurface(routing, [
        ...files,
        ...websitePaths(website, settings.baseUrl, files),
        ...further.auth ?? [],
      ]),
    ],
    docs_mcp: [
      docsMcpSurface({ ...routing, retrieval: core.retrieval, stopping }),
      cardSurface(settings, "docs"),
      fallbackSurface(routing, [...files, ...further.docs_mcp ?? []]),
    ],
  });
}

/** What the routes of every host are given. */
function routingOf(
  { trustedProxyHops }: Config,
  { services, limiter, eventWork }: Core,
): RouteServices & Pick<AdvertiserParts, "eventWork" | "jobs"> {
  return { services, limiter, trustedProxyHops, eventWork, jobs: allJobs };
}

/** The public API and the pages of `{base_url}`. */
async function websiteOf(
  { config }: Parts,
  core: Core,
  further: readonly Route[] = [],
): Promise<Surface[]> {
  const { settings } = config;
  const { services, records } = core;
  const routing = {
    ...routingOf(config, core),
    ...siteCookies(config),
    records,
  };
  const outbox = settings.environment === "development"
    ? devPages(services)
    : [];
  return [
    ...siteSurfaces({
      ...routing,
      services: { ...services, webauthn: simpleWebauthn(settings.baseUrl) },
      drawPng,
      documents: await readDocuments(documentFactsOf(config)),
      clientFiles: await readClientFiles(),
      retrieval: core.retrieval,
      operations: metricsRoutes({
        ...routing,
        profileId: config.stripe.profileId,
      }),
      pages: [...outbox, ...further],
    }),
    ...advertiserSurfaces({
      ...routing,
      hostedPages: hostedPageOrigins(config.stripe.apiBase),
    }),
  ];
}

/** Where the processor tells what has happened. */
function webhooksOf({ config, clock }: Parts, core: Core): Surface {
  const { webhookSecrets: secrets, livemode } = config.stripe;
  return webhookSurface({
    services: core.services,
    verifier: createWebhookVerifier({ secrets, nowMs: () => clock.now() }),
    reception: { handlers: WEBHOOK_HANDLERS, livemode },
    pump: core.events,
  });
}

/** Whom checkouts pay; a live key takes real money. */
function merchantOf({ profileId, livemode }: StripeConfig): Merchant {
  return { profileId, environment: livemode ? "live" : "test" };
}

/** What no other surface of a host answers, with a page for browsers. */
function fallbackSurface(
  limits: RateLimits,
  routes: readonly Route[],
): Surface {
  const enter = [countVisits(limits, routes), notFoundPage];
  const answers = { refused: renderPublic };
  return { prefix: "", enter, routes, free: true, answers };
}

function dispatchOf(
  parts: Parts,
  writer: LineWriter,
  composition: Composition,
  health: Health,
): Handler {
  const { config, clock, log, bodies } = parts;
  const hashGrant = keyedHash(deriveKey(config.secrets, "log-grant"));
  const prefix = crypto.randomUUID().slice(0, 8);
  return hostDispatch({
    settings: config.settings,
    clock,
    log,
    requestLog: telemetryOf(config).requests(requestLog(writer, hashGrant)),
    requestIds: requestIds(prefix),
    health,
    bodies,
    unsent: new UnsentAnswers(config.trustedProxyHops),
    hosts: composition.hosts,
  });
}
