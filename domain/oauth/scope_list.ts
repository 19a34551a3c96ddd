import { type Scope, SCOPES } from "./grant.ts";
import type { Resource } from "./resource.ts";

/** What is asked for where nothing is said. */
export const DEFAULT_SCOPES: readonly Scope[] = ["account:read"];

/** What an agent needs that does an advertiser's daily work, bids included. */
const WORKING_SET: readonly Scope[] = [
  "account:read",
  "account:write",
  "reports:read",
  "bids:read",
  "bids:write",
  "creatives:read",
  "creatives:write",
  "invoices:read",
];

/**
 * What a client is told to ask for first at a resource: enough for its job,
 * since most clients ask for exactly this and can't ask for more later. The
 * user unticks what they don't want. Decision 0175 says why.
 */
export const FIRST_SCOPES: Readonly<Record<Resource, readonly Scope[]>> = {
  agent: WORKING_SET,
  mcp: WORKING_SET,
  site: DEFAULT_SCOPES,
};

/** These, and of what may be written the leave to read it as well. */
export function withReading(scopes: readonly string[]): Scope[] {
  const reading = scopes.map((scope) => scope.replace(/:write$/, ":read"));
  return SCOPES.filter((scope) =>
    scopes.includes(scope) || reading.includes(scope)
  );
}

/**
 * The scopes of a space-separated list, once each and in the order of the
 * contract; null when one is unknown or there is none.
 */
export function parseScopes(text: string): Scope[] | null {
  const named = text.split(" ").filter((each) => each !== "");
  const known: readonly string[] = SCOPES;
  const good = named.length > 0 && named.every((each) => known.includes(each));
  return good ? SCOPES.filter((scope) => named.includes(scope)) : null;
}

/** The first of a list's scopes that is unknown; null when there is none. */
export function unknownScope(text: string): string | null {
  const known: readonly string[] = SCOPES;
  const named = text.split(" ").filter((each) => each !== "");
  return named.find((each) => !known.includes(each)) ?? null;
}

/** Whether all of these are among those. */
export function isSubset<T>(some: readonly T[], all: readonly T[]): boolean {
  return some.every((each) => all.includes(each));
}
