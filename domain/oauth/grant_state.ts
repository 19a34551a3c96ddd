import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Grant } from "./grant.ts";
import { hasTokens, isWaiting } from "./lines.ts";

/**
 * `live`: it can be used. `unused`: approved, its code not yet exchanged.
 * `ended`: its refresh tokens have run out, were given back or never fetched, or
 * its mandate has ended.
 * `revoked`.
 */
export type GrantState = "live" | "unused" | "ended" | "revoked";

/** How a grant stands. */
export function grantState(grant: Grant, nowMs: number): GrantState {
  const { lines, mandate, revokedAtMs } = grant;
  if (revokedAtMs !== null) return "revoked";
  if (mandateEnded(mandate, nowMs)) return "ended";
  if (lines.some((line) => hasTokens(line, nowMs))) return "live";
  return lines.some((line) => isWaiting(line, nowMs)) ? "unused" : "ended";
}

/** Whether a grant is good for nothing, until its user consents again. */
export function isOver(grant: Grant, nowMs: number): boolean {
  const state = grantState(grant, nowMs);
  return state === "ended" || state === "revoked";
}
