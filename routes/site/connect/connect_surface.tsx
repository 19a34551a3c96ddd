import { sha256Hex } from "../../../domain/sha256.ts";
import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { approveAuthorization } from "../../../domain/oauth/authorize/approve_authorization.ts";
import { denyAuthorization } from "../../../domain/oauth/authorize/deny_authorization.ts";
import {
  type Consent,
  openAuthorization,
} from "../../../domain/oauth/authorize/open_authorization.ts";
import { offeredScopes } from "../../../domain/oauth/check_allowed.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { GrantOverview } from "../../../domain/oauth/list_grants.ts";
import { listSpenders } from "../../../domain/oauth/list_spenders.ts";
import {
  readStanding,
  readUsedBefore,
} from "../../../domain/oauth/read_standing.ts";
import { grantable } from "../../../domain/oauth/withheld_scopes.ts";
import { refuse } from "../../../domain/refusal.ts";
import { isFresh } from "../../../domain/sessions/session.ts";
import { passedAgain } from "../../http/authority.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import {
  limitAccount,
  limitNewcomers,
} from "../../middleware/person_limits.ts";
import {
  readSessionGate,
  sessionOf,
  toSignIn,
} from "../../middleware/session.ts";
import type { Gate, Surface } from "../../route_table.ts";
import { needsFreshSignIn } from "../../scope_texts.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { type PageRequest, pageRoutes } from "../pages/advertiser_page.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import {
  CONSENT_LISTS,
  type ConsentDraft,
  type ConsentErrors,
  firstDraft,
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

const PATH = "/connect/:request";

type ConnectRequest = PageRequest<AdvertiserParts & { seals: ConsentSeals }>;

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
      limitAccount(parts),
      limitNewcomers(parts),
    ],
    routes: pageRoutes(all, {
      get: { [PATH]: showRequest },
      post: { [PATH]: answer },
    }),
    answers: PAGE_ANSWERS,
  };
}

/** Leads back to the same request, whatever it was asked with. */
const signInFirst: Gate = passedAgain(function signInFirst(context) {
  return sessionOf(context) === null
    ? toSignIn(context, context.req.path)
    : null;
});

async function showRequest(request: ConnectRequest): Promise<Response> {
  const open = await openConsent(request);
  const sealed = request.query("draft") ?? "";
  const draft = request.seals.open(ownerOf(open), sealed);
  return await showConsent(request, open, { draft, errors: {} });
}

async function answer(request: ConnectRequest): Promise<Response> {
  const { services, seals, context } = request;
  const form = await request.form(CONSENT_LISTS);
  const open = await openConsent(request);
  if (!seals.isToken(ownerOf(open), form.text("token"))) {
    refuse({ code: "origin_not_own" });
  }
  const decision = form.text("decision");
  const viaPage = form.text("via") === "page";
  if (decision === "deny") {
    const denied = await denyAuthorization(services, open.opened);
    return goBack(request, open, denied.redirectTo, viaPage);
  }
  if (decision !== "allow") {
    const message = "Cannot read the form: it must say allow or deny";
    refuse({ code: "bad_request", message });
  }
  const nowMs = services.clock.now();
  const reading = readConsentForm(form, open.offered, nowMs);
  const { draft } = reading;
  if (!reading.ok) {
    const { errors } = reading;
    return await showConsent(request, open, { draft, errors });
  }
  const { session } = request.signedIn;
  if (needsFreshSignIn(draft.scopes) && !isFresh(session, nowMs)) {
    const sealed = seals.seal(ownerOf(open), draft);
    return toSignIn(context, `${context.req.path}?draft=${sealed}`);
  }
  const { redirectTo } = await approveAuthorization(services, {
    ...open.opened,
    session,
    scopes: draft.scopes,
    mandate: reading.mandate,
  });
  return goBack(request, open, redirectTo, viaPage);
}

function goBack(
  request: ConnectRequest,
  { consent }: OpenConsent,
  redirectTo: string,
  asked: boolean,
): Response {
  const viaPage = asked || needsPage(consent.redirectOrigin);
  return wayBack(request, { redirectTo, host: consent.redirectHost, viaPage });
}

function ownerOf({ opened, bindingId }: OpenConsent): SealedFor {
  return { requestId: opened.requestId, bindingId };
}

/** The page; 400 when the form on it was faulty. */
async function showConsent(
  { services, seals, signedIn, account, accountId, show }: ConnectRequest,
  open: OpenConsent,
  shown: { draft: ConsentDraft | null; errors: ConsentErrors },
): Promise<Response> {
  const { consent, offered, standing } = open;
  const { errors } = shown;
  const nowMs = services.clock.now();
  const faulty = Object.keys(errors).length > 0;
  const spends = offered.includes("bids:write");
  const besides = standing?.grant.id ?? null;
  const html = (
    <ConsentPage
      consent={consent}
      account={{
        email: account.email,
        companyName: account.company?.name ?? null,
      }}
      standing={standing}
      offered={offered}
      draft={shown.draft ??
        firstDraft(offered, standing?.grant.mandate ?? null)}
      errors={errors}
      token={seals.token(ownerOf(open))}
      resumed={shown.draft !== null && !faulty}
      needsSignIn={needsFreshSignIn(offered) &&
        !isFresh(signedIn.session, nowMs)}
      hours={services.settings.auctionHours}
      liveBids={spends ? await listLiveBids(services, { accountId }) : []}
      spenders={spends
        ? await listSpenders(services, { accountId, besides })
        : []}
      usedBeforeCents={spends && standing === null
        ? await readUsedBefore(services, {
          accountId,
          clientId: consent.client.id,
        })
        : 0}
      days={mandateDays(nowMs)}
      offersPage={!needsPage(consent.redirectOrigin)}
    />
  );
  return show(html, {
    status: faulty ? 400 : 200,
    headers: formsLeadTo([consent.redirectOrigin]),
  });
}

/** A request that is this browser's to answer. */
interface OpenConsent {
  /** Names the browser's stay, which outlasts a repeated sign-in. */
  bindingId: string;
  /** For the verbs: the browser is known by its stay, not by one session. */
  opened: { requestId: string; sessionHash: string };
  consent: Consent;
  /** The connection that a yes changes; null where it makes one. */
  standing: GrantOverview | null;
  /** What this account can grant of what is asked for and held already. */
  offered: readonly Scope[];
}

/**
 * Opens the request of the path.
 *
 * @throws {Refused} `authorization_not_found`, `authorization_of_another_browser`
 */
async function openConsent(
  { services, signedIn, param }: ConnectRequest,
): Promise<OpenConsent> {
  const { session: { bindingId }, account } = signedIn;
  const { id: accountId } = account;
  const requestId = param("request");
  const opened = { requestId, sessionHash: sha256Hex(bindingId) };
  const consent = await openAuthorization(services, opened);
  const clientId = consent.client.id;
  const standing = await readStanding(services, { accountId, clientId });
  const offered = grantable(
    offeredScopes(consent.scopes, standing?.grant ?? null),
    account,
    services.settings,
  );
  return { bindingId, opened, consent, standing, offered };
}
