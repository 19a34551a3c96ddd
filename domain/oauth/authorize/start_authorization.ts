import { invariant } from "../../invariant.ts";
import type { Services } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import {
  AUTHORIZATION_REQUEST_MS,
  type AuthorizationRequest,
} from "../authorization_request.ts";
import type { Client } from "../client.ts";
import { type Parameters, readParameters } from "../parameters.ts";
import { isAllowedRedirectUri, isSameRedirectUri } from "../redirect_uri.ts";
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
}

/**
 * Checks an authorization request and keeps it for the browser. What is wrong
 * with client or redirect address is told to the person alone; any other error
 * is kept too, since nobody is sent anywhere before they have signed in
 * (OAuth 2.1 §7.12.2).
 *
 * @throws {Refused} `authorization_unusable`
 */
export async function startAuthorization(
  services: Services,
  { query, resolveClient }: StartAuthorization,
): Promise<AuthorizationRequest> {
  if (query.length > QUERY_MAX) unusable("its address is too long");
  const parameters = readParameters(query);
  const client = await findClient(parameters, resolveClient);
  const redirectUri = findRedirectUri(parameters, client);
  const { clock, ids, settings, store } = services;
  const id = ids.next("areq");
  return await store.transact((tx) => {
    const nowMs = clock.now();
    const request: AuthorizationRequest = {
      id,
      client,
      redirectUri,
      state: parameters.repeated.has("state")
        ? null
        : parameters.encoded("state"),
      outcome: outcomeOf({ parameters, settings }),
      sessionHash: null,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + AUTHORIZATION_REQUEST_MS,
    };
    tx.authorizationRequests.save(request);
    return request;
  });
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
  const registered = client.redirectUris.some((each) =>
    isSameRedirectUri(each, asked)
  );
  return registered && isAllowedRedirectUri(asked)
    ? asked
    : unusable("the application has not registered this redirect address");
}

function single(parameters: Parameters, name: string): string {
  if (parameters.repeated.has(name)) unusable(`${name} is repeated`);
  return parameters.get(name) ?? unusable(`${name} is missing`);
}

function outcomeOf(asked: Asked): AuthorizationRequest["outcome"] {
  for (const check of CHECKS) {
    const error = check(asked);
    if (error !== null) return { kind: "error", ...error };
  }
  const { parameters, settings } = asked;
  const scope = parameters.get("scope");
  const scopes = scope === null ? DEFAULT_SCOPES : parseScopes(scope);
  const resources = parseResources(settings, parameters.all("resource"));
  const codeChallenge = parameters.get("code_challenge");
  invariant(scopes && resources && codeChallenge, "what was checked is good");
  return { kind: "valid", asked: { scopes, resources, codeChallenge } };
}

function unusable(why: string): never {
  refuse({
    code: "authorization_unusable",
    message: `Cannot connect the application: ${why}`,
  });
}
