import type { Services } from "../ports.ts";
import { revokeIn } from "./revoke_grant.ts";

/** Grants that are read at a time, until none is found alive. */
const LISTED_MAX = 1_000;

/**
 * Revokes every grant of an account, as signing out everywhere does. Bids
 * already accepted stand. What is approved meanwhile is found by the next read;
 * a repeat after a crash goes on where it stopped.
 */
export async function revokeEveryGrant(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId }: { accountId: string },
): Promise<void> {
  for (;;) {
    const grants = await store.listGrants(accountId, { limit: LISTED_MAX });
    const alive = grants.filter(({ revokedAtMs }) => revokedAtMs === null);
    if (alive.length === 0) return;
    for (const { id } of alive) {
      await store.transact(async (tx) => {
        const grant = await tx.grants.find(id);
        if (grant === null || grant.revokedAtMs !== null) return;
        revokeIn(tx, grant, "account", clock.now());
      });
    }
  }
}
