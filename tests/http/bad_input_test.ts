/**
 * Bad input never gives a 500: arbitrary methods, targets, headers and bodies
 * at every route, as bytes over TCP.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { jobs } from "../../cron/jobs.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import { rawRequest, rawStatus, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { untilIndexed } from "../support/until_indexed.ts";
import { startTestProcessor } from "../support/test_processor.ts";

const PATHS = [
  "/",
  "/healthz",
  "/readyz",
  "/developers.md",
  "/developers",
  "/openapi.json",
  "/sitemap.xml",
  "/feeds/spotlights/2026",
  "/mcp/server-card",
  "/ask",
  "/ask/x",
  "/ask?query=a",
  "/problems/not-found",
  "/api/v1/spotlight",
  "/api/v1/spotlights",
  "/api/v1/spotlights/2026-02-30",
  "/api/v1/spotlights/2026-02-03",
  "/api/v1/spotlights/batch",
  "/api/v1/sandbox",
  "/api/v1/sandbox/jobs",
  "/api/v1/sandbox/rehearsals/rehearsal_1/v1/agent/me",
  "/api/v1/sandbox/rehearsals/rehearsal_1/v1/agent/bids",
  "/api/v1/sandbox/jobs/sbx_0123456789abcdef",
  "/spotlights/2026-02-03",
  "/checkout_sessions",
  "/checkout_sessions/cs_0123456789abcdef0123456789abcdef",
  "/checkout_sessions/cs_0123456789abcdef0123456789abcdef/complete",
  "/checkout_sessions/cs_0123456789abcdef0123456789abcdef/cancel",
  "/checkout_sessions/cs_0123456789abcdef0123456789abcdef/resource",
  "/.well-known/acp.json",
  "/operator/v1/auctions/2026-02-03",
  "/operator/v1/auctions/2026-02-03/settle",
  "/operator/v1/spotlights/2026-02-03/remove",
  "/operator/v1/demo/tokens",
  "/v1/agent",
  "/v1/agent/me",
  "/v1/agent/auction",
  "/v1/agent/bids",
  "/v1/agent/bids/bid_1",
  "/v1/agent/payment_methods",
  "/v1/agent/payment_methods/pm_1",
  "/v1/agent/payment_methods/pm_1/default",
  "/v1/agent/billing_portal",
  "/v1/agent/creatives",
  "/v1/agent/creatives/ad_1",
  "/v1/agent/creatives/ad_1/submit",
  "/v1/agent/creatives/ad_1/archive",
  "/v1/agent/connections",
  "/v1/agent/connections/grant_1",
  "/v1/agent/passkeys",
  "/v1/agent/passkeys/pk_1",
  "/v1/agent/reports",
  "/v1/agent/reports/2026-11-18",
  "/creatives",
  "/creatives/new",
  "/creatives/ad_1/edit",
  "/report/2026-02-03",
  "/operator/review/ad_1",
  "/operator/v1/creatives/ad_1/reject",
  "/operator/v1/ad_reports/report_1/close",
  "/billing",
  "/billing/return",
  "/identity",
  "/oauth/authorize",
  "/oauth/token",
  "/oauth/register",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
];

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "get",
];

const MEMBERS = [
  "day",
  "days",
  "limit",
  "offset",
  "cursor",
  "includeHouseAds",
  "ad_id",
  "amount_cents",
  "currency",
  "payment_method_id",
  "query",
  "mode",
  "streaming",
  "prefer",
  "line_items",
  "capabilities",
  "payment_data",
  "__proto__",
];

/** Any byte but the two that would end a line, spaces kept off the ends. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) =>
    String.fromCharCode(code)
  ),
  maxLength: 300,
});

const targetText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) =>
    String.fromCharCode(code)
  ),
  maxLength: 60,
});

const value = fc.oneof(
  fc.constantFrom("2026-02-03", "0", "-1", "true", "1e9", "%00", "%FF", ""),
  targetText,
);

const query = fc.array(fc.tuple(fc.constantFrom(...MEMBERS), value), {
  maxLength: 3,
}).map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));

const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...PATHS), query)
      .map(([path, asked]) => `${path}?${asked}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...PATHS), targetText)
      .map(([path, more]) => `${path}/${more}`),
  },
  { weight: 1, arbitrary: targetText.map((text) => `/${text}`) },
);

/** Stands for a body nested deeper than a counterexample should print. */
const DEEP = "(deep)";

const body = fc.oneof(
  fc.constant(""),
  fc.json(),
  fc.dictionary(fc.constantFrom(...MEMBERS), fc.jsonValue())
    .map((json) => JSON.stringify(json)),
  headerText,
  fc.constant(DEEP),
);

const header = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      "Accept",
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-None-Match",
      "X-Forwarded-For",
      "Range",
      "Cookie",
      "Origin",
      "Access-Control-Request-Method",
      "X-Request-Id",
      "Request-Id",
      "API-Version",
    ),
    headerText,
  ).map(([name, text]) => `${name}: ${text}`),
  fc.constant("Content-Type: application/json"),
  fc.constant("Idempotency-Key: a-key"),
  fc.constant("API-Version: 2026-04-17"),
);

const request = fc.record({
  method: fc.constantFrom(...METHODS),
  target,
  headers: fc.array(header, { maxLength: 4 }),
  body,
  withToken: fc.boolean(),
});

Deno.test("no method, target, header or body gives a 500 at any route", async () => {
  // Some jobs ask the processor, and without them the service is not ready.
  const { simulator, env } = await startTestProcessor();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => simulator.stop());
  await using running = await runService({
    env: { ...env, TRUSTED_PROXY_HOPS: "1" },
  });
  const tokens = await tokensOf(running, 20);
  await untilIndexed(running.service);
  const { settings } = running.config;
  const statuses = new Map<number, number>();
  const hosts = [settings.baseUrl, settings.authUrl, settings.docsMcpUrl]
    .map((address) => new URL(address));
  await fc.assert(
    fc.asyncProperty(
      request,
      fc.constantFrom(...hosts),
      fc.constantFrom(...tokens),
      fc.ipV4(),
      async (asked, host, token, address) => {
        const { method, target, headers, withToken } = asked;
        const body = asked.body === DEEP ? '{"day":'.repeat(2_000) : asked.body;
        const lines = [
          `Host: ${host.host}`,
          `Content-Length: ${body.length}`,
          ...(withToken ? [`Authorization: Bearer ${token}`] : []),
          ...headers,
          // Buckets of many clients, so that most requests get further.
          `X-Forwarded-For: ${address}`,
        ];
        const text = rawRequest(target, lines, method) + body;
        const answer = await sendRaw(Number(host.port), text);
        const status = rawStatus(answer);
        // Nothing at all is how the server below us refuses bytes that are
        // no HTTP; an answer of ours is never a failure.
        if (answer === "") return;
        assert(status >= 200 && status < 500, answer.slice(0, 300));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      },
    ),
    { numRuns: 1_500 },
  );
  for (const status of [200, 400, 401, 404, 405]) {
    assert((statuses.get(status) ?? 0) > 0, `${status} was never answered`);
  }
  assert(!running.logged().includes('"level":"error"'), running.logged());
});

Deno.test("a method called as what every object has is refused as any other that is made up", async () => {
  await using running = await runService();
  const { baseUrl, authUrl } = running.config.settings;
  const inherited = Object.getOwnPropertyNames(Object.prototype)
    .filter((name) => /^[a-z]+$/i.test(name));
  for (const address of [baseUrl, authUrl]) {
    const { host, port } = new URL(address);
    const statusOf = async (method: string) => {
      const text = rawRequest("/v1/agent/me", [`Host: ${host}`], method);
      return rawStatus(await sendRaw(Number(port), text));
    };
    const refused = await statusOf("FOO");
    assert([401, 404, 405].includes(refused), `${refused}`);
    for (const method of inherited) {
      assertEquals(await statusOf(method), refused, method);
    }
  }
});

async function tokensOf(
  { service }: RunningService,
  count: number,
): Promise<string[]> {
  const { services } = service.core;
  const now = services.clock.now();
  // As after any start; without a run of its jobs the service is not ready.
  for (const job of jobs) await runJob(services, job);
  await services.store.transact((tx) => {
    tx.accounts.save({
      id: "acc_fuzz",
      email: "fuzz@example.com",
      createdAtMs: now,
      company: null,
      vatStatus: "unverified",
      identityStatus: "unverified",
      suspendedAtMs: null,
      disputeOpen: false,
      cardRefused: false,
      partner: false,
      paidWins: 0,
      processorCustomerId: null,
      defaultPaymentMethodId: null,
    });
  });
  const grants = Array.from({ length: count }, () =>
    createGrant(services, {
      accountId: "acc_fuzz",
      clientId: "https://agent.example/client.json",
      scopes: SCOPES,
      mandate: {
        maxBidCents: 1_000,
        dailyCapCents: 1_000,
        validUntilMs: now + 86_400_000,
      },
    }));
  return (await Promise.all(grants)).map(({ accessToken }) => accessToken);
}
