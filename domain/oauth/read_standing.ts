import { dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import type { Connection } from "./grant.ts";
import { isOver } from "./grant_state.ts";
import { type GrantOverview, overviewsOf } from "./list_grants.ts";
import { mergeConnections } from "./merge_connections.ts";

/**
 * The connection that a consent to a client would change, with what was used of
 * it; null where it would make one.
 */
export async function readStanding(
  services: Pick<Services, "clock" | "store">,
  named: Pick<Connection, "accountId" | "clientId">,
): Promise<GrantOverview | null> {
  await mergeConnections(services, named);
  const { store, clock } = services;
  const { accountId, clientId } = named;
  const connection = await store.connections.find(accountId, clientId);
  const grant = connection && await store.grants.find(connection.grantId);
  if (grant === null || isOver(grant, clock.now())) return null;
  const [overview] = await overviewsOf(services, [grant]);
  return overview ?? null;
}

/**
 * What a client that is connected no more has used of its daily cap on the
 * present UTC day, cents: a new consent goes on from there (`connectIn()`).
 */
export async function readUsedBefore(
  { store, clock }: Pick<Services, "clock" | "store">,
  { accountId, clientId }: Pick<Connection, "accountId" | "clientId">,
): Promise<number> {
  const connection = await store.connections.find(accountId, clientId);
  if (connection === null) return 0;
  const today = dayOf(clock.now());
  const use = await store.mandateUses.find(connection.grantId, today);
  return use?.usedCents ?? 0;
}
