import { untilDecided } from "../../until_decided.ts";
import { sha256Hex } from "../../sha256.ts";
import { requireAuthority } from "../../sessions/authority.ts";
import type { Services } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import {
  AUTHORIZATION_CODE_MS,
  CODE_KEPT_MS,
} from "../authorization_request.ts";
import { responseAddress } from "../authorization_response.ts";
import {
  checkAllowed,
  type ConsentAnswer,
  offeredScopes,
} from "../check_allowed.ts";
import { mailOwner } from "../agent_mail.ts";
import { connectIn, findLastGrant } from "../connect_client.ts";
import {
  type ConnectionQuota,
  readConnectionQuota,
  useConnectionQuota,
} from "../connection_quota.ts";
import { isOver } from "../grant_state.ts";
import { mergeConnections } from "../merge_connections.ts";
import { redirectHost } from "../redirect_uri.ts";
import { AUTHORIZATION_CODE_PREFIX } from "../tokens.ts";
import { findRequest, type OpenAuthorization } from "./open_authorization.ts";

/** A user's yes. */
export interface ApproveAuthorization
  extends OpenAuthorization, ConsentAnswer {}

/** Where the browser is sent, and what it gave. */
export interface ApprovedAuthorization {
  redirectTo: string;
  grantId: string;
}

/**
 * Answers a request with the user's yes, once: the client's connection as it is
 * allowed now, and a code for one more line of it, in one commit that removes
 * the request.
 *
 * @throws {Refused} as checkAllowed() and openAuthorization() do,
 * `session_missing` when the browser was signed out meanwhile,
 * `connections_full`, `account_not_found`
 * @throws {Contention} when the account connects others all the time
 */
export async function approveAuthorization(
  services: Services,
  input: ApproveAuthorization,
): Promise<ApprovedAuthorization> {
  const { accountId } = input.session;
  const request = await services.store.authorizationRequests
    .find(input.requestId);
  if (request !== null) {
    const { client: { id: clientId } } = request;
    await mergeConnections(services, { accountId, clientId });
  }
  return await untilDecided("connect the application", async () => {
    const quota = await readConnectionQuota(services, accountId);
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
  const lineId = ids.next("grant");
  const mailId = ids.next("mail");
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
    const { client, redirectUri } = request;
    const clientId = client.id;
    const named = { accountId: account.id, clientId };
    const last = await findLastGrant(tx, named);
    const standing = last !== null && isOver(last, nowMs) ? null : last;
    const offered = offeredScopes(asked.scopes, standing);
    const approved = checkAllowed(
      input,
      offered,
      { account, settings },
      nowMs,
    );
    const place = { last, isNew: standing === null };
    const owner = await useConnectionQuota(tx, account, quota, place);
    if (owner === null) return null;
    const { resources, codeChallenge } = asked;
    const grant = await connectIn(tx, clock, {
      ...named,
      ...approved,
      client: {
        name: client.name,
        host: client.host,
        redirectHost: redirectHost(redirectUri),
        authentication: client.authentication,
      },
      line: { id: lineId, resources, begunAtMs: nowMs, refresh: null },
    });
    mailOwner(services, tx, owner, { mailId, grant, standing }, nowMs);
    tx.authorizationCodes.save({
      hash: sha256Hex(code),
      grantId: grant.id,
      lineId,
      clientId,
      redirectUri,
      codeChallenge,
      createdAtMs: nowMs,
      goodUntilMs: nowMs + AUTHORIZATION_CODE_MS,
      expiresAtMs: nowMs + CODE_KEPT_MS,
    });
    tx.authorizationRequests.remove(request);
    if (registered !== null && registered.expiresAtMs !== null) {
      // A client that somebody uses stays.
      tx.clients.save({ ...registered, expiresAtMs: null });
    }
    return {
      redirectTo: responseAddress(settings, request, { code }),
      grantId: grant.id,
    };
  });
}
