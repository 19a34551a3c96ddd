/**
 * Grants of one client that stand beside each other: each consent made one of
 * its own once, and a release of that time may still run beside this one.
 * Decision 0041 says what becomes of them.
 *
 * @module
 */
import { dayOf } from "../day.ts";
import type { Clock, Store, Transaction } from "../ports.ts";
import { endCallbackOf } from "./ended_callback.ts";
import type { Grant, Line } from "./grant.ts";
import { isOver } from "./grant_state.ts";
import { withLines, withMoreLines } from "./lines.ts";

/** Grants of an account that are read; more than are kept of it. */
const LISTED_MAX = 1_000;

interface MergeServices {
  clock: Clock;
  store: Pick<Store, "transact" | "listGrants" | "connections">;
}

/** Whose grants, and of which client; of all of them when none is named. */
interface MergeConnections {
  accountId: string;
  clientId?: string;
}

/**
 * Leaves one grant of each client that is not over. It goes on with the lines
 * of all of them, with what the user allowed last, and with what all of them
 * used of today. It may be repeated, and writes nothing when all is done.
 */
export async function mergeConnections(
  services: MergeServices,
  { accountId, clientId }: MergeConnections,
): Promise<void> {
  const { clock, store } = services;
  const all = await store.listGrants(accountId, { limit: LISTED_MAX });
  const nowMs = clock.now();
  const clients = Map.groupBy(
    all.filter((grant) =>
      clientId === undefined || grant.clientId === clientId
    ),
    (grant) => grant.clientId,
  );
  for (const same of clients.values()) {
    await mergeSame(services, {
      newestLast: same.toSorted((a, b) => allowedAt(a) - allowedAt(b)),
      isStanding: (grant) => !isOver(grant, nowMs),
    });
  }
}

/** All grants of one client, and which of them are not over. */
interface SameClient {
  newestLast: readonly Grant[];
  isStanding: (grant: Grant) => boolean;
}

/** When its user allowed what a grant allows. */
function allowedAt({ allowedAtMs, createdAtMs }: Grant): number {
  return allowedAtMs ?? createdAtMs;
}

/**
 * Into that which others were merged into before, or else the newest. Where all
 * are over, the newest tells the next consent what was used of the day.
 */
async function mergeSame(
  services: MergeServices,
  { newestLast, isStanding }: SameClient,
): Promise<void> {
  const { store } = services;
  const standing = newestLast.filter(isStanding);
  const newest = standing.at(-1) ?? newestLast.at(-1);
  if (newest === undefined) return;
  const { accountId, clientId } = newest;
  const connection = await store.connections.find(accountId, clientId);
  const isKept = ({ id }: Grant) => id === connection?.grantId;
  const kept = standing.find(isKept) ?? newest;
  const isKnown = isKept(kept) || standing.length === 0 && connection !== null;
  if (!isKnown) {
    await store.transact(async (tx) => {
      const before = await tx.connections.find(accountId, clientId);
      if (before?.grantId !== connection?.grantId) return;
      tx.connections.save({ accountId, clientId, grantId: kept.id });
    });
  }
  for (const { id } of standing) {
    if (id === kept.id) continue;
    await store.transact((tx) => mergeInto(services, tx, kept, id));
  }
}

async function mergeInto(
  { clock }: Pick<MergeServices, "clock">,
  tx: Transaction,
  { id: keptId, accountId, clientId }: Grant,
  otherId: string,
): Promise<void> {
  const [connection, kept, other] = await tx.getMany([
    tx.connections.ref(accountId, clientId),
    tx.grants.ref(keptId),
    tx.grants.ref(otherId),
  ]);
  // Somebody else merges, and has chosen another one to stay.
  if (connection?.grantId !== keptId) return;
  // Read after the grants: no bid under the other one is of a later day.
  const nowMs = clock.now();
  if (kept === null || other === null) return;
  if (isOver(kept, nowMs) || isOver(other, nowMs)) return;
  await addUse(tx, kept, other, nowMs);
  await endCallbackOf(tx, other.id, nowMs);
  tx.grants.save(merged(kept, other, nowMs));
  tx.grants.save({
    ...withLines(other, []),
    mergedInto: kept.id,
    revokedAtMs: nowMs,
    revokedReason: "merged",
  });
}

async function addUse(
  tx: Transaction,
  kept: Grant,
  other: Grant,
  nowMs: number,
): Promise<void> {
  const day = dayOf(nowMs);
  const [own, added] = await tx.getMany([
    tx.mandateUses.ref(kept.id, day),
    tx.mandateUses.ref(other.id, day),
  ]);
  if (added === null) return;
  const usedCents = (own?.usedCents ?? 0) + added.usedCents;
  tx.mandateUses.save({ ...added, grantId: kept.id, usedCents });
}

/** Never more than the user allowed last, for whichever of the lines. */
function merged(kept: Grant, other: Grant, nowMs: number): Grant {
  const last = allowedAt(other) > allowedAt(kept) ? other : kept;
  const named = (line: Line) => ({ namedGrantId: other.id, ...line });
  const { client, scopes, mandate } = last;
  const whole = {
    ...kept,
    client,
    scopes,
    mandate,
    allowedAtMs: allowedAt(last),
    ...totalOf(kept, other),
    lines: [...other.lines.map(named), ...kept.lines],
    lastUsedAtMs: latest(kept.lastUsedAtMs, other.lastUsedAtMs),
    endedTokens: [...kept.endedTokens ?? [], ...other.endedTokens ?? []],
    endedThroughMs: Math.max(
      kept.endedThroughMs ?? 0,
      other.endedThroughMs ?? 0,
    ),
  };
  return withMoreLines(whole, [], nowMs);
}

function totalOf(
  { totalUse: a }: Grant,
  { totalUse: b }: Grant,
): Pick<Grant, "totalUse"> {
  if (a === undefined || b === undefined) {
    const totalUse = a ?? b;
    return totalUse === undefined ? {} : { totalUse };
  }
  return {
    totalUse: {
      usedCents: a.usedCents + b.usedCents,
      sinceMs: Math.min(a.sinceMs, b.sinceMs),
      endsAtMs: Math.max(a.endsAtMs, b.endsAtMs),
    },
  };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? a ?? b : Math.max(a, b);
}
