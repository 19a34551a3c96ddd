/**
 * Who is signed in: the session cookie in front of the website's own pages.
 * The agent API never reads it.
 *
 * @module
 */
import { isOperator } from "../../domain/accounts/eligibility.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse, Refused } from "../../domain/refusal.ts";
import {
  readSession,
  type SessionServices,
  type SignedIn,
} from "../../domain/sessions/read_session.ts";
import { isFresh } from "../../domain/sessions/session.ts";
import { passedAgain } from "../http/authority.ts";
import { respondEmpty, withCookies } from "../http/respond.ts";
import { asciiOf } from "../http/sendable.ts";
import type { Visitor } from "../pages/viewer.ts";
import { nextPath, signInPath } from "./next_path.ts";
import type { Gate, RouteContext } from "../route_table.ts";
import type { RateLimits } from "./rate_limit.ts";
import type { SignedCookie } from "./signed_cookie.ts";
import { useTurn } from "./use_turn.ts";

/** What sessions are read with. */
export interface SessionParts extends Pick<RateLimits, "limiter"> {
  services: SessionServices & Pick<Services, "settings">;
  /** The signed cookie of a website session (contract §9.7). */
  sessionCookie: SignedCookie;
}

/**
 * A gate: reads the session, if the browser has one, for
 * {@linkcode sessionOf}. It lets everybody through.
 *
 * @throws {Refused} `cookie_repeated`
 */
export function readSessionGate(parts: SessionParts): Gate {
  return passedAgain(reading(parts));
}

function reading(parts: SessionParts): Gate {
  const { services } = parts;
  return async function readSessionGate(context) {
    const sessionId = parts.sessionCookie.read(context.req.raw);
    const signedIn = sessionId === null ? null : await readSession(
      services,
      sessionId,
      (account) => isOperator(account, services.settings),
      (hash) => useTurn(parts, "session", hash),
    );
    context.set("signedIn", signedIn);
    const visitor = visitorOf(signedIn, services);
    context.set("viewer", { visitor, path: context.req.path });
    return null;
  };
}

function visitorOf(
  signedIn: SignedIn | null,
  { settings }: SessionParts["services"],
): Visitor {
  if (signedIn === null) return "signed_out";
  return isOperator(signedIn.account, settings) ? "operator" : "advertiser";
}

/**
 * Session and account of the browser that asks; null when nobody is signed in.
 * Only behind {@linkcode readSessionGate}.
 */
export function sessionOf(context: RouteContext): SignedIn | null {
  const signedIn: SignedIn | null | undefined = context.get("signedIn");
  invariant(signedIn !== undefined, "the session is read before it is asked");
  return signedIn;
}

/**
 * The same where somebody has to be signed in.
 *
 * @throws {Refused} `session_missing`, which a page never sees that stands
 * behind {@linkcode requireSessionFor}
 */
export function signedInOf(context: RouteContext): SignedIn {
  return sessionOf(context) ?? refuse({ code: "session_missing" });
}

/**
 * A gate: sends whoever is not signed in to sign in and back here; from changes,
 * which can't be sent again, back to the page `back`.
 */
export function requireSessionFor(back: string): Gate {
  return passedAgain(function requireSessionFor(context) {
    if (sessionOf(context) !== null) return null;
    const isChange = context.req.method !== "GET";
    return isChange ? toSignIn(context, back) : toSignIn(context);
  });
}

/**
 * A gate for pages that anyone may see, which only say whether somebody is
 * signed in: a session that can't be told is none. Only page views are asked,
 * not the files that belong to them.
 */
export function readVisitorGate(parts: SessionParts): Gate {
  const read = reading(parts);
  return passedAgain(async function readVisitorGate(context) {
    const { headers } = context.req.raw;
    if (!headers.get("accept")?.includes("text/html")) return null;
    try {
      return await read(context);
    } catch (thrown) {
      if (thrown instanceof Refused || thrown instanceof TemporaryFailure) {
        return null;
      }
      throw thrown;
    }
  });
}

/**
 * A gate: sends whoever did not sign in within the last 10 minutes to do it
 * again and back here. To be called by routes too, for some requests only.
 */
export function requireFresh(parts: SessionParts): (
  context: RouteContext,
) => Response | null {
  return function requireFresh(context) {
    const signedIn = sessionOf(context);
    const nowMs = parts.services.clock.now();
    return signedIn !== null && isFresh(signedIn.session, nowMs)
      ? null
      : toSignIn(context);
  };
}

/**
 * 303 to the sign-in page, which leads back: to this page, or for a request
 * that changes something to the page `back`, since it can't be sent again.
 */
export function toSignIn(context: RouteContext, back?: string): Response {
  const { method, url } = context.req.raw;
  // HEAD arrives here as the GET that it stands for.
  const own = method === "GET" ? URL.parse(url) : null;
  const here = own && `${own.pathname}${own.search}`;
  return seeOther(signInPath(nextPath(back ?? here)));
}

/** 303 to a path of our own, never kept. */
export function seeOther(
  path: string,
  cookies: readonly string[] = [],
): Response {
  return withCookies(leadTo(path), cookies);
}

/** 303 to an address that is not ours, never kept. */
export function seeElsewhere(location: string): Response {
  return leadTo(location);
}

function leadTo(location: string): Response {
  return respondEmpty(303, {
    location: asciiOf(location),
    "cache-control": "no-store",
  });
}
