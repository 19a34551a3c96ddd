import { untilNone } from "../every_record.ts";
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
  await untilNone(
    async (limit) => {
      const grants = await store.listGrants(accountId, { limit });
      return grants.filter(({ revokedAtMs }) => revokedAtMs === null);
    },
    async (alive) => {
      for (const { id } of alive) {
        await store.transact(async (tx) => {
          const grant = await tx.grants.find(id);
          if (grant === null || grant.revokedAtMs !== null) return;
          await revokeIn(tx, grant, "account", clock.now());
        });
      }
    },
    LISTED_MAX,
  );
}
