/**
 * The steps of the authorization flow. The consent is given by its verbs.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import {
  type ApproveAuthorization,
  approveAuthorization,
} from "../../domain/oauth/authorize/approve_authorization.ts";
import type { Scope } from "../../domain/oauth/grant.ts";
import type { Session } from "../../domain/sessions/session.ts";
import { type Members, type OauthWorld, paramsOf } from "./oauth_world.ts";
import { liveSession } from "./sessions.ts";

/** A verifier, and the challenge it is proof for (RFC 7636). */
export const VERIFIER = "v".repeat(43);
/** The challenge of {@linkcode VERIFIER}. */
export const CHALLENGE = createHash("sha256").update(VERIFIER)
  .digest("base64url");
/** Where the registered test client is sent back to. */
export const REDIRECT_URI = "https://client.example/cb";
/** The session that answers, unless a test says otherwise. */
export const SESSION = "session-of-ada";

/** The parameters of a token response. */
export interface TokenBody {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Registers a client and answers its id. */
export async function register(
  world: OauthWorld,
  members: Record<string, unknown> = {},
): Promise<string> {
  const answer = await postRegistration(world, {
    client_name: "Test Client",
    redirect_uris: [REDIRECT_URI],
    ...members,
  });
  assertEquals(answer.status, 201);
  return (await answer.json()).client_id;
}

/** Posts metadata to the registration endpoint. */
export function postRegistration(
  world: OauthWorld,
  metadata: unknown,
): Promise<Response> {
  return world.ask("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
  });
}

/** An authorization request of the client, with what differs from a good one. */
export function authorizationQuery(
  clientId: string,
  changes: Members = {},
): string {
  return `/oauth/authorize?${
    paramsOf({
      response_type: "code",
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      scope: "account:read bids:read",
      state: "state-1",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...changes,
    })
  }`;
}

/** Starts an authorization and answers the id of its request. */
export async function start(
  world: OauthWorld,
  clientId: string,
  changes: Members = {},
): Promise<string> {
  const answer = await world.ask(authorizationQuery(clientId, changes));
  assertEquals(answer.status, 303);
  const location = answer.headers.get("location") ?? "";
  const prefix = `${world.services.settings.baseUrl}/connect/`;
  assertEquals(location.slice(0, prefix.length), prefix);
  return location.slice(prefix.length);
}

/** What differs in a yes, of its session too. */
export type YesChanges =
  & Partial<ApproveAuthorization>
  & Partial<Pick<Session, "accountId" | "authTimeMs">>;

/** A yes of ada, who has just signed in, with what differs. */
export function yes(
  world: OauthWorld,
  requestId: string,
  { accountId = "acc_ada", authTimeMs, ...changes }: YesChanges = {},
): ApproveAuthorization {
  const nowMs = world.services.clock.now();
  return {
    requestId,
    sessionHash: SESSION,
    session: {
      ...liveSession(accountId),
      authTimeMs: authTimeMs ?? nowMs,
    },
    scopes: ["account:read", "bids:read", "bids:write"] as readonly Scope[],
    mandate: {
      maxBidCents: 5_000,
      dailyCapCents: 9_000,
      validUntilMs: nowMs + 30 * 86_400_000,
    },
    ...changes,
  };
}

/** What is needed to exchange a code. */
export interface Approved {
  clientId: string;
  grantId: string;
  code: string;
  redirectTo: URL;
}

/** Runs the flow up to the code. */
export async function approve(
  world: OauthWorld,
  options: {
    clientId?: string;
    asked?: Members;
    answer?: YesChanges;
  } = {},
): Promise<Approved> {
  const clientId = options.clientId ?? await register(world);
  const requestId = await start(world, clientId, options.asked);
  const answer = yes(world, requestId, options.answer);
  const approved = await approveAuthorization(world.services, answer);
  const redirectTo = new URL(approved.redirectTo);
  const code = redirectTo.searchParams.get("code") ?? "";
  return { clientId, grantId: approved.grantId, code, redirectTo };
}

/** The exchange of a code, with what differs from a good one. */
export function codeForm(
  { clientId, code }: Pick<Approved, "clientId" | "code">,
  changes: Members = {},
): Members {
  return {
    grant_type: "authorization_code",
    code,
    code_verifier: VERIFIER,
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    ...changes,
  };
}

/** A refresh, with what differs from a good one. */
export function refreshForm(
  clientId: string,
  refreshToken: string,
  changes: Members = {},
): Members {
  return {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    ...changes,
  };
}

/** A connected client. */
export interface Connected extends Approved {
  tokens: TokenBody;
}

/** Runs the whole flow. */
export async function connect(
  world: OauthWorld,
  options: Parameters<typeof approve>[1] = {},
): Promise<Connected> {
  const approved = await approve(world, options);
  const redirectUri = options.asked?.redirect_uri ?? REDIRECT_URI;
  const form = codeForm(approved, { redirect_uri: redirectUri });
  const tokens = await tokensOf(await world.post(form));
  return { ...approved, tokens };
}

/** The tokens of a response that has to have them. */
export async function tokensOf(answer: Response): Promise<TokenBody> {
  const body = await answer.json();
  assertEquals(answer.status, 200, JSON.stringify(body));
  return body;
}

/** Asserts an error of the protocol; the answer is never kept. */
export async function assertOauthError(
  answer: Response,
  error: string,
  status = error === "invalid_client" ? 401 : 400,
): Promise<void> {
  const body = await answer.json();
  assertEquals([answer.status, body.error], [status, error]);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(/^[ !#-[\]-~]+$/.test(body.error_description), true);
}

/** The status that the agent API answers to an access token. */
export async function bearerStatus(
  world: OauthWorld,
  accessToken: string,
  path = "/v1/agent/me",
): Promise<number> {
  const answer = await world.ask(path, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  await answer.body?.cancel();
  return answer.status;
}
