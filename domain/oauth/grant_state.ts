import { AUTHORIZATION_CODE_MS } from "./authorization_request.ts";
import type { Grant } from "./grant.ts";

/**
 * `live`: it can be used. `unused`: approved, its code not yet exchanged.
 * `ended`: its refresh token has run out or was never fetched. `revoked`.
 */
export type GrantState = "live" | "unused" | "ended" | "revoked";

/** How a grant stands. */
export function grantState(grant: Grant, nowMs: number): GrantState {
  const { refresh, revokedAtMs, createdAtMs } = grant;
  if (revokedAtMs !== null) return "revoked";
  if (refresh !== null) return nowMs < refresh.endsAtMs ? "live" : "ended";
  return nowMs < createdAtMs + AUTHORIZATION_CODE_MS ? "unused" : "ended";
}

/** Whether a grant is good for nothing any more, and never will be again. */
export function isOver(grant: Grant, nowMs: number): boolean {
  const state = grantState(grant, nowMs);
  return state === "ended" || state === "revoked";
}
