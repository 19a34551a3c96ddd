import { findLastGrant } from "../oauth/connect_client.ts";
import type { Transaction } from "../ports.ts";
import { withTotalUse } from "../mandates/total_use.ts";

/**
 * Counts a bid, or a raise, that a restored store had lost in the total of the
 * mandate it was made under; nothing where no mandate is named. Where its user
 * has consented anew since the grant was revoked, it counts in the grant of now,
 * which has copied the count before.
 */
export async function countCharged(
  tx: Transaction,
  grantId: string | null,
  addedCents: number,
  nowMs: number,
): Promise<void> {
  const named = grantId === null ? null : await tx.grants.find(grantId);
  if (named === null) return;
  const last = named.revokedAtMs === null
    ? null
    : await findLastGrant(tx, named);
  const counted = withTotalUse(last ?? named, addedCents, nowMs);
  if (counted !== null) tx.grants.save(counted);
}
