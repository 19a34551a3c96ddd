import type { Scope } from "../../domain/oauth/grant.ts";
import type { Era } from "./types.ts";

/** What the SDK answers 403 `insufficient_scope` from, before any handler. */
export interface ScopeChallenge {
  scopeChallenge: () => { scopes: [Scope, ...Scope[]] };
}

/**
 * Asks for a scope that a caller lacks; nothing where it is held. "Scope
 * accumulation across operations is a client-side responsibility" since
 * 2026-07-28; clients of 2025 ask for what a challenge names and lose the rest,
 * so theirs names what they hold as well.
 */
export function scopeChallenge(
  era: Era,
  held: readonly Scope[],
  scope: Scope,
): ScopeChallenge | null {
  if (held.includes(scope)) return null;
  const scopes: [Scope, ...Scope[]] = era === "modern"
    ? [scope]
    : [scope, ...held];
  return { scopeChallenge: () => ({ scopes }) };
}
