/**
 * Which surfaces each host has, and what they are given.
 *
 * @module
 */
import { startTimer } from "../adapters/time/system_time.ts";
import { jobs as allJobs } from "../cron/jobs.ts";
import type { Merchant } from "../domain/checkout/merchant.ts";
import { WEBHOOK_HANDLERS } from "../domain/webhooks/handlers.ts";
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
import type { Core } from "./core.ts";
import { type Development, developmentOf } from "./development.ts";
import type { Config, StripeConfig } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import type { Clock, Log } from "../domain/ports.ts";
import type { HostKind } from "../routes/hosts.ts";
import type { BodyWaits } from "../routes/http/body_waits.ts";

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

/** What is added to the hosts by tests and in development. */
export interface HostAdditions {
  /** What `deno task dev` adds. */
  development?: Development;
  /** Further routes of the hosts. */
  routes?: (parts: Parts) => Partial<Record<HostKind, readonly Route[]>>;
}

/** All that the three hosts answer, over one core. */
export async function hostsOf(
  parts: Parts,
  core: Core,
  additions: HostAdditions,
): Promise<Record<HostKind, RoutedHost>> {
  const { config, clock, log, stopping } = parts;
  const { settings } = config;
  const { records } = core;
  const further = additions.routes?.(parts) ?? {};
  const routing = routingOf(config, core);
  // What pages look like, on each host: no host's page may load another's.
  const files = assetRoutes();
  const website = await websiteOf(parts, core, further.site);
  const development = developmentOf(settings, additions.development);
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
      clientFiles: await readClientFiles(settings.baseUrl),
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
