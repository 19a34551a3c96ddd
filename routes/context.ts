import type { Context } from "@hono/hono";
import type { Account } from "../domain/accounts/account.ts";
import type { ActBy } from "../domain/audit/operator_act.ts";
import type { Bearer } from "../domain/oauth/grant.ts";
import type { Services } from "../domain/ports.ts";
import type { RateLimiter, Verdict } from "../domain/rate_limit/limiter.ts";
import type { SignedIn } from "../domain/sessions/read_session.ts";
import type { AnswerContext } from "./errors/answer_context.ts";
import type { BodyWaits } from "./http/body_waits.ts";
import type { Viewer } from "./pages/viewer.ts";

/** What every host's routes are given, made once by `main.ts`. */
export interface RouteServices {
  services: Services;
  limiter: RateLimiter;
  /** Right-most X-Forwarded-For entries that our own proxies wrote. */
  trustedProxyHops: number;
}

/** Hono's view of one request. */
export interface AppEnv {
  Bindings: {
    /** The address of the socket's other end, without the port. */
    remoteAddress: string;
    /** Filled by routes for the one log line of the request. */
    trace: RequestTrace;
    /** How long the request's body is waited for, and where it is counted. */
    bodies: BodyWaits;
    /**
     * Counts a large answer until the client has taken it.
     *
     * @param ownBytes bytes that no other answer has
     * @throws {TemporaryFailure} when too much waits already
     */
    hold(ownBytes: number): void;
    /**
     * Counts a copy of an account's data until the request is over, or for as
     * long as it is read: answers how to count it no more.
     *
     * @throws {TemporaryFailure} while another of the account is read
     */
    holdCopy(accountId: string): () => void;
  };
  Variables: {
    /** The rate-limit headers that every answer to this request carries. */
    rateHeaders: Record<string, string>;
    /** The query of a page's address, once it was asked for a parameter. */
    query: URLSearchParams | undefined;
    /** What every answer repeats of the request, on surfaces that do so. */
    echoHeaders: Record<string, string>;
    /** The token, on routes that need one; checked once `admitted` is. */
    bearer: Bearer;
    /** Counts the copy that is read no more, on routes that answer one. */
    copyRead: (() => void) | undefined;
    /** The widest network of who shows a token. */
    network: string | undefined;
    /** The account whose agent asks, on routes whose price it sets. */
    buyer: Promise<Account | null>;
    /** Gates that are passed again after a body that was waited for. */
    authority: readonly (() => ReturnType<Gate>)[] | undefined;
    /** Lets the request through, while its handler may have begun. */
    admitted: Promise<Response | null> | undefined;
    /** What is done once the request is answered. */
    afterwards: (() => Promise<void>) | undefined;
    /** What its grant's bucket answers, where it was asked ahead. */
    grantDraw: Promise<Verdict> | Verdict | undefined;
    /** Whether its grant's bucket had a token for the request. */
    grantVerdict: Verdict;
    /** Whether a token was granted, on routes that don't wait for it. */
    admission: Promise<boolean>;
    /** Who has the path that this host has not: the end of a sentence. */
    elsewhere: string | undefined;
    /** Who asks on the operator API, once its key was read. */
    operator: ActBy;
    /** Whose browser asks, once the session has been read. */
    signedIn: SignedIn | null;
    /** Who is shown what is answered, once that has been asked. */
    viewer: Viewer;
  };
}

/** A request on its way through a surface. */
export type RouteContext<Path extends string = string> = Context<AppEnv, Path>;

/** What answers a request. It may throw a refusal or a failure. */
export type RouteHandler<Path extends string = string> = (
  context: RouteContext<Path>,
) => Response | Promise<Response>;

/** What a request passes on its way; an answer of its own ends the way. */
export type Gate = (
  context: RouteContext,
) => Response | null | Promise<Response | null>;

/** The headers that every answer to a request carries, whatever it says. */
export function commonHeaders(
  context: Context<AppEnv>,
): Record<string, string> {
  return { ...context.get("echoHeaders"), ...context.get("rateHeaders") };
}

/** What renderers of errors are told of a request. */
export function answerContextOf(
  context: Context<AppEnv>,
  settings: AnswerContext["settings"],
): AnswerContext {
  const { requestId } = context.env.trace;
  const viewer = context.get("viewer") as Viewer | undefined;
  const headers = commonHeaders(context);
  return { settings, requestId, headers, ...viewer && { viewer } };
}

/** What the request log says beyond method and status. */
export interface RequestTrace {
  requestId: string;
  /** The route's pattern, never the path itself. */
  route: string;
  grantId: string | null;
  /** HEAD is answered as GET: routes that take money for a body look here. */
  isHead?: true;
}
