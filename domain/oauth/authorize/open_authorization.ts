import type { Services, Transaction } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { AuthorizationRequest } from "../authorization_request.ts";
import type { Scope } from "../grant.ts";
import { isLoopbackRedirectUri, redirectHost } from "../redirect_uri.ts";
import type { Resource } from "../resource.ts";

/** Whose browser opens or answers a request. */
export interface OpenAuthorization {
  /** `areq_…` */
  requestId: string;
  /** What names the signed-in browser, however often it signs in again. */
  sessionHash: string;
}

/** What the user is asked. All text of the client is untrusted. */
export interface Consent {
  requestId: string;
  client: {
    id: string;
    name: string;
    /** The host of its metadata document; null: it only registered itself. */
    host: string | null;
  };
  /** Where the code goes: always shown. */
  redirectHost: string;
  /** The user's own machine, where any program may listen: a warning. */
  redirectsToLoopback: boolean;
  /** Scheme, host and port, for the page's `form-action`. */
  redirectOrigin: string;
  scopes: readonly Scope[];
  resources: readonly Resource[];
  expiresAtMs: number;
}

/**
 * Opens a request in a signed-in browser. The first one is bound to it, so that
 * nobody can be made to answer what another began.
 *
 * @throws {Refused} `authorization_not_found`, `authorization_of_another_browser`
 */
export function openAuthorization(
  services: Services,
  input: OpenAuthorization,
): Promise<Consent> {
  return services.store.transact(async (tx) => {
    const request = await findRequest(tx, input);
    const { sessionHash } = input;
    if (request.sessionHash === null) {
      tx.authorizationRequests.save({ ...request, sessionHash });
    }
    return consentOf(request);
  });
}

/**
 * The request, which has to be the browser's own.
 *
 * @throws {Refused} `authorization_not_found`, `authorization_of_another_browser`
 */
export async function findRequest(
  tx: Transaction,
  { requestId, sessionHash }: OpenAuthorization,
): Promise<AuthorizationRequest> {
  const request = await tx.authorizationRequests.find(requestId);
  if (request === null || request.outcome.kind !== "valid") {
    refuse({ code: "authorization_not_found" });
  }
  if (request.sessionHash !== null && request.sessionHash !== sessionHash) {
    refuse({ code: "authorization_of_another_browser" });
  }
  return request;
}

function consentOf(
  { id, client, redirectUri, expiresAtMs, outcome }: AuthorizationRequest,
): Consent {
  const { asked } = outcome;
  return {
    requestId: id,
    client: { id: client.id, name: client.name, host: client.host },
    redirectHost: redirectHost(redirectUri),
    redirectsToLoopback: isLoopbackRedirectUri(redirectUri),
    redirectOrigin: new URL(redirectUri).origin,
    scopes: asked.scopes,
    resources: asked.resources,
    expiresAtMs,
  };
}
