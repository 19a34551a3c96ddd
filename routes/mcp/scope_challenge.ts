/**
 * What a caller is told who lacks scopes that a tool or resource takes.
 *
 * @module
 */
import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { invariant } from "../../domain/invariant.ts";
import { type Scope, SCOPES } from "../../domain/oauth/grant.ts";
import { withReading } from "../../domain/oauth/scope_list.ts";
import type { Settings } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";
import { scopesWanted } from "../errors/scopes_wanted.ts";
import type { ScopesTaken, Served } from "./types.ts";

/** How a server finds out what its callers may do. */
export interface Access<Caller> {
  /** The scopes of the token. */
  scopesOf(caller: Caller): readonly Scope[];
  /** Whether the client has refreshed its tokens a moment ago. */
  refreshedLately(caller: Caller): Promise<boolean>;
}

/**
 * Answers 403 `insufficient_scope` before any handler. "Scope accumulation
 * across operations is a client-side responsibility" since 2026-07-28; clients
 * of 2025 ask for what a challenge names and lose the rest, so theirs names
 * what they hold as well. Some of those refresh when they are challenged, get
 * the scopes they had and give up without a word: they go on to the handler,
 * whose refusal a model can read.
 */
export function scopeChallenge<Caller>(
  access: Access<Caller>,
  settings: Pick<Settings, "baseUrl" | "authUrl">,
  { era, caller }: Pick<Served<Caller>, "era" | "caller">,
  taken: ScopesTaken,
): { scopeChallenge: ScopeChallengeHandler } {
  const held = access.scopesOf(caller);
  return {
    async scopeChallenge({ request }) {
      const missing = lacking(held, taken(request.params?.["arguments"]));
      if (missing.length === 0) return;
      const isOld = era === "legacy";
      if (isOld && await access.refreshedLately(caller)) return;
      const asked = [...withReading(missing), ...isOld ? held : []];
      const [first, ...others] = SCOPES.filter((each) => asked.includes(each));
      invariant(first !== undefined, "what is missing is asked for");
      const errorDescription = scopesWanted(missing, { settings });
      return { scopes: [first, ...others], errorDescription };
    },
  };
}

/**
 * Stands before every handler, whoever was challenged.
 *
 * @throws {Refused} `scope_missing`
 */
export function requireScopes(
  held: readonly Scope[],
  taken: readonly Scope[],
): void {
  const scopes = lacking(held, taken);
  if (scopes.length > 0) refuse({ code: "scope_missing", scopes });
}

function lacking(held: readonly Scope[], taken: readonly Scope[]): Scope[] {
  return taken.filter((scope) => !held.includes(scope));
}
