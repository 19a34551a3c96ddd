/**
 * Routes over Hono: one handler a path, so that a known path with another
 * method is 405 with `Allow`, HEAD answers as GET, and whatever a route throws
 * is answered in the shape of its surface.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { TemporaryFailure } from "../domain/failure.ts";
import { invariant } from "../domain/invariant.ts";
import type { Log, Settings } from "../domain/ports.ts";
import { refuse, Refused } from "../domain/refusal.ts";
import { answerEarly, finishAdmission, onceAdmitted } from "./admission.ts";
import { TurnedAway } from "./http/authority.ts";
import {
  answerContextOf,
  type AppEnv,
  commonHeaders,
  type Gate,
  type RouteContext,
  type RouteHandler,
} from "./context.ts";
import { PAGE_ANSWERS } from "./errors/page_surface.tsx";
import { fetchFrom } from "./head_requests.ts";
import { isPreflight, openToScripts, preflightAnswer } from "./http/cors.ts";
import {
  isSeen,
  isUncalledFor,
  uncalledForAnswer,
} from "./http/other_pages.ts";
import { LargeAnswer, respondEmpty } from "./http/respond.ts";
import {
  internalProblem,
  unavailableProblem,
} from "./errors/public_problem.ts";
import { faultFields } from "./fault.ts";
import { pathOf } from "./hosts.ts";

import type { SurfaceAnswers } from "./errors/surface_answers.ts";

export type { Gate, RouteContext, RouteHandler } from "./context.ts";
export type { SurfaceAnswers } from "./errors/surface_answers.ts";

/** The methods that routes are written for. HEAD is answered as GET. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One operation. */
export interface Route {
  method: Method;
  /** Hono's pattern, such as `/api/v1/spotlights/:day`. */
  path: string;
  handle: RouteHandler;
  /**
   * It begins while the request's token and bucket are asked: until they have
   * answered it only reads.
   */
  isEarly?: true;
  /** It answers from a text or file that is made once, and costs no visit. */
  isFixed?: true;
  /**
   * Scripts of any page may ask for it; its own answers let them read.
   * Decision 0222 says why.
   */
  openToScripts?: true;
}

/** Writes down a route with the parameters of its path known to the types. */
export function route<Path extends string>(
  method: Method,
  path: Path,
  handle: RouteHandler<Path>,
): Route {
  return { method, path, handle: handle as unknown as RouteHandler };
}

/** A document that scripts of any page may ask for, with any header. */
export function openRoute(document: Route): Route {
  return { ...document, openToScripts: true };
}

/** A part of a host with rules and error shapes of its own. */
export interface Surface {
  /** Where its paths begin, such as `/api/v1`; empty for the rest of a host. */
  prefix: string;
  routes: readonly Route[];
  /** Passed by every request under the prefix, known path or not. */
  enter?: readonly Gate[];
  /** Passed once path and method are known to exist. */
  proceed?: readonly Gate[];
  /** Scripts of any page may ask, and read refusals and errors too. */
  openToScripts?: true;
  /**
   * It costs nobody a token that something else would need, so that pages of
   * other sites may show what it has, such as pictures.
   */
  free?: true;
  /** What it has, told to who asks for what it has not: the end of a sentence. */
  has?: string;
  answers: SurfaceAnswers;
}

/** Answers the requests of one host. */
export interface HostApp {
  fetch(
    request: Request,
    env: AppEnv["Bindings"],
  ): Response | Promise<Response>;
}

/** A host that says which operations it has. */
export interface RoutedHost extends HostApp {
  routes: readonly Route[];
}

/** What a table needs of the service. */
export interface TableServices {
  settings: Pick<Settings, "baseUrl" | "authUrl">;
  log: Log;
  /** Aborted when the service stops: nothing is begun any more. */
  stopping?: AbortSignal;
  /** Who has a path that this host has not: the end of a sentence. */
  elsewhere?: (path: string) => string | undefined;
}

/**
 * The service comes to its end; another process, or the next, answers. Decision
 * 0115 says why this comes before any gate.
 */
class Stopping extends TemporaryFailure {
  override readonly name = "Stopping";
  override readonly isOrdinary = true;
}

interface Entry {
  surface: Surface;
  pattern: string;
  handlers: ReadonlyMap<string, Pick<Route, "handle" | "isEarly">>;
  /** The methods of the path; empty when the path is unknown. */
  allow: readonly string[];
  /** Whether a browser is told that scripts of any page may ask. */
  answersPreflight: boolean;
}

/** Builds a host from its surfaces. One of them has to have no prefix. */
export function routeTable(
  services: TableServices,
  surfaces: readonly Surface[],
): RoutedHost {
  const byLength = surfaces.toSorted((a, b) =>
    b.prefix.length - a.prefix.length
  );
  const rest = byLength.at(-1);
  invariant(rest?.prefix === "", "a host has a surface without a prefix");
  const app = new Hono<AppEnv>();
  const entries = surfaces.flatMap(entriesOf);
  for (const entry of entries.toSorted(compareEntries)) {
    app.all(entry.pattern, (context) => answer(services, entry, context));
  }
  const unknown = new Map(byLength.map((surface) => [surface, {
    surface,
    pattern: `${surface.prefix}/*`,
    handlers: new Map(),
    allow: [],
    answersPreflight: surface.openToScripts === true,
  }]));
  const slashless = withoutSlash(entries);
  app.notFound((context) => {
    const surface = byLength.find((each) => covers(each, context.req.path));
    const entry = slashless(context) ?? unknown.get(surface ?? rest);
    invariant(entry, "every surface has an answer to unknown paths");
    context.set("elsewhere", services.elsewhere?.(context.req.path));
    return answer(services, entry, context);
  });
  return {
    fetch: (request, env) => fetchFrom(app, request, env),
    routes: surfaces.flatMap(({ routes }) => routes),
  };
}

function covers(surface: Surface, path: string): boolean {
  const { prefix } = surface;
  return path === prefix || path.startsWith(`${prefix}/`);
}

function entriesOf(surface: Surface): Entry[] {
  const byPath = Map.groupBy(surface.routes, (each) => each.path);
  return [...byPath].map(([pattern, routes]) => {
    invariant(covers(surface, pattern), `${pattern} is outside its surface`);
    const handlers = new Map(routes.map((r) => [r.method, r]));
    invariant(handlers.size === routes.length, `${pattern} has a method twice`);
    const allow = routes.flatMap(({ method }) =>
      method === "GET" ? ["GET", "HEAD"] : [method]
    );
    const answersPreflight = surface.openToScripts === true ||
      routes.some((each) => each.openToScripts);
    return { surface, pattern, handlers, allow, answersPreflight };
  });
}

/**
 * Finds what a path with a slash too many meant: 308 to the path without it,
 * after the gates of its surface. GET and HEAD alone: a body that would be sent
 * twice is better told that its address is wrong. Decision 0224 says why.
 */
function withoutSlash(
  entries: readonly Entry[],
): (context: RouteContext) => Entry | null {
  const readable = entries.filter(({ handlers }) => handlers.has("GET"))
    .map((entry) => ({ entry, wanted: entry.pattern.split("/") }));
  return function find({ req }) {
    const path = pathOf(req.raw);
    if (req.method !== "GET" || !path.endsWith("/")) return null;
    // In a Location this would name another host.
    if (path.startsWith("//")) return null;
    const bare = path.slice(0, -1);
    // What stands in a Location as it is: no letters beyond ASCII, and no
    // backslash, which browsers read as a slash.
    if (!/^[!-[\]-~]+$/.test(bare)) return null;
    const given = bare.split("/");
    const found = readable.find(({ wanted }) => isOf(wanted, given));
    return found === undefined
      ? null
      : { ...found.entry, handlers: REDIRECTING };
  };
}

/** Whether a path is one of a pattern, both cut at their slashes. */
export function isOf(
  wanted: readonly string[],
  given: readonly string[],
): boolean {
  return given.length === wanted.length &&
    wanted.every((segment, at) =>
      segment.startsWith(":") ? given[at] !== "" : segment === given[at]
    );
}

/** The path is one of ours, so it leads to no other host. */
const REDIRECTING: Entry["handlers"] = new Map([["GET", { handle: redirect }]]);

function redirect(context: RouteContext): Response {
  const { url } = context.req;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const location = pathOf(context.req.raw).slice(0, -1) +
    (/^[!-~]*$/.test(query) ? query : "");
  return respondEmpty(308, { ...commonHeaders(context), location });
}

/** Static segments come before parameters, wherever they were written. */
function compareEntries(a: Entry, b: Entry): number {
  const left = a.pattern.split("/");
  const right = b.pattern.split("/");
  for (const [i, segment] of left.entries()) {
    const difference = rank(segment) - rank(right[i] ?? segment);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(segment: string): number {
  return segment === "*" ? 2 : segment.startsWith(":") ? 1 : 0;
}

/** Answers, in words that scripts of other sites may read where they may ask. */
async function answer(
  services: TableServices,
  entry: Entry,
  context: RouteContext,
): Promise<Response> {
  context.env.trace.route = entry.pattern;
  const { raw } = context.req;
  if (entry.answersPreflight && isPreflight(raw)) {
    return preflightAnswer(entry.allow);
  }
  // Before any gate, so that it costs nothing.
  if (!entry.surface.free && isUncalledFor(raw, entry.answersPreflight)) {
    if (!isSeen(raw)) return uncalledForAnswer();
    const seenBy = answerContextOf(context, services.settings);
    return PAGE_ANSWERS.refused({ code: "origin_not_own" }, seenBy);
  }
  const answered = await answerOf(services, entry, context);
  return entry.surface.openToScripts ? openToScripts(answered) : answered;
}

async function answerOf(
  services: TableServices,
  entry: Entry,
  context: RouteContext,
): Promise<Response> {
  const { surface } = entry;
  try {
    if (services.stopping?.aborted) throw new Stopping("The service stops");
    const answered = await pass(surface.enter, context) ??
      await handled(entry, context);
    if (answered instanceof LargeAnswer) {
      context.env.hold(answered.ownBytes);
    }
    return answered;
  } catch (thrown) {
    if (thrown instanceof TurnedAway) return thrown.answer;
    return answerThrown(services, surface, context, thrown);
  }
}

async function handled(
  entry: Entry,
  context: RouteContext,
): Promise<Response> {
  try {
    return await handledBy(entry, context);
  } finally {
    await context.get("afterwards")?.();
  }
}

async function handledBy(
  entry: Entry,
  context: RouteContext,
): Promise<Response> {
  const { surface, handlers } = entry;
  const found = handlers.get(context.req.method);
  if (found?.isEarly && context.get("admitted") !== undefined) {
    const stopped = await pass(surface.proceed?.map(onceAdmitted), context);
    return stopped ?? await answerEarly(context, found.handle);
  }
  const stopped = await finishAdmission(context);
  if (stopped !== null) return stopped;
  if (found === undefined) refuseUnknown(entry, context);
  return await pass(surface.proceed, context) ?? await found.handle(context);
}

function refuseUnknown(
  { allow, surface: { has } }: Entry,
  context: RouteContext,
): never {
  if (allow.length > 0) refuse({ code: "method_not_allowed", allow });
  const wayOn = has ?? context.get("elsewhere");
  const path = JSON.stringify(context.req.path.slice(0, 200));
  const message = `Cannot find ${path}` +
    (wayOn === undefined ? "" : `: ${wayOn}`);
  refuse({ code: "not_found", message });
}

async function pass(
  gates: readonly Gate[] | undefined,
  context: RouteContext,
): Promise<Response | null> {
  for (const gate of gates ?? []) {
    const stopped = await gate(context);
    if (stopped !== null) return stopped;
  }
  return null;
}

function answerThrown(
  services: TableServices,
  { answers }: Surface,
  context: RouteContext,
  thrown: unknown,
): Response {
  const { requestId } = context.env.trace;
  const answerContext = answerContextOf(context, services.settings);
  try {
    if (thrown instanceof Refused) {
      return answers.refused(thrown.refusal, answerContext);
    }
    if (thrown instanceof TemporaryFailure) {
      if (!thrown.isOrdinary) {
        services.log.error("temporary_failure", faultFields(requestId, thrown));
      }
      const render = answers.unavailable ?? unavailableProblem;
      return render(thrown.retryAfterS, answerContext, thrown);
    }
    throw thrown;
  } catch (fault) {
    services.log.error("fault", faultFields(requestId, fault));
    return (answers.failed ?? internalProblem)(answerContext);
  }
}
