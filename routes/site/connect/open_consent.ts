import {
  type Consent,
  openAuthorization,
} from "../../../domain/oauth/authorize/open_authorization.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import { sessionHash } from "../../../domain/sessions/session.ts";
import { signedInOf } from "../../middleware/session.ts";
import type { RouteContext } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { isPartnerScope } from "../../scope_texts.ts";

/** A request that is this browser's to answer. */
export interface OpenConsent {
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
export async function openConsent(
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
