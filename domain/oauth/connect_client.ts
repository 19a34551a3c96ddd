/**
 * The one connection of a client to an account: each consent changes it instead
 * of making another. Decision 0041 says why.
 *
 * @module
 */
import { dayOf } from "../day.ts";
import { totalUseUnder } from "../mandates/total_use.ts";
import type { Clock, Transaction } from "../ports.ts";
import type { Grant, Line, Mandate, Scope } from "./grant.ts";
import { isOver } from "./grant_state.ts";
import { withMoreLines } from "./lines.ts";

/** What a user allows a client. */
export interface Allowed {
  scopes: readonly Scope[];
  mandate: Mandate | null;
}

/** A consent to one more authorization of a client. */
export interface ConnectClient
  extends Allowed, Pick<Grant, "accountId" | "clientId" | "client"> {
  /** Its id becomes the grant's, too, where the client is not connected. */
  line: Line;
}

/**
 * Changes a client's connection to what is allowed now and begins a line under
 * it, or makes it. What was used of today stays used, also if the connection
 * was revoked since: revoking and consenting again is no way around a cap. What
 * had ended stays so: a consent is to the line that it begins, and to those that
 * are good at that moment.
 */
export async function connectIn(
  tx: Transaction,
  clock: Clock,
  input: ConnectClient,
): Promise<Grant> {
  const last = await findLastGrant(tx, input);
  // Read after the grant: no bid under a revoked one is of a later day.
  const nowMs = clock.now();
  const standing = last?.revokedAtMs === null ? last : null;
  const before = standing ?? newGrant(input, last, nowMs);
  const use = last && await tx.mandateUses.find(last.id, dayOf(nowMs));
  if (use !== null && standing === null) {
    tx.mandateUses.save({ ...use, grantId: before.id });
  }
  const { client, line } = input;
  const changed = {
    ...withAllowed(before, input, use?.usedCents ?? 0, nowMs),
    client,
    resources: line.resources,
    // Its lines may outlive a mandate that was brought forward: a later one is
    // none of theirs.
    ...standing !== null && isOver(standing, nowMs) &&
      { lines: [], trustedSinceMs: nowMs },
  };
  const grant = withMoreLines(changed, [line], nowMs);
  tx.grants.save(grant);
  const { id: grantId, accountId, clientId } = grant;
  if (standing === null) tx.connections.save({ accountId, clientId, grantId });
  return grant;
}

/** The grant with what its user allows now; what was used stays used. */
export function withAllowed(
  { totalUse: before, ...grant }: Grant,
  { scopes, mandate }: Allowed,
  usedTodayCents: number,
  nowMs: number,
): Grant {
  const counted = { totalUse: before, usedTodayCents, nowMs };
  const totalUse = totalUseUnder(mandate, counted);
  const changed = { ...grant, scopes, mandate, allowedAtMs: nowMs };
  return totalUse === undefined ? changed : { ...changed, totalUse };
}

/** The grant of a client's last connection, revoked or not; for a commit. */
export async function findLastGrant(
  tx: Transaction,
  { accountId, clientId }: Pick<Grant, "accountId" | "clientId">,
): Promise<Grant | null> {
  const connection = await tx.connections.find(accountId, clientId);
  return connection && await tx.grants.find(connection.grantId);
}

function newGrant(
  { accountId, clientId, client, scopes, mandate, line }: ConnectClient,
  last: Grant | null,
  nowMs: number,
): Grant {
  return {
    ...last?.totalUse && { totalUse: last.totalUse },
    id: line.id,
    accountId,
    clientId,
    client,
    scopes,
    resources: line.resources,
    mandate,
    lines: [],
    refresh: null,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}
