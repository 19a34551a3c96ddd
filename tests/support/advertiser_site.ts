import { startTimer } from "../../adapters/time/system_time.ts";
/**
 * The pages of advertisers and the agent API over one world, asked without a
 * network, by browsers that are signed in.
 *
 * @module
 */
import { assert } from "@std/assert";
import { jobs } from "../../cron/jobs.ts";
import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Client } from "../../domain/oauth/client.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import { startAuthorization } from "../../domain/oauth/authorize/start_authorization.ts";
import type { SignInMethod } from "../../domain/sessions/session.ts";
import { startSession } from "../../domain/sessions/start_session.ts";
import { credentialsOf } from "../../domain/sessions/credentials.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import type { Services } from "../../domain/ports.ts";
import { PublicRecords } from "../../domain/spotlights/public_records.ts";
import { WEBHOOK_HANDLERS } from "../../domain/webhooks/handlers.ts";
import {
  type BucketLanes,
  EMBEDDED_LANES,
  rateBuckets,
} from "../../kv/rate_buckets.ts";
import { agentSurface } from "../../routes/auth/agent/agent_routes.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import {
  type HostApp,
  type Route,
  routeTable,
} from "../../routes/route_table.ts";
import { advertiserSurfaces } from "../../routes/site/advertiser_surfaces.ts";
import {
  BID_SETTINGS,
  type BiddingWorld,
  openBiddingWorld,
} from "./bidding_world.ts";
import { askHost, AT_ONCE } from "./bindings.ts";
import { testCookie } from "./cookies.ts";
import type { TestStore, TestStoreOptions } from "./store.ts";
import { ManualTimer } from "./timer.ts";

/** What a browser may do otherwise than a browser does. */
export interface Deviation {
  /** Another Origin; null for none. */
  origin?: string | null;
  headers?: Readonly<Record<string, string>>;
  contentType?: string;
  method?: "HEAD";
  /** Another address than all others have. */
  from?: string;
}

/** A browser with a session. */
export interface SignedInBrowser {
  account: Account;
  get(path: string, deviation?: Deviation): Promise<Response>;
  post(
    path: string,
    form: URLSearchParams | string,
    deviation?: Deviation,
  ): Promise<Response>;
  /** Signs in again: another session of the same stay. */
  signInAgain(method?: SignInMethod): Promise<void>;
}

/** The site of one test. */
export interface AdvertiserSite extends AsyncDisposable {
  world: BiddingWorld;
  services: Services;
  limiter: RateLimiter;
  /** What readers see, once they are refreshed. */
  records: PublicRecords;
  /** Every operation of the pages of advertisers and operators. */
  routes: readonly Route[];
  /** Signs an account in; it is made when there is none. */
  browser(name: string, account?: Partial<Account>): Promise<SignedInBrowser>;
  /** A browser without a session. */
  visitor(path: string, init?: RequestInit, from?: string): Promise<Response>;
  /** An authorization request as a client begins it; answers its path. */
  authorize(asked?: Asked): Promise<string>;
  /** Asks the agent API with a token. */
  api(
    path: string,
    accessToken: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** What differs in an authorization request. */
export interface Asked {
  scopes?: readonly Scope[] | string;
  client?: Partial<Client>;
  redirectUri?: string;
  /** Parameters to change; null leaves one out. */
  query?: Readonly<Record<string, string | null>>;
}

/** The challenge of the verifier "v" × 43. */
export const TEST_CHALLENGE = "s".repeat(43);

const COOKIE = testCookie("svc_sess");

/** Opens the site, its auction open. */
export async function openAdvertiserSite(
  options: TestStoreOptions = {},
  changes: Partial<Services> = {},
  hostedPages: readonly string[] = [],
): Promise<AdvertiserSite> {
  const world = await openBiddingWorld(options);
  const services = { ...world.services, ...changes };
  const site = siteOver(services, world.testStore, {
    lanes: options.lanes ?? EMBEDDED_LANES,
    hostedPages,
  });
  const { limiter } = site;
  const auth = routeTable(services, [
    agentSurface({ services, limiter, trustedProxyHops: 0 }),
    OTHERS,
  ]);
  return {
    ...site,
    world,
    services,
    authorize: (asked) => authorize(services, asked),
    api: (path, accessToken, headers = {}) =>
      ask(auth, `${BID_SETTINGS.authUrl}${path}`, {
        headers: { ...headers, authorization: `Bearer ${accessToken}` },
      }),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

const OTHERS = { prefix: "", routes: [], answers: { refused: renderPublic } };

/** The pages of who is signed in, over services of any world. */
export function siteOver(
  services: Services,
  { realKv }: Pick<TestStore, "realKv">,
  { lanes = EMBEDDED_LANES, hostedPages = [] }: {
    lanes?: BucketLanes;
    hostedPages?: readonly string[];
  } = {},
): Pick<
  AdvertiserSite,
  "limiter" | "records" | "routes" | "browser" | "visitor"
> {
  const { store, clock, log, settings: { baseUrl } } = services;
  const limiter = createRateLimiter({
    rows: rateBuckets(realKv, { lanes, nowMs: () => clock.now() }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  const records = new PublicRecords({ store, log, baseUrl });
  const surfaces = advertiserSurfaces({
    services,
    limiter,
    trustedProxyHops: 0,
    sessionCookie: COOKIE,
    hostedPages,
    jobs,
    records,
    eventWork: {
      services,
      handlers: WEBHOOK_HANDLERS,
      startTimer: new ManualTimer().start,
    },
  });
  const site = routeTable(services, [...surfaces, OTHERS]);
  return {
    limiter,
    records,
    routes: surfaces.flatMap(({ routes }) => routes),
    browser: (name, account) => openBrowser(site, services, name, account),
    visitor: (path, init, from) => ask(site, `${baseUrl}${path}`, init, from),
  };
}

async function ask(
  host: HostApp,
  url: string,
  init: RequestInit = {},
  remoteAddress = "192.0.2.1",
): Promise<Response> {
  return await askHost(host, url, init, {
    remoteAddress,
    trace: { requestId: "req_1", route: "", grantId: null },
    bodies: AT_ONCE,
    hold() {},
    holdCopy: () => () => {},
  });
}

async function openBrowser(
  site: HostApp,
  services: Services,
  name: string,
  changes: Partial<Account> = {},
): Promise<SignedInBrowser> {
  const account = await accountOf(services, name, changes);
  let sessionId = "";
  const signInAgain = async (method: SignInMethod = "code") => {
    const previous = sessionId === "" ? null : sessionId;
    sessionId = await signIn(services, account.id, previous, method);
  };
  await signInAgain();
  const send = (path: string, init: RequestInit, deviation: Deviation) => {
    const headers = new Headers({
      accept: "text/html",
      cookie: COOKIE.set(sessionId).split(";")[0] ?? "",
      ...init.headers as Record<string, string>,
      ...deviation.headers,
    });
    const url = `${BID_SETTINGS.baseUrl}${path}`;
    return ask(site, url, { ...init, headers }, deviation.from);
  };
  return {
    account,
    signInAgain,
    get: (path, deviation = {}) =>
      send(path, { method: deviation.method ?? "GET" }, deviation),
    post: (path, form, deviation = {}) => {
      const { origin = BID_SETTINGS.baseUrl, contentType } = deviation;
      const type = contentType ?? "application/x-www-form-urlencoded";
      const headers: Record<string, string> = { "content-type": type };
      if (origin !== null) headers.origin = origin;
      const body = form.toString();
      return send(path, { method: "POST", body, headers }, deviation);
    },
  };
}

async function accountOf(
  { store }: Services,
  name: string,
  changes: Partial<Account>,
): Promise<Account> {
  const id = `acc_${name}`;
  return await store.transact(async (tx) => {
    const standing = await tx.accounts.find(id);
    const account: Account = {
      ...standing ?? newAccount(id, `${name}@example.com`, 0),
      ...changes,
    };
    tx.accounts.save(account);
    return account;
  });
}

async function signIn(
  { store, ids, clock }: Services,
  accountId: string,
  previousSessionId: string | null,
  method: SignInMethod,
): Promise<string> {
  const sessionId = ids.secret();
  const bindingId = ids.next("stay");
  await store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, accountId);
    const begun = {
      sessionId,
      bindingId,
      credentials,
      method,
      previousSessionId,
      userAgent: "A test",
    };
    await startSession(tx, begun, clock.now());
  });
  return sessionId;
}

async function authorize(
  services: Services,
  asked: Asked = {},
): Promise<string> {
  const redirectUri = asked.redirectUri ?? "http://127.0.0.1:51004/callback";
  const client: Client = {
    id: "https://agent.example/client.json",
    name: "Bid Agent",
    host: "agent.example",
    redirectUris: [redirectUri],
    authentication: { method: "none" },
    ...asked.client,
  };
  const { scopes = ["account:read"] } = asked;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: typeof scopes === "string" ? scopes : scopes.join(" "),
    state: "s1",
    code_challenge: TEST_CHALLENGE,
    code_challenge_method: "S256",
  });
  for (const [name, value] of Object.entries(asked.query ?? {})) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const started = await startAuthorization(services, {
    query: query.toString(),
    resolveClient: () => Promise.resolve(client),
    admit: () => Promise.resolve(),
  });
  assert(started.kind === "waiting");
  return `/connect/${started.request.id}`;
}
