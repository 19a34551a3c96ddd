import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { approveAuthorization } from "../../../domain/oauth/authorize/approve_authorization.ts";
import { denyAuthorization } from "../../../domain/oauth/authorize/deny_authorization.ts";
import { refuse } from "../../../domain/refusal.ts";
import { isFresh, sessionHash } from "../../../domain/sessions/session.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { limitChanges } from "../../middleware/rate_limit.ts";
import {
  readSessionGate,
  sessionOf,
  signedInOf,
  toSignIn,
} from "../../middleware/session.ts";
import {
  type Gate,
  route,
  type RouteContext,
  type Surface,
} from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { isPartnerScope, needsFreshSignIn } from "../../scope_texts.ts";
import {
  type ConsentDraft,
  type ConsentErrors,
  emptyDraft,
  mandateDays,
  readConsentForm,
} from "./consent_form.ts";
import { ConsentPage } from "./consent_page.tsx";
import {
  type ConsentSeals,
  consentSeals,
  type SealedFor,
} from "./consent_seal.ts";
import { needsPage, wayBack } from "./way_back.tsx";
import {
  type Consent,
  openAuthorization,
} from "../../../domain/oauth/authorize/open_authorization.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";

const PATH = "/connect/:request";

interface ConnectParts extends AdvertiserParts {
  seals: ConsentSeals;
}

/**
 * The consent page. Every authorization shows it: nothing is remembered, since
 * anybody can pretend to be a public client.
 */
export function connectSurface(parts: AdvertiserParts): Surface {
  const all = { ...parts, seals: consentSeals(parts.services.keys) };
  return {
    prefix: "/connect",
    enter: [readSessionGate(parts)],
    proceed: [
      requireOwnOrigin(parts.services.settings.baseUrl),
      signInFirst,
      limitChanges(parts),
    ],
    routes: [
      route("GET", PATH, (context) => show(context, all)),
      route("POST", PATH, (context) => answer(context, all)),
    ],
    answers: PAGE_ANSWERS,
  };
}

/** Leads back to the same request, whatever it was asked with. */
const signInFirst: Gate = function signInFirst(context) {
  return sessionOf(context) === null
    ? toSignIn(context, context.req.path)
    : null;
};

async function show(
  context: RouteContext,
  parts: ConnectParts,
): Promise<Response> {
  const open = await openConsent(context, parts);
  const draft = parts.seals.open(
    ownerOf(open),
    queryParam(context, "draft") ?? "",
  );
  return await page(context, parts, open, { draft, errors: {} });
}

async function answer(
  context: RouteContext,
  parts: ConnectParts,
): Promise<Response> {
  const form = await readForm(context, ["scope"]);
  const open = await openConsent(context, parts);
  if (!parts.seals.isToken(ownerOf(open), form.text("token"))) {
    refuse({ code: "origin_not_own" });
  }
  const decision = form.text("decision");
  const viaPage = form.text("via") === "page";
  if (decision === "deny") {
    const denied = await denyAuthorization(parts.services, open.opened);
    return goBack(context, open, denied.redirectTo, viaPage);
  }
  if (decision !== "allow") {
    const message = "Cannot read the form: it must say allow or deny";
    refuse({ code: "bad_request", message });
  }
  const nowMs = parts.services.clock.now();
  const reading = readConsentForm(form, open.offered, nowMs);
  const { draft } = reading;
  if (!reading.ok) {
    return await page(context, parts, open, { draft, errors: reading.errors });
  }
  const { session, account } = open.signedIn;
  if (needsFreshSignIn(draft.scopes) && !isFresh(session, nowMs)) {
    const sealed = parts.seals.seal(ownerOf(open), draft);
    return toSignIn(context, `${context.req.path}?draft=${sealed}`);
  }
  const { redirectTo } = await approveAuthorization(parts.services, {
    ...open.opened,
    accountId: account.id,
    authTimeMs: session.authTimeMs,
    scopes: draft.scopes,
    mandate: reading.mandate,
  });
  return goBack(context, open, redirectTo, viaPage);
}

function goBack(
  context: RouteContext,
  { consent }: OpenConsent,
  redirectTo: string,
  asked: boolean,
): Response {
  const viaPage = asked || needsPage(consent.redirectOrigin);
  return wayBack(context, { redirectTo, host: consent.redirectHost, viaPage });
}

function ownerOf({ opened, signedIn }: OpenConsent): SealedFor {
  const { bindingId } = signedIn.session;
  return { requestId: opened.requestId, bindingId };
}

/** The page; 400 when the form on it was faulty. */
async function page(
  context: RouteContext,
  { services, seals }: ConnectParts,
  open: OpenConsent,
  shown: { draft: ConsentDraft | null; errors: ConsentErrors },
): Promise<Response> {
  const { consent, offered, signedIn: { account, session } } = open;
  const { errors } = shown;
  const nowMs = services.clock.now();
  const faulty = Object.keys(errors).length > 0;
  const spends = offered.includes("bids:write");
  const html = (
    <ConsentPage
      consent={consent}
      account={{
        email: account.email,
        companyName: account.company?.name ?? null,
      }}
      offered={offered}
      draft={shown.draft ?? emptyDraft(offered)}
      errors={errors}
      token={seals.token(ownerOf(open))}
      resumed={shown.draft !== null && !faulty}
      needsSignIn={needsFreshSignIn(offered) && !isFresh(session, nowMs)}
      liveBids={spends
        ? await listLiveBids(services, { accountId: account.id })
        : []}
      days={mandateDays(nowMs)}
      offersPage={!needsPage(consent.redirectOrigin)}
    />
  );
  return privateAnswer(context, html, {
    status: faulty ? 400 : 200,
    headers: formsLeadTo([consent.redirectOrigin]),
  });
}

/** A request that is this browser's to answer. */
interface OpenConsent {
  signedIn: SignedIn;
  /** For the verbs: the browser is known by its stay, not by one session. */
  opened: { requestId: string; sessionHash: string };
  consent: Consent;
  /** What this account can grant of what is asked for. */
  offered: readonly Scope[];
}

/**
 * Opens the request of the path.
 *
 * @throws {Refused} `authorization_not_found`, `authorization_of_another_browser`
 */
async function openConsent(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<OpenConsent> {
  const signedIn = signedInOf(context);
  const opened = {
    requestId: context.req.param("request") ?? "",
    sessionHash: sessionHash(signedIn.session.bindingId),
  };
  const consent = await openAuthorization(services, opened);
  const { partner } = signedIn.account;
  const offered = consent.scopes.filter((scope) =>
    partner || !isPartnerScope(scope)
  );
  return { signedIn, opened, consent, offered };
}
