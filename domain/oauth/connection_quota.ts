/**
 * How many agents an account may have connected. Each has a rate limit of its
 * own, and all of them are read and shown together, so that there is an end to it.
 *
 * @module
 */
import { newestFirst } from "../newest_first.ts";
import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Account } from "../accounts/account.ts";
import type { Grant } from "./grant.ts";
import { isOver } from "./grant_state.ts";

/** Agents of an account that can be in use at the same time. */
export const CONNECTIONS_MAX = 100;
/** Grants of an account that are kept, those included that are over. */
export const GRANTS_KEPT_MAX = 300;

/** Grants that are read; stores of earlier versions may hold more. */
const LISTED_MAX = 1_000;
/** Grants that one consent clears away, beside what else its commit reads. */
const CLEARED_MAX = 5;

/** What no transaction can list: which grants an account has. */
export interface ConnectionQuota {
  /** What the account had consented to by then. */
  consents: number;
  isFull: boolean;
  /** The oldest that are over, where there are more than are kept. */
  outlived: readonly string[];
}

/** Reads which grants an account has, before the commit of a consent. */
export async function readConnectionQuota(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<ConnectionQuota> {
  // First, so that what is connected meanwhile is seen one way or the other.
  const account = await store.accounts.find(accountId);
  const grants = await store.listGrants(accountId, { limit: LISTED_MAX });
  const nowMs = clock.now();
  const over = grants.filter((grant) => isOver(grant, nowMs));
  // The tokens of a line that was merged are found by the grant they name.
  const named = new Set(
    grants.flatMap(({ lines }) => lines.map((line) => line.namedGrantId)),
  );
  const clearable = over.filter(({ id }) => !named.has(id))
    .toSorted(newestFirst);
  const tooMany = Math.max(0, grants.length + 1 - GRANTS_KEPT_MAX);
  return {
    consents: account?.consents ?? 0,
    isFull: grants.filter((grant) =>
      // Those of development, which no person approved, take nobody's place.
      grant.client.redirectHost !== null && !over.includes(grant)
    ).length >= CONNECTIONS_MAX,
    outlived: clearable
      .slice(Math.max(0, clearable.length - Math.min(tooMany, CLEARED_MAX)))
      .map(({ id }) => id),
  };
}

/**
 * Takes a place for the grant of a consent, in the commit that makes or changes
 * it, and clears away what has outlived its use.
 *
 * @param consent the last grant of the client, and whether it, or a new one,
 * takes another place
 * @returns the account as it is saved; null when it has connected another one
 * since it was read
 * @throws {Refused} `connections_full`
 */
export async function useConnectionQuota(
  tx: Transaction,
  account: Account,
  { consents, isFull, outlived }: ConnectionQuota,
  consent: { last: Pick<Grant, "id"> | null; isNew: boolean },
): Promise<Account | null> {
  const { last, isNew } = consent;
  if ((account.consents ?? 0) !== consents) return null;
  if (isNew && isFull) refuse({ code: "connections_full" });
  const counted = { ...account, consents: consents + 1 };
  tx.accounts.save(counted);
  // The client's last grant tells what was used of today, even if revoked.
  const gone = outlived.filter((id) => id !== last?.id);
  await Promise.all(gone.map((id) => clearGrant(tx, id)));
  return counted;
}

/** Whoever makes one that is over good again checks and writes the account. */
async function clearGrant(tx: Transaction, grantId: string): Promise<void> {
  const grant = await tx.peek(tx.grants.ref(grantId));
  if (grant === null) return;
  const { accountId, clientId } = grant;
  const connection = await tx.peek(tx.connections.ref(accountId, clientId));
  // Whatever lists an account's callbacks does so by its grants.
  const callback = await tx.peek(tx.callbacks.ref(grantId));
  if (callback !== null) tx.callbacks.remove(callback);
  tx.grants.remove(grant);
  if (connection?.grantId === grantId) tx.connections.remove(connection);
}
