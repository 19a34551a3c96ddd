import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Grant } from "./grant.ts";

/** Which grant, and on whose behalf it is revoked. */
export interface RevokeGrant {
  grantId: string;
  /** The owner; a grant of another account is as good as unknown. */
  accountId: string;
}

/**
 * Revokes a grant: one write ends all its tokens at the next request. Bids
 * already accepted stand. Revoking again changes nothing.
 *
 * @throws {Refused} `not_found`
 */
export function revokeGrant(
  services: Services,
  input: RevokeGrant,
): Promise<Grant> {
  return services.store.transact(async (tx) => {
    const grant = await tx.grants.find(input.grantId);
    if (grant === null || grant.accountId !== input.accountId) {
      refuse({
        code: "not_found",
        message: `Cannot find grant "${input.grantId}"`,
      });
    }
    if (grant.revokedAtMs !== null) return grant;
    const revoked = { ...grant, revokedAtMs: services.clock.now() };
    tx.grants.save(revoked);
    return revoked;
  });
}
