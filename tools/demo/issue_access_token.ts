import { mandateEnded } from "../../domain/mandates/mandate_check.ts";
import {
  type Extent,
  type NewAccessToken,
  newAccessToken,
} from "../../domain/oauth/access_token.ts";
import { hasTokens } from "../../domain/oauth/lines.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";

/**
 * Issues an access token of a live grant without its refresh token, of the line
 * that began last, for all that the grant allows or for less.
 *
 * @throws {Refused} `token_invalid` when the grant is unknown, not yet in use or
 * revoked, or its mandate has ended
 */
export async function issueAccessToken(
  { clock, ids, keys, store }: Pick<
    Services,
    "clock" | "ids" | "keys" | "store"
  >,
  grantId: string,
  narrowing: Partial<Extent> = {},
): Promise<NewAccessToken> {
  const grant = await store.grants.find(grantId);
  const nowMs = clock.now();
  const line = grant?.lines.findLast((each) => hasTokens(each, nowMs));
  const isLive = grant !== null && grant.revokedAtMs === null &&
    line !== undefined && !mandateEnded(grant.mandate, nowMs);
  if (!isLive) refuse({ code: "token_invalid" });
  const extent = { ...grant, ...narrowing };
  return newAccessToken(keys, { grant, line }, extent, ids.secret(), nowMs);
}
