import { type Authority, requireAuthority } from "../sessions/authority.ts";
import { isoTime } from "../day.ts";
import { type Answered, commitOnce, done } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import { refuseUnknown, revokeOwn } from "./revoke_grant.ts";

/** No other text reaches a key. */
const GRANT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** What is answered once a connection is revoked. */
export interface RevokedConnection {
  grant_id: string;
  state: "revoked";
  revoked_at: string;
}

/**
 * Revokes one of the account's grants for an agent, its own included: the next
 * request with any of its tokens is refused, and bids already accepted stand.
 * One that was revoked is answered as it stands. Decision 0195 says why.
 *
 * @throws {Refused} `not_found`, another account's included;
 * `token_invalid` when the grant that asks was revoked meanwhile;
 * `idempotency_conflict`
 */
export function revokeConnection(
  services: Pick<Services, "store" | "clock">,
  { accountId, grantId, by, binding }: {
    accountId: string;
    grantId: string;
    /** Who asks. */
    by: Authority;
    binding: Binding | null;
  },
): Promise<Answered<RevokedConnection>> {
  if (!GRANT_ID.test(grantId)) refuseUnknown(grantId);
  return commitOnce<RevokedConnection>(services, binding, async (tx, nowMs) => {
    await requireAuthority(tx, by);
    const grant = await revokeOwn(tx, { grantId, accountId }, nowMs);
    const { id, revokedAtMs } = grant;
    invariant(revokedAtMs !== null, "a revoked grant has its moment");
    const revoked_at = isoTime(revokedAtMs);
    return done({ grant_id: id, state: "revoked", revoked_at });
  });
}
