import type { Services, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { endCallbackOf } from "./ended_callback.ts";
import type { Grant, RevokedReason } from "./grant.ts";

/** Which grant, and on whose behalf it is revoked. */
export interface RevokeGrant {
  grantId: string;
  /** The owner; a grant of another account is as good as unknown. */
  accountId: string;
  /** `user` when left out. */
  reason?: Extract<RevokedReason, "user" | "account">;
}

/**
 * Revokes a grant: one write ends all its tokens at the next request. Bids
 * already accepted stand. Revoking again changes nothing.
 *
 * @throws {Refused} `not_found`
 */
export function revokeGrant(
  services: Pick<Services, "store" | "clock">,
  input: RevokeGrant,
): Promise<Grant> {
  return services.store.transact((tx) =>
    revokeOwn(tx, input, services.clock.now())
  );
}

/**
 * The same within a commit of the caller's.
 *
 * @throws {Refused} `not_found`
 */
export async function revokeOwn(
  tx: Transaction,
  { grantId, accountId, reason = "user" }: RevokeGrant,
  nowMs: number,
): Promise<Grant> {
  const grant = await tx.grants.find(grantId);
  if (grant === null || grant.accountId !== accountId) {
    refuseUnknown(grantId);
  }
  if (grant.revokedAtMs !== null) return grant;
  return await revokeIn(tx, grant, reason, nowMs);
}

/** Ends the verb: the account has no such grant. */
export function refuseUnknown(grantId: string): never {
  refuse({ code: "not_found", message: `Cannot find grant "${grantId}"` });
}

/**
 * Revokes a grant that is not yet in the caller's own commit. The address that it
 * was told at ends with it: nothing may ever be told again that would find it.
 */
export async function revokeIn(
  tx: Transaction,
  grant: Grant,
  revokedReason: RevokedReason,
  nowMs: number,
): Promise<Grant> {
  const revoked = { ...grant, revokedAtMs: nowMs, revokedReason };
  await endCallbackOf(tx, grant.id, nowMs);
  tx.grants.save(revoked);
  return revoked;
}
