/**
 * Every route of a running service, asked as somebody who may do anything: so
 * that a route that is added is tested with the others.
 *
 * @module
 */
import { createGrant } from "../../tools/demo/create_grant.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import { endEverySession } from "../../domain/sessions/end_session.ts";
import { revokeEveryGrant } from "../../domain/oauth/revoke_every_grant.ts";
import { startSession } from "../../domain/sessions/start_session.ts";
import { credentialsOf } from "../../domain/sessions/credentials.ts";
import { siteCookies } from "../../app/site_cookies.ts";
import { jobs } from "../../cron/jobs.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import { DAY, type Operation, operationsOf } from "./every_route.ts";
import { modern } from "./mcp_calls.ts";
import { spotlight } from "./public_spotlights.ts";
import {
  type RunningService,
  type RunOptions,
  runService,
} from "./running_service.ts";
import { startTestProcessor } from "./test_processor.ts";
import { untilIndexed } from "./until_indexed.ts";

const ACCOUNT = "acc_operator";

/** The media types that bodies are sent with. */
export const JSON_TYPE = "application/json";
/** The one of forms. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** What reads of its body whose page it was sent from, and nothing else. */
export const WITHOUT_FIELDS: readonly string[] = [
  "POST /settings/sign-out",
  "POST /settings/sign-out-everywhere",
  "POST /agents/:grant/revoke",
  "POST /onboarding/vat",
  "POST /creatives/:id/submit",
  "POST /creatives/:id/archive",
  "POST /identity/start",
  "POST /billing/set-up",
  "POST /billing/portal",
  "POST /operator/jobs/:job/run",
  "POST /settings/privacy/erasure",
  "POST /settings/privacy/erasure/keep",
  "POST /settings/privacy/exports",
];

/** What changes something without reading a body. */
export const WITHOUT_BODY: readonly string[] = [
  "POST /operator/v1/archive/:number/retry",
  "POST /operator/v1/auctions/:day/open",
  "POST /operator/v1/auctions/:day/close",
  "POST /operator/v1/auctions/:day/settle",
  "POST /operator/v1/reconciliations/:day",
  "POST /operator/v1/reindex",
  "POST /operator/v1/ad_reports/:id/close",
  "POST /operator/v1/webhook_events/:id/retry",
  "POST /operator/v1/house_ads/:id/earlier",
  "POST /operator/v1/house_ads/:id/later",
  "POST /operator/v1/house_ads/:id/rest",
  "POST /operator/v1/house_ads/:id/wake",
  "POST /operator/v1/house_ads/:id/remove",
  "POST /operator/v1/jobs/:job/run",
  "POST /operator/v1/keys/:id/end",
  "POST /api/v1/sandbox/jobs",
  "POST /api/v1/sandbox/rehearsals/:rehearsal/v1/agent/settle",
  "POST /v1/agent/payment_methods/:id/default",
  "DELETE /v1/agent/payment_methods/:id",
  "POST /v1/agent/billing_portal",
  "POST /v1/agent/affiliate/payouts",
  "POST /r/:code",
  "DELETE /v1/agent/connections/:id",
  "POST /v1/agent/creatives/:id/submit",
  "POST /v1/agent/creatives/:id/archive",
  "DELETE /v1/agent/passkeys/:id",
  // The link says all, however the mailbox asks.
  "POST /unsubscribe/:token",
  "POST /erasure/:token",
  "POST /v1/agent/privacy/erasure",
  "POST /v1/agent/privacy/exports",
];

/** A service that is asked on all of its routes. */
export interface AskedEverywhere extends AsyncDisposable {
  running: RunningService;
  operations: readonly Operation[];
  /** Those that change something, and so may read a body. */
  changing: readonly Operation[];
  /** The headers of a request that gets as far as one can. */
  headersOf(
    operation: Operation,
    contentType: string,
  ): Promise<Record<string, string>>;
  /** The head of a request, without the lines about the body. */
  headOf(operation: Operation, contentType: string): Promise<string[]>;
  /** Goes on with another session, and a grant whose bucket is full. */
  signInAgain(): void;
  /** Every tool of every tool server. */
  tools(): Promise<PublishedTool[]>;
}

/** A tool as a client is told of it. */
export interface PublishedTool {
  /** Where its server stands. */
  server: Operation;
  name: string;
  // deno-lint-ignore no-explicit-any -- JSON Schema of any shape
  inputSchema: any;
}

/** Starts a service with an operator who is signed in and has a grant. */
export async function askedEverywhere(
  options: Omit<RunOptions, "env"> = {},
): Promise<AskedEverywhere> {
  const { simulator, env } = await startTestProcessor();
  const running = await runService({
    env: { ...env, TRUSTED_PROXY_HOPS: "1" },
    ...options,
  });
  await prepare(running);
  let asked = 0;
  let person: ReturnType<typeof signedIn> | null = null;
  const signedIn = async () => ({
    token: await tokenOf(running),
    cookie: await signIn(running),
  });
  const operations = operationsOf(running);

  async function headersOf(
    { path, url }: Operation,
    contentType: string,
  ): Promise<Record<string, string>> {
    // Many clients, so that every request gets in.
    const nth = asked++;
    const { cookie, token } = await (person ??= signedIn());
    const secret = path.startsWith("/operator/v1/")
      ? running.config.operatorKeys[0]
      : token;
    return {
      origin: new URL(url).origin,
      cookie,
      ...!path.startsWith("/oauth/") && { authorization: `Bearer ${secret}` },
      "content-type": contentType,
      accept: "application/json, text/event-stream",
      "api-version": "2026-04-17",
      "idempotency-key": `key-${nth}`,
      // What is for this machine only is not asked through a proxy.
      ...!path.startsWith("/operator/v1/demo/") &&
        { "x-forwarded-for": `10.${nth >> 16}.${nth >> 8 & 255}.${nth & 255}` },
    };
  }

  return {
    running,
    operations,
    changing: operations.filter(({ method }) => method !== "GET"),
    headersOf,
    signInAgain() {
      person = null;
    },
    async headOf(operation, contentType) {
      // Some routes end the sessions there are.
      person = null;
      const { method, url } = operation;
      const headers = await headersOf(operation, contentType);
      const { host, pathname } = new URL(url);
      return [
        `${method} ${pathname} HTTP/1.1`,
        `Host: ${host}`,
        ...Object.entries(headers).map((pair) => pair.join(": ")),
      ];
    },
    tools: async () => toolsOf(operations, await tokenOf(running)),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}

/** Signs out everywhere, which disconnects every agent. */
export async function signOutEverywhere(
  { running }: Pick<AskedEverywhere, "running">,
): Promise<void> {
  const { services } = running.service.core;
  await endEverySession(services, ACCOUNT);
  await revokeEveryGrant(services, { accountId: ACCOUNT });
}

/** As after a start, with somebody and something to ask for. */
async function prepare(running: RunningService): Promise<void> {
  const { services } = running.service.core;
  for (const job of jobs) await runJob(services, job);
  await saveOperator(running);
  await saveWhatIsNamed(running);
  await untilIndexed(running.service);
}

async function toolsOf(
  operations: readonly Operation[],
  token: string,
): Promise<PublishedTool[]> {
  const servers = operations.filter(({ method, path }) =>
    method === "POST" && path.endsWith("/mcp")
  );
  const authorization = `Bearer ${token}`;
  const lists = await Promise.all(servers.map(async (server) => {
    const { body } = await modern(server.url, "tools/list", {}, {
      authorization,
    });
    const { tools } = body.result;
    return tools.map((tool: PublishedTool) => ({ ...tool, server }));
  }));
  return lists.flat();
}

async function saveOperator({ service, config }: RunningService) {
  const { store, clock } = service.core.services;
  const [email = ""] = config.settings.operatorEmails;
  await store.transact((tx) => {
    tx.accounts.save({
      ...newAccount(ACCOUNT, email, clock.now()),
      company: {
        name: "Bakery",
        country: "DE",
        vatId: "DE136695976",
        address: { line1: "Street 1", city: "Berlin", postalCode: "10115" },
      },
    });
    return Promise.resolve();
  });
}

/** What the parameters of paths name, where a body is read only if it exists. */
async function saveWhatIsNamed({ service }: RunningService) {
  const { store } = service.core.services;
  await store.transact((tx) => {
    tx.creatives.save({
      adId: "x_1",
      accountId: ACCOUNT,
      state: "draft",
      headline: "Bread by bicycle",
      description: "Warm loaves at your door before eight, every day.",
      targetUrl: "https://bakery.example/",
      createdAtMs: 0,
    });
    tx.spotlights.save(spotlight(DAY));
    tx.touchSpotlights();
    return Promise.resolve();
  });
  await service.core.records.refreshNow();
}

async function signIn({ service, config }: RunningService): Promise<string> {
  const { store, ids, clock } = service.core.services;
  const sessionId = ids.secret();
  const bindingId = ids.next("stay");
  await store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, ACCOUNT);
    const begun = {
      sessionId,
      bindingId,
      credentials,
      method: "passkey" as const,
      previousSessionId: null,
      userAgent: "A test",
    };
    await startSession(tx, begun, clock.now());
  });
  const { sessionCookie } = siteCookies(config);
  return sessionCookie.set(sessionId).split(";")[0] ?? "";
}

async function tokenOf({ service }: RunningService): Promise<string> {
  const { services } = service.core;
  const { accessToken } = await createGrant(services, {
    accountId: ACCOUNT,
    clientId: "https://agent.example/client.json",
    scopes: SCOPES,
    mandate: {
      maxBidCents: 1_000,
      dailyCapCents: 1_000,
      validUntilMs: services.clock.now() + 86_400_000,
    },
  });
  return accessToken;
}
