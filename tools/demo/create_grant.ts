import { checkMandateTerms } from "../../domain/mandates/mandate_terms.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";
import { newAccessToken } from "../../domain/oauth/access_token.ts";
import { connectIn, findLastGrant } from "../../domain/oauth/connect_client.ts";
import {
  type Grant,
  type Mandate,
  type Scope,
  SCOPES,
} from "../../domain/oauth/grant.ts";
import { beginLine } from "../../domain/oauth/refresh_line.ts";
import { RESOURCES } from "../../domain/oauth/resource.ts";
import { unmetClient } from "./unmet_client.ts";

/** What a user approved for a client. */
export interface CreateGrant {
  accountId: string;
  clientId: string;
  /** What the client is called; its id when left out. */
  clientName?: string;
  /** In any order; repeats count once. */
  scopes: readonly Scope[];
  /** Required with `bids:write`. */
  mandate: Mandate | null;
}

/** A grant with its first tokens, whose texts are shown only here. */
export interface CreatedGrant {
  grant: Grant;
  /** Of the tokens. */
  lineId: string;
  accessToken: string;
  accessLifetimeMs: number;
  refreshToken: string;
  refreshExpiresAtMs: number;
}

/**
 * Delegates to a client without the account's consent: the client as a
 * registered one without addresses to redirect to, its connection, an access
 * token and a refresh token of a line of its own, in one commit.
 *
 * @throws {Refused} `account_not_found`, or `invalid_input` for no or unknown
 * scopes, `bids:write` without a mandate, or terms out of bounds
 */
export function createGrant(
  services: Services,
  input: CreateGrant,
): Promise<CreatedGrant> {
  const { clock, ids, keys, store } = services;
  const scopes = checkScopes(input.scopes);
  checkMandateGiven(scopes, input.mandate);
  const lineId = ids.next("grant");
  const accessSecret = ids.secret();
  const secrets = { line: ids.secret(), first: ids.secret() };
  return store.transact(async (tx) => {
    const nowMs = clock.now();
    if (input.mandate !== null) checkMandateTerms(input.mandate, nowMs);
    const { accountId, clientId, mandate } = input;
    const account = await tx.accounts.find(accountId);
    if (account === null) refuse({ code: "account_not_found" });
    const last = await findLastGrant(tx, input);
    const isStanding = last?.revokedAtMs === null;
    const named = { id: isStanding ? last.id : lineId, mandate };
    const end = beginLine(named, secrets, keys.currentId, nowMs);
    const line = {
      id: lineId,
      resources: RESOURCES,
      begunAtMs: nowMs,
      refresh: end.line,
    };
    const connected = await connectIn(tx, clock, {
      accountId,
      clientId,
      client: unmetClient(input.clientName ?? clientId),
      scopes,
      mandate,
      line,
    });
    const grant = { ...connected, lastUsedAtMs: nowMs };
    tx.grants.save(grant);
    const extent = { scopes, resources: RESOURCES };
    const issuing = { grant, line };
    const access = newAccessToken(keys, issuing, extent, accessSecret, nowMs);
    if (await tx.clients.find(clientId) === null) {
      tx.clients.save({
        id: clientId,
        name: grant.client.name,
        redirectUris: [],
        createdAtMs: nowMs,
        expiresAtMs: null,
      });
    }
    return {
      grant,
      lineId,
      accessToken: access.text,
      accessLifetimeMs: access.lifetimeMs,
      refreshToken: end.text,
      refreshExpiresAtMs: end.line.endsAtMs,
    };
  });
}

/** The scopes once each, in the order of contract §9.8. */
function checkScopes(wanted: readonly string[]): Scope[] {
  const known: readonly string[] = SCOPES;
  const unknown = wanted.find((scope) => !known.includes(scope));
  if (unknown !== undefined) {
    refuse({
      code: "invalid_input",
      message: `Cannot create the grant: the scope "${unknown}" is not known`,
    });
  }
  if (wanted.length === 0) {
    refuse({
      code: "invalid_input",
      message: "Cannot create the grant: it needs one scope at least",
    });
  }
  return SCOPES.filter((scope) => wanted.includes(scope));
}

function checkMandateGiven(
  scopes: readonly Scope[],
  mandate: Mandate | null,
): void {
  if (mandate !== null || !scopes.includes("bids:write")) return;
  refuse({
    code: "invalid_input",
    message: "Cannot create the grant: bids:write needs a spending mandate",
  });
}
