/**
 * What a person changes of a connected agent without its asking.
 *
 * @module
 */
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import { type Scope, SCOPES } from "../../../domain/oauth/grant.ts";
import { isOver } from "../../../domain/oauth/grant_state.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import { refuseUnknown } from "../../../domain/oauth/revoke_grant.ts";
import { listSpenders } from "../../../domain/oauth/list_spenders.ts";
import { grantable } from "../../../domain/oauth/withheld_scopes.ts";
import { PAGES } from "../../../domain/pages.ts";
import { isFresh } from "../../../domain/sessions/session.ts";
import { toSignIn } from "../../middleware/session.ts";
import { needsFreshSignIn } from "../../scope_texts.ts";
import {
  CONSENT_LISTS,
  type ConsentDraft,
  type ConsentErrors,
  firstDraft,
  mandateDays,
  readConsentForm,
} from "../connect/consent_form.ts";
import { consentSeals, type SealedFor } from "../connect/consent_seal.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";
import { sayDone } from "../pages/done_note.ts";
import { changePath } from "./agent_card.tsx";
import { ChangePage } from "./change_page.tsx";

/** Shows what an agent may do, as a form. */
export async function showChange(request: PageRequest): Promise<Response> {
  const grant = await findOwn(request);
  const seals = consentSeals(request.services.keys);
  const sealed = request.query("draft") ?? "";
  const draft = seals.open(ownerOf(request, grant), sealed);
  return await show(request, grant, { draft, errors: {} });
}

/** Changes it; leads to a sign-in first where what is ticked takes one. */
export async function change(request: PageRequest): Promise<Response> {
  const { services, context, signedIn: { session } } = request;
  const form = await request.form(CONSENT_LISTS);
  const grant = await findOwn(request);
  const nowMs = services.clock.now();
  const reading = readConsentForm(form, offeredOf(request), nowMs);
  const { draft } = reading;
  if (!reading.ok) {
    return await show(request, grant, { draft, errors: reading.errors });
  }
  if (needsFreshSignIn(draft.scopes) && !isFresh(session, nowMs)) {
    const seals = consentSeals(services.keys);
    const sealed = seals.seal(ownerOf(request, grant), draft);
    return toSignIn(context, `${changePath(grant.id)}?draft=${sealed}`);
  }
  const { scopes } = draft;
  const { mandate } = reading;
  const grantId = grant.id;
  await changeConnection(services, { grantId, session, scopes, mandate });
  return sayDone(request, { path: PAGES.agents, done: "changed" });
}

/** The page; 400 when the form on it was faulty. */
async function show(
  request: PageRequest,
  grant: Grant,
  shown: { draft: ConsentDraft | null; errors: ConsentErrors },
): Promise<Response> {
  const { services, accountId } = request;
  const nowMs = services.clock.now();
  const { id: besides, scopes, mandate } = grant;
  const html = (
    <ChangePage
      grantId={grant.id}
      name={grant.client.name}
      offered={offeredOf(request)}
      draft={shown.draft ?? firstDraft(scopes, mandate)}
      errors={shown.errors}
      resumed={shown.draft !== null}
      needsSignIn={!isFresh(request.signedIn.session, nowMs)}
      spenders={await listSpenders(services, { accountId, besides })}
      days={mandateDays(nowMs)}
    />
  );
  const faulty = Object.keys(shown.errors).length > 0;
  return request.show(html, { status: faulty ? 400 : 200 });
}

/** One that is over, or another account's, is as good as unknown: 404. */
async function findOwn(
  { services, accountId, param }: PageRequest,
): Promise<Grant> {
  const grantId = param("grant");
  const grant = await services.store.grants.find(grantId);
  const isOwn = grant?.accountId === accountId;
  if (!isOwn || isOver(grant, services.clock.now())) refuseUnknown(grantId);
  return grant;
}

function offeredOf({ account, services }: PageRequest): readonly Scope[] {
  return grantable(SCOPES, account, services.settings);
}

function ownerOf({ signedIn }: PageRequest, { id }: Grant): SealedFor {
  return { requestId: id, bindingId: signedIn.session.bindingId };
}
