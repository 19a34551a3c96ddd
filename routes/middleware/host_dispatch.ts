import { monotonicMs } from "../../adapters/time/system_time.ts";
import type { Clock, Log, Settings } from "../../domain/ports.ts";
import type { RequestTrace } from "../context.ts";
import {
  internalProblem,
  type PublicProblem,
  publicProblem,
} from "../errors/public_problem.ts";
import { faultFields } from "../fault.ts";
import type { BodyWaits } from "../http/body_waits.ts";
import type { Health } from "../health.ts";
import { PARAMETERS_MAX, queryOf } from "../http/query.ts";
import { withHeaders } from "../http/respond.ts";
import {
  addressesOf,
  type HostKind,
  hostNames,
  hostOf,
  pathOf,
} from "../hosts.ts";
import { methodName, type RequestLog } from "../request_log.ts";
import type { HostApp } from "../route_table.ts";
import type { Origin, UnsentAnswers } from "./unsent_answers.ts";

/** What the listener knows of a request's sender. */
export interface Connection {
  readonly remoteAddr: { readonly hostname: string };
  /** Settles once the answer has been sent, or never will be. */
  readonly completed: Promise<void>;
}

/** Answers every request of every listener. Never throws. */
export type Dispatch = (
  request: Request,
  connection: Connection,
) => Promise<Response>;

/** What the dispatch needs of the service. */
export interface DispatchServices {
  settings: Pick<
    Settings,
    "baseUrl" | "authUrl" | "docsMcpUrl" | "environment"
  >;
  clock: Clock;
  log: Log;
  requestLog: RequestLog;
  requestIds: () => string;
  health: Health;
  bodies: BodyWaits;
  unsent: UnsentAnswers;
  hosts: Readonly<Record<HostKind, HostApp>>;
}

/**
 * A request's first stop: health on every host, then the host that the Host
 * header names, and 421 for any other. Every request is logged once.
 */
export function hostDispatch(services: DispatchServices): Dispatch {
  const names = hostNames(services.settings);
  const added = addedHeaders(services.settings);
  return async function dispatch(request, connection) {
    const atMs = services.clock.now();
    const started = monotonicMs();
    const bindings = new Bindings(
      services.requestIds(),
      request,
      connection,
      services,
    );
    const host = hostOf(request, names);
    const response = await answer(services, request, host, bindings);
    // Appended to the response itself, which costs less than making another.
    if (host !== null) withHeaders(response, added[host]);
    services.requestLog({
      atMs,
      tookMs: monotonicMs() - started,
      host,
      method: methodName(request.method),
      status: response.status,
      trace: bindings.trace,
    });
    return response;
  };
}

type Headers = Readonly<Record<string, string>>;

/** For a year, and not for other names under the host's, which may be others'. */
const STRICT_TRANSPORT: Headers = {
  "strict-transport-security": "max-age=31536000",
};

/** A preview is found by nobody who was not told of it. */
const NOT_INDEXED: Headers = { "x-robots-tag": "noindex, nofollow" };

/**
 * What every answer of a host has, errors included. Browsers heed the first on
 * https only, so that a host without it does not say it.
 */
function addedHeaders(
  settings: DispatchServices["settings"],
): Record<HostKind, Headers> {
  const addresses = addressesOf(settings);
  const headersOf = (kind: HostKind): Headers => ({
    ...addresses[kind].protocol === "https:" && STRICT_TRANSPORT,
    ...settings.environment === "preview" && NOT_INDEXED,
  });
  return {
    site: headersOf("site"),
    auth: headersOf("auth"),
    docs_mcp: headersOf("docs_mcp"),
  };
}

async function answer(
  services: DispatchServices,
  request: Request,
  host: HostKind | null,
  bindings: Bindings,
): Promise<Response> {
  const { trace } = bindings;
  try {
    const path = pathOf(request);
    const healthy = services.health(request.method, path);
    if (healthy !== null) {
      trace.route = path;
      return await healthy;
    }
    if (host === null) return misdirected(services, trace);
    const unusable = targetFault(path, queryOf(request.url));
    if (unusable !== null) return refusedTarget(services, trace, unusable);
    const asked = withKnownMethod(request);
    return await services.hosts[host].fetch(asked, bindings);
  } catch (fault) {
    services.log.error("fault", faultFields(trace.requestId, fault));
    const { settings } = services;
    return internalProblem({ settings, requestId: trace.requestId });
  }
}

/**
 * A request as routers can look for it: methods that are made up have one name,
 * since some are names of what every object has.
 */
function withKnownMethod(request: Request): Request {
  const method = methodName(request.method);
  if (method !== "OTHER") return request;
  return new Request(request.url, { method, headers: request.headers });
}

/** Longest path that is looked at; no address of ours has a quarter of it. */
export const PATH_MAX = 2_048;

/**
 * Longest path and query together. What asks to connect an application has the
 * longest: its `state` and addresses may take 8 KiB, percent-encoded.
 */
export const TARGET_MAX = 10_240;

/**
 * Why a target is given to no route: routers read some paths far longer than
 * others, and each parameter takes as long as many characters.
 */
type TargetFault =
  | "path_too_long"
  | "too_long"
  | "too_many_parameters"
  | "undecodable";

const TARGET_PROBLEMS: Readonly<Record<TargetFault, PublicProblem>> = {
  path_too_long: {
    slug: "uri-too-long",
    status: 414,
    detail: `The path must be at most ${PATH_MAX} characters`,
  },
  too_long: {
    slug: "uri-too-long",
    status: 414,
    detail: `Path and query must be at most ${TARGET_MAX} characters together`,
  },
  too_many_parameters: {
    slug: "invalid-input",
    status: 400,
    detail: `The query must have at most ${PARAMETERS_MAX} parameters`,
  },
  undecodable: {
    slug: "not-found",
    status: 404,
    detail: "Cannot find a path that is no percent-encoded UTF-8",
  },
};

function targetFault(path: string, query: string): TargetFault | null {
  if (path.length > PATH_MAX) return "path_too_long";
  if (path.length + query.length > TARGET_MAX) return "too_long";
  if (hasManyParameters(query)) return "too_many_parameters";
  if (!path.includes("%")) return null;
  try {
    decodeURIComponent(path);
    return null;
  } catch {
    return "undecodable";
  }
}

function hasManyParameters(query: string): boolean {
  let at = -1;
  for (let count = 0; count < PARAMETERS_MAX; count++) {
    at = query.indexOf("&", at + 1);
    if (at < 0) return false;
  }
  return true;
}

function refusedTarget(
  { settings }: DispatchServices,
  trace: RequestTrace,
  fault: TargetFault,
): Response {
  trace.route = "unusable target";
  const problem = TARGET_PROBLEMS[fault];
  return publicProblem(problem, { settings, requestId: trace.requestId });
}

/** The sender's address is read from the socket only where it is asked for. */
class Bindings {
  readonly trace: RequestTrace;
  readonly #request: Request;
  readonly #connection: Connection;
  readonly #services: Pick<DispatchServices, "bodies" | "unsent">;

  constructor(
    requestId: string,
    request: Request,
    connection: Connection,
    services: Pick<DispatchServices, "bodies" | "unsent">,
  ) {
    this.trace = { requestId, route: "", grantId: null };
    this.#request = request;
    this.#connection = connection;
    this.#services = services;
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddr.hostname;
  }

  get bodies(): BodyWaits {
    const { bodies, unsent } = this.#services;
    const network = () => unsent.networkOf(this.#origin);
    return {
      ...bodies,
      rooms: () => bodies.rooms(network()),
      turn: (bytes) => bodies.turn(bytes, network()),
    };
  }

  hold(ownBytes: number): void {
    const letGo = this.#services.unsent.hold(this.#origin, ownBytes);
    this.#connection.completed.then(letGo, letGo);
  }

  holdCopy(accountId: string): () => void {
    const letGo = this.#services.unsent.holdCopy(this.#origin, accountId);
    this.#connection.completed.then(letGo, letGo);
    return letGo;
  }

  get #origin(): Origin {
    const { remoteAddress } = this;
    const forwardedFor = this.#request.headers.get("x-forwarded-for");
    return { remoteAddress, forwardedFor };
  }
}

function misdirected(
  services: DispatchServices,
  trace: RequestTrace,
): Response {
  trace.route = "misdirected";
  return publicProblem({
    slug: "misdirected-request",
    status: 421,
    detail: "Cannot answer for this host: Host and request target must name " +
      "one of the service's hosts",
  }, { settings: services.settings, requestId: trace.requestId });
}

/** Ids that are unique over processes and cost next to nothing. */
export function requestIds(processPrefix: string): () => string {
  let count = 0;
  return () => `req_${processPrefix}_${(count++).toString(36)}`;
}
