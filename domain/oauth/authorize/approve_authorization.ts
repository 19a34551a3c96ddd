import { untilDecided } from "../../until_decided.ts";
import { sha256Hex } from "../../sha256.ts";
import type { Account } from "../../accounts/account.ts";
import { requireAuthority } from "../../sessions/authority.ts";
import { checkMandateTerms } from "../../mandates/mandate_terms.ts";
import type { Services, Transaction } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { isFresh, type Session } from "../../sessions/session.ts";
import {
  type AskedGrant,
  AUTHORIZATION_CODE_MS,
  type AuthorizationRequest,
  CODE_KEPT_MS,
} from "../authorization_request.ts";
import { responseAddress } from "../authorization_response.ts";
import {
  type ConnectionQuota,
  readConnectionQuota,
  useConnectionQuota,
} from "../connection_quota.ts";
import {
  FRESH_SCOPES,
  type Grant,
  type Mandate,
  type Scope,
} from "../grant.ts";
import { redirectHost } from "../redirect_uri.ts";
import { AUTHORIZATION_CODE_PREFIX } from "../tokens.ts";
import { findRequest, type OpenAuthorization } from "./open_authorization.ts";

/** A user's yes. */
export interface ApproveAuthorization extends OpenAuthorization {
  /** Of the browser that says it, which has to go on until it is said. */
  session: Pick<Session, "hash" | "accountId" | "generation" | "authTimeMs">;
  /** What the user ticked; what was not asked for is ignored. */
  scopes: readonly Scope[];
  /** Required with `bids:write`, left aside without. */
  mandate: Mandate | null;
}

/** Where the browser is sent, and what it gave. */
export interface ApprovedAuthorization {
  redirectTo: string;
  grantId: string;
}

/**
 * Answers a request with the user's yes, once: the grant and its code in one
 * commit that removes the request. It never widens an earlier grant.
 *
 * @throws {Refused} `invalid_input` for nothing ticked and for terms of the
 * mandate, `sign_in_stale` when the sign-in is too old for what is ticked,
 * `partner_required` for affiliate scopes of another account,
 * `session_missing` when the browser was signed out meanwhile,
 * `connections_full`, `account_not_found`, and as openAuthorization() does
 * @throws {Contention} when the account connects others all the time
 */
export async function approveAuthorization(
  services: Services,
  input: ApproveAuthorization,
): Promise<ApprovedAuthorization> {
  return await untilDecided("connect the application", async () => {
    const quota = await readConnectionQuota(
      services,
      input.session.accountId,
    );
    return await approveOnce(services, input, quota);
  });
}

/** Null when the account has connected another one since the quota was read. */
function approveOnce(
  services: Services,
  input: ApproveAuthorization,
  quota: ConnectionQuota,
): Promise<ApprovedAuthorization | null> {
  const { clock, ids, settings, store } = services;
  const grantId = ids.next("grant");
  const code = `${AUTHORIZATION_CODE_PREFIX}${ids.secret()}`;
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    const request = await findRequest(tx, input);
    await requireAuthority(tx, input);
    const [account, registered] = await tx.getMany([
      tx.accounts.ref(input.session.accountId),
      tx.clients.ref(request.client.id),
    ]);
    const { asked } = request.outcome;
    if (account === null) refuse({ code: "account_not_found" });
    const approved = check(input, asked, account, nowMs);
    if (!await useConnectionQuota(tx, account, quota)) return null;
    const grant = grantOf(request, asked, approved, grantId, input, nowMs);
    tx.grants.save(grant);
    saveCode(tx, request, asked, grant, code);
    tx.authorizationRequests.remove(request);
    if (registered !== null && registered.expiresAtMs !== null) {
      // A client that somebody uses stays.
      tx.clients.save({ ...registered, expiresAtMs: null });
    }
    return {
      redirectTo: responseAddress(settings, request, { code }),
      grantId,
    };
  });
}

type Approved = Pick<Grant, "scopes" | "mandate">;

function check(
  input: ApproveAuthorization,
  asked: AskedGrant,
  account: Account,
  nowMs: number,
): Approved {
  const scopes = asked.scopes.filter((scope) => input.scopes.includes(scope));
  if (scopes.length === 0) {
    invalid("at least one of the permissions asked for must be ticked");
  }
  const affiliate = scopes.some((scope) => scope.startsWith("affiliate:"));
  if (affiliate && !account.partner) refuse({ code: "partner_required" });
  if (
    !isFresh(input.session, nowMs) &&
    scopes.some((scope) => FRESH_SCOPES.includes(scope))
  ) {
    refuse({ code: "sign_in_stale" });
  }
  return { scopes, mandate: mandateOf(scopes, input.mandate, nowMs) };
}

/** Spending rights come of `bids:write` and explicit terms, and of no less. */
function mandateOf(
  scopes: readonly Scope[],
  mandate: Mandate | null,
  nowMs: number,
): Mandate | null {
  if (!scopes.includes("bids:write")) return null;
  if (mandate === null) invalid("bids:write needs a spending mandate");
  checkMandateTerms(mandate, nowMs);
  return mandate;
}

function grantOf(
  { client, redirectUri }: AuthorizationRequest,
  asked: AskedGrant,
  approved: Approved,
  id: string,
  { session: { accountId } }: ApproveAuthorization,
  nowMs: number,
): Grant {
  return {
    id,
    accountId,
    clientId: client.id,
    client: {
      name: client.name,
      host: client.host,
      redirectHost: redirectHost(redirectUri),
      authentication: client.authentication,
    },
    ...approved,
    resources: asked.resources,
    refresh: null,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}

function saveCode(
  tx: Transaction,
  { redirectUri }: AuthorizationRequest,
  { codeChallenge }: AskedGrant,
  grant: Grant,
  code: string,
): void {
  tx.authorizationCodes.save({
    hash: sha256Hex(code),
    grantId: grant.id,
    clientId: grant.clientId,
    redirectUri,
    codeChallenge,
    createdAtMs: grant.createdAtMs,
    goodUntilMs: grant.createdAtMs + AUTHORIZATION_CODE_MS,
    expiresAtMs: grant.createdAtMs + CODE_KEPT_MS,
  });
}

function invalid(wanted: string): never {
  refuse({
    code: "invalid_input",
    message: `Cannot connect the application: ${wanted}`,
  });
}
