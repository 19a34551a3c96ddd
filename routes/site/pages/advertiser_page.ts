import type { Child } from "@hono/hono/jsx";
import type { Account } from "../../../domain/accounts/account.ts";
import { requireOperator } from "../../../domain/accounts/require_operator.ts";
import { invariant } from "../../../domain/invariant.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import { pathOf } from "../../hosts.ts";
import { passedAgain } from "../../http/authority.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { type Form, readForm } from "../../http/form_body.ts";
import { queryParam } from "../../http/query.ts";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { chargeOwnList } from "../../middleware/person_limits.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import {
  readSessionGate,
  requireSessionFor,
  seeOther,
  signedInOf,
} from "../../middleware/session.ts";
import type { Showing } from "../../pages/layout.tsx";
import { type PageInit, privateAnswer } from "../../pages/page_answer.ts";
import {
  type Gate,
  type Route,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { keepForms, keepUntilPasskey, type KeptForm } from "./kept_form.tsx";
import { refuseOthersForm } from "./form_owner.ts";
import { FORM_ANSWER_SCRIPTS } from "./script_routes.ts";

/**
 * A request of somebody who is signed in: what the page is made of, what its
 * address and form say, and the way to answer with a page.
 */
export type PageRequest<Parts = AdvertiserParts> = Parts & {
  context: RouteContext;
  signedIn: SignedIn;
  account: Account;
  accountId: string;
  /** A segment of the path, by its name in the pattern. */
  param(name: string): string;
  query(name: string): string | null;
  /** What was sent; only the lists named may have several values. */
  form(lists?: readonly string[]): Promise<Form>;
  show(page: Child, init?: PageInit): Response;
};

/** Answers a page's request. It may throw a refusal or a failure. */
export type PageHandler<Parts = AdvertiserParts> = (
  request: PageRequest<Parts>,
) => Response | Promise<Response>;

/** What is shown and what is done on a page, by the path of each. */
export interface PageHandlers<Parts = AdvertiserParts> {
  get?: Readonly<Record<string, PageHandler<Parts>>>;
  post?: Readonly<Record<string, PageHandler<Parts>>>;
  /**
   * Of the paths of `get` those that ask others than the store: they would hold
   * their account's turns for as long as these are slow.
   */
  waits?: readonly string[];
  /**
   * Says on the page what was in the way of something done on it; throws on
   * what it does not know.
   */
  explain?(request: PageRequest<Parts>, thrown: unknown): Promise<Response>;
}

/**
 * The routes of a page for who is signed in; what is shown costs a token, and what
 * was shown to somebody else does nothing.
 */
export function pageRoutes<Parts extends Pick<RateLimits, "limiter">>(
  parts: Parts,
  { get = {}, post = {}, waits = [], explain }: PageHandlers<Parts>,
): Route[] {
  const ways = waysBack(Object.keys(get), Object.keys(post));
  const shown = Object.entries({ ...get, ...ways }).map(([path, handle]) =>
    route("GET", path, (context) => {
      const show = () => handle(requestOf(context, parts));
      return chargeOwnList(context, parts, show, !waits.includes(path));
    })
  );
  const done = Object.entries(post).map(([path, handle]) =>
    route("POST", path, async (context) => {
      const request = requestOf(context, parts);
      try {
        await refuseOthersForm(context, request.account);
        return await handle(request);
      } catch (thrown) {
        if (explain === undefined) throw thrown;
        return await explain(request, thrown);
      }
    })
  );
  return [...shown, ...done];
}

/**
 * Where a form is sent, its page is found: who loads the answer again, comes back
 * to it or follows its address from the history is led there.
 */
function waysBack(
  shown: readonly string[],
  done: readonly string[],
): Record<string, (request: Pick<PageRequest, "context">) => Response> {
  const ways = done.filter((path) => !shown.includes(path)).flatMap((path) => {
    const depth = pageAbove(path, shown)?.split("/").length;
    return depth === undefined ? [] : [[path, depth] as const];
  });
  return Object.fromEntries(ways.map(([path, depth]) => [
    path,
    ({ context: { req } }) =>
      seeOther(pathOf(req.raw).split("/", depth).join("/")),
  ]));
}

/** The nearest page above a path, as a pattern; null for none. */
function pageAbove(path: string, shown: readonly string[]): string | null {
  const above = path.slice(0, path.lastIndexOf("/"));
  if (above === "") return null;
  return shown.includes(above) ? above : pageAbove(above, shown);
}

function requestOf<Parts extends object>(
  context: RouteContext,
  parts: Parts,
): PageRequest<Parts> {
  const signedIn = signedInOf(context);
  const formOwner = signedIn.account.id;
  return {
    ...parts,
    context,
    signedIn,
    account: signedIn.account,
    accountId: signedIn.account.id,
    param: (name) => context.req.param(name) ?? "",
    query: (name) => queryParam(context, name),
    form: (lists) => readForm(context, lists),
    show: (page, init) =>
      privateAnswer(context, page, {
        ...init,
        ...answerScripts(context),
        formOwner,
      }),
  };
}

/** A page that answers a form is not asked for by the same form again. */
function answerScripts({ req }: RouteContext): Pick<Showing, "scripts"> {
  return req.method === "POST" ? { scripts: FORM_ANSWER_SCRIPTS } : {};
}

/** A page for who is signed in, with all that is done on it. */
export interface AdvertiserPage extends PageHandlers {
  /** Where it and what belongs to it lie; whoever signs in comes back here. */
  path: string;
  /** Passed by who is signed in. */
  proceed?: readonly Gate[];
  /**
   * Changes take a sign-in of the last 10 minutes, and this is kept of a form
   * through another one; absent where they don't, and for whoever is signed out
   * then leads to sign in and back to the page.
   */
  freshChanges?: KeptForm;
}

/**
 * The surface of a page for who is signed in: a session is asked for, what
 * changes something comes from our own pages, what is shown costs the account a
 * token, and what goes wrong is said by pages.
 */
export function advertiserPage(
  parts: AdvertiserParts,
  { path, proceed = [], freshChanges, ...handlers }: AdvertiserPage,
): Surface {
  const kept = freshChanges === undefined
    ? null
    : keepForms(parts, path, freshChanges);
  return {
    prefix: path,
    enter: [readSessionGate(parts)],
    proceed: [
      requireOwnOrigin(parts.services.settings.baseUrl),
      ...kept === null ? [] : [kept.signedOut],
      requireSessionFor(path),
      ...proceed,
      ...kept === null ? [] : [kept.stale],
    ],
    routes: pageRoutes(parts, handlers),
    answers: PAGE_ANSWERS,
  };
}

/** A page for operators, with all that is done on it. */
export interface OperatorPage extends AdvertiserPage {
  /**
   * Changes take no sign-in of the last minutes, but a passkey of who has one,
   * and this is kept of a form until then. A page on which anything is done has
   * this or `freshChanges`.
   */
  passkeyChanges?: KeptForm;
}

/** The same for operators; for anybody else there is no such page. */
export function operatorPage(
  parts: AdvertiserParts,
  { passkeyChanges, ...page }: OperatorPage,
): Surface {
  const { settings } = parts.services;
  const { path, post, freshChanges = passkeyChanges } = page;
  invariant(
    post === undefined || freshChanges !== undefined,
    `what is done on ${path} asks an operator for the passkey`,
  );
  const operatorsOnly: Gate = passedAgain(function operatorsOnly(context) {
    requireOperator(signedInOf(context).account, settings);
    return null;
  });
  const byPasskey = passkeyChanges === undefined
    ? []
    : [keepUntilPasskey(path, passkeyChanges)];
  return advertiserPage(parts, {
    ...page,
    proceed: [operatorsOnly, ...byPasskey],
  });
}
