import {
  isClientIdUrl,
  looksLikeUrl,
} from "../../../domain/oauth/clients/client_id_url.ts";
import { findGrantOf } from "../../../domain/oauth/find_grant_of.ts";
import type { IssuedTokens } from "../../../domain/oauth/issue_tokens.ts";
import { refuseOauth } from "../../../domain/oauth/refuse_oauth.ts";
import type { Parameters } from "../../../domain/oauth/parameters.ts";
import { redeemCode } from "../../../domain/oauth/redeem_code.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import {
  parseResources,
  type Resource,
} from "../../../domain/oauth/resource.ts";
import { parseScopes } from "../../../domain/oauth/scope_list.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { answerContextOf } from "../../context.ts";
import { NEVER_KEPT, oauthErrorAnswer } from "../../errors/oauth_error.ts";
import { chargeExchange } from "../../middleware/rate_limit.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { queryOf } from "../../http/query.ts";
import {
  authenticateClient,
  readClient,
  refuseClient,
} from "./authenticate_client.ts";
import { ExchangeTurn } from "./exchange_turn.ts";
import type { OauthParts, TokenRequest } from "./oauth_parts.ts";
import { readForm, required, requireFormType } from "./read_form.ts";
import { revoke } from "./revoke.ts";
import { respondJson } from "../../http/respond.ts";

/** One way to get tokens. */
interface Exchange {
  /** The parameter that holds what is exchanged. */
  proof: "code" | "refresh_token";
  run: (request: TokenRequest, clientId: string) => Promise<IssuedTokens>;
}

const EXCHANGES: ReadonlyMap<string, Exchange> = new Map([
  ["authorization_code", { proof: "code", run: exchangeCode }],
  ["refresh_token", { proof: "refresh_token", run: exchangeRefreshToken }],
]);

/**
 * `POST /oauth/token`. With `grant_type` it gives tokens, whatever else is
 * sent; with `token` alone it ends one (RFC 7009), since both
 * are under one address (contract §9.5, §9.6).
 */
export function tokenRoute(parts: OauthParts): Route {
  return route("POST", "/oauth/token", async (context) => {
    requireFormType(context);
    const { form, turn } = await chargedForm(parts, context);
    const used = context.req.raw.headers.has("authorization");
    if (used) return basicRefused(parts, context);
    if (queryOf(context.req.url) !== "") {
      refuseOauth("invalid_request", "Parameters belong into the body");
    }
    const { services: inTurn, lookUp } = turn;
    const request: TokenRequest = { parts, context, form, inTurn, lookUp };
    const grantType = form.get("grant_type");
    if (grantType !== null) return await exchange(request, grantType);
    if (form.get("token") !== null) return await revoke(request);
    refuseOauth("invalid_request", "grant_type or token is required");
  });
}

/** Reads the form, which costs a token whatever is in it. */
async function chargedForm(
  parts: OauthParts,
  context: RouteContext,
): Promise<{ form: Parameters; turn: ExchangeTurn }> {
  let turn: ExchangeTurn | null = null;
  try {
    const form = await readForm(context);
    turn = new ExchangeTurn(context, parts, form);
    return { form, turn };
  } finally {
    const shown = turn;
    await chargeExchange(
      context,
      parts,
      async () => shown && await shown.lookUp(() => shown.findGrant()),
    );
  }
}

async function exchange(
  request: TokenRequest,
  grantType: string,
): Promise<Response> {
  const wanted = EXCHANGES.get(grantType) ?? refuseOauth(
    "unsupported_grant_type",
    "grant_type must be authorization_code or refresh_token",
  );
  const { parts, context, form, lookUp } = request;
  const { services } = parts;
  const claimed = readClient(form);
  const clientId = claimed.clientId ?? required(form, "client_id");
  const proof = required(form, wanted.proof);
  const grant = await findGrantOf(services, lookUp, clientId, proof);
  if (grant !== null) {
    const { authentication } = grant.client;
    const known = { authentication, isApproved: true };
    await authenticateClient(request, clientId, known, claimed.assertion);
  }
  try {
    const issued = await wanted.run(request, clientId);
    context.env.trace.grantId = issued.grant.id;
    return tokenAnswer(issued);
  } catch (thrown) {
    if (!isInvalidGrant(thrown)) throw thrown;
    if (await lookUp(() => isKnownClient(services, clientId))) throw thrown;
    refuseClient("The client is not known");
  }
}

/**
 * Whether there is or may be such a client. An address is believed, since
 * fetching it would tell nothing about a token that is wrong anyway.
 */
async function isKnownClient(
  { store, settings }: Services,
  clientId: string,
): Promise<boolean> {
  if (looksLikeUrl(clientId)) return isClientIdUrl(settings, clientId);
  return await store.clients.find(clientId) !== null;
}

function exchangeCode(
  { parts, form, inTurn }: TokenRequest,
  clientId: string,
): Promise<IssuedTokens> {
  const input = {
    code: required(form, "code"),
    clientId,
    redirectUri: form.get("redirect_uri"),
    codeVerifier: required(form, "code_verifier"),
    resources: resourcesOf(parts, form),
  };
  return redeemCode(inTurn, input, parts.promises);
}

function exchangeRefreshToken(
  { parts, form, inTurn }: TokenRequest,
  clientId: string,
): Promise<IssuedTokens> {
  const scope = form.get("scope");
  const scopes = scope === null ? null : parseScopes(scope);
  if (scope !== null && scopes === null) {
    refuseOauth("invalid_scope", "A scope is not known");
  }
  const input = {
    refreshToken: required(form, "refresh_token"),
    clientId,
    scopes,
    resources: resourcesOf(parts, form),
  };
  return refreshTokens(inTurn, input, parts.untold);
}

function resourcesOf(
  { services }: OauthParts,
  form: Parameters,
): readonly Resource[] | null {
  const named = form.all("resource");
  if (named.length === 0) return null;
  return parseResources(services.settings, named) ??
    refuseOauth("invalid_target", "A resource is not known");
}

function tokenAnswer(issued: IssuedTokens): Response {
  const body = {
    access_token: issued.accessToken,
    token_type: "Bearer",
    expires_in: Math.floor(issued.accessLifetimeMs / 1_000),
    refresh_token: issued.refreshToken,
    scope: issued.scopes.join(" "),
  };
  return respondJson(body, { headers: NEVER_KEPT });
}

/**
 * Refuses Basic authentication. Only a client that sent `Authorization` is
 * given a challenge (RFC 6749 §5.2).
 */
function basicRefused(
  { services }: OauthParts,
  context: RouteContext,
): Response {
  return oauthErrorAnswer({
    status: 401,
    error: "invalid_client",
    description: "Clients have no secret: send client_id in the body",
    headers: { "www-authenticate": 'Basic realm="Spotlight"' },
  }, answerContextOf(context, services.settings));
}

function isInvalidGrant(thrown: unknown): boolean {
  return thrown instanceof Refused && thrown.refusal.code === "oauth_error" &&
    thrown.refusal.error === "invalid_grant";
}
