import { invariant } from "../../invariant.ts";
import type { Services } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import {
  type AskedGrant,
  AUTHORIZATION_REQUEST_MS,
  type AuthorizationRequest,
} from "../authorization_request.ts";
import { responseAddress } from "../authorization_response.ts";
import type { Client } from "../client.ts";
import type { OauthError } from "../oauth_error.ts";
import { type Parameters, readParameters } from "../parameters.ts";
import {
  isSameRedirectUri,
  redirectHost,
  redirectUriProblem,
} from "../redirect_uri.ts";
import { parseResources } from "../resource.ts";
import { DEFAULT_SCOPES, parseScopes } from "../scope_list.ts";
import type { Asked, AuthorizationCheck } from "./check.ts";
import { checkPkce } from "./check_pkce.ts";
import { checkRepeated } from "./check_repeated.ts";
import { checkRequestObject } from "./check_request_object.ts";
import { checkResource } from "./check_resource.ts";
import { checkResponseType } from "./check_response_type.ts";
import { checkScope } from "./check_scope.ts";

/** Longest query of an authorization request, characters. */
const QUERY_MAX = 8 * 1024;

/** Longest `state`, percent-encoded as it is kept and goes back, characters. */
const STATE_MAX = 2_048;

/** Every rule whose breach the client is told, in the order they are checked. */
const CHECKS: readonly AuthorizationCheck[] = [
  checkRepeated,
  checkRequestObject,
  checkResponseType,
  checkPkce,
  checkScope,
  checkResource,
];

/** What an authorization request consists of. */
export interface StartAuthorization {
  /** The query as it came, without the question mark. */
  query: string;
  /** Finds the client; null when nobody knows it. */
  resolveClient: (clientId: string) => Promise<Client | null>;
  /** Counts a request that is to be kept; throws when it may not be. */
  admit: () => Promise<void>;
}

/** An error that the person is told, and may take to the client. */
export interface FaultyAuthorization {
  kind: "faulty";
  description: string;
  /** The client's own address with the error; never logged. */
  redirectTo: string;
  /** Where that leads, as it is shown. */
  host: string;
}

/**
 * Checks an authorization request and keeps a good one for the browser. What is
 * wrong with client or redirect address is told to the person alone. Any other
 * error is told to the person at once, and to the client only if the person
 * goes there: anybody may register a client, and a browser that is sent on by
 * itself would make this host an open redirector (RFC 9700 §4.11.2).
 *
 * Nobody has signed in yet, so little is kept, and only of who may ask: of the
 * client what the consent page and its grant need, and one redirect address.
 *
 * @throws {Refused} `authorization_unusable`
 * @throws whatever `admit` throws
 */
export async function startAuthorization(
  services: Services,
  { query, resolveClient, admit }: StartAuthorization,
): Promise<
  | { kind: "waiting"; request: AuthorizationRequest }
  | FaultyAuthorization
> {
  if (query.length > QUERY_MAX) unusable("its address is too long");
  const parameters = readParameters(query);
  const client = await findClient(parameters, resolveClient);
  const redirectUri = findRedirectUri(parameters, client);
  const { clock, ids, settings, store } = services;
  const state = findState(parameters);
  const error = errorOf({ parameters, settings });
  if (error !== null) {
    const redirectTo = responseAddress(settings, { redirectUri, state }, error);
    const { description } = error;
    const host = redirectHost(redirectUri);
    return { kind: "faulty", description, redirectTo, host };
  }
  const asked = askedOf({ parameters, settings });
  await admit();
  const id = ids.next("areq");
  const request = await store.transact((tx) => {
    const nowMs = clock.now();
    const request: AuthorizationRequest = {
      id,
      client: {
        id: client.id,
        name: client.name,
        host: client.host,
        authentication: client.authentication,
      },
      redirectUri,
      state,
      outcome: { kind: "valid", asked },
      sessionHash: null,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + AUTHORIZATION_REQUEST_MS,
    };
    tx.authorizationRequests.save(request);
    return request;
  });
  return { kind: "waiting", request };
}

async function findClient(
  parameters: Parameters,
  resolveClient: StartAuthorization["resolveClient"],
): Promise<Client> {
  const clientId = single(parameters, "client_id");
  return await resolveClient(clientId) ??
    unusable("the application is not known here");
}

function findRedirectUri(parameters: Parameters, client: Client): string {
  const asked = single(parameters, "redirect_uri");
  const problem = redirectUriProblem(asked);
  if (problem !== null) unusable(`its redirect address ${problem}`);
  const isRegistered = client.redirectUris.some((each) =>
    isSameRedirectUri(each, asked)
  );
  return isRegistered
    ? asked
    : unusable("the application has not registered this redirect address");
}

/** What goes back to the client as it came; null where it says nothing. */
function findState(parameters: Parameters): string | null {
  if (parameters.repeated.has("state")) return null;
  const state = parameters.encoded("state");
  if (state === null || state.length <= STATE_MAX) return state;
  return unusable(`its state is longer than ${STATE_MAX} characters`);
}

function single(parameters: Parameters, name: string): string {
  if (parameters.repeated.has(name)) unusable(`${name} is repeated`);
  return parameters.get(name) ?? unusable(`${name} is missing`);
}

function errorOf(asked: Asked): OauthError | null {
  for (const check of CHECKS) {
    const error = check(asked);
    if (error !== null) return error;
  }
  return null;
}

function askedOf({ parameters, settings }: Asked): AskedGrant {
  const scope = parameters.get("scope");
  const scopes = scope === null ? DEFAULT_SCOPES : parseScopes(scope);
  const resources = parseResources(settings, parameters.all("resource"));
  const codeChallenge = parameters.get("code_challenge");
  invariant(scopes && resources && codeChallenge, "what was checked is good");
  return { scopes, resources, codeChallenge };
}

function unusable(why: string): never {
  refuse({
    code: "authorization_unusable",
    message: `Cannot connect the application: ${why}`,
  });
}
