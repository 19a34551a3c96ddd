import { type Scope, SCOPES } from "./grant.ts";

/** What is asked for where nothing is said. */
export const DEFAULT_SCOPES: readonly Scope[] = ["account:read"];

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
